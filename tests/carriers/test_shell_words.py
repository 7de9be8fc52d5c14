"""Words as bash itself sees them."""

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.carriers.shell import quote
from mtpconfig.carriers.shell.codecs import ANSI_C, BARE, DOUBLE, SINGLE
from mtpconfig.launch import Known, Word
from mtpconfig.text import apply_edits
from tests.carriers.shell_reading import argv, check_segments, only, read

BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None, reason="bash is not installed")


def bash_words(command_words: str) -> list[str]:
    """What a program receives from bash for these words."""
    script = f"printf '%s\\0' - {command_words}\n"  # the dash: printf prints its format once even without arguments
    done = subprocess.run(
        [BASH or "bash", "--norc", "-c", script], capture_output=True, check=True, timeout=60, env={"LC_ALL": "C.UTF-8"}
    )
    return done.stdout.decode().split("\0")[1:-1]


def our_words(command_words: str) -> list[str]:
    """What we read for these words."""
    return argv(only(f"prog {command_words}\n"))[1:]


def ansi_c(text: str) -> str:
    return "$'" + (ANSI_C.encode(text) or "") + "'"


def double(text: str) -> str:
    return '"' + (DOUBLE.encode(text) or "") + '"'


def single(text: str) -> str:
    return "'" + (SINGLE.encode(text) or "") + "'"


def escaped(text: str) -> str:
    return "".join(f"\\{c}" if c not in "\n" else "'\n'" for c in text) or "''"


TEXTS = st.text(st.sampled_from("ab-=,.:/ \t\n'\"\\$`{}[]()#&|;<>*?!~é😀\u00a0\u2028"), max_size=12)
STYLES = (quote, single, double, ansi_c, escaped)


@needs_bash
@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.tuples(TEXTS, st.sampled_from(STYLES)), min_size=1, max_size=3), min_size=1, max_size=25))
def test_quoted_words_are_read_as_bash_reads_them(words: list[list[tuple[str, object]]]) -> None:
    written = " ".join("".join(style(text) for text, style in parts) for parts in words)  # type: ignore[operator]
    expected = ["".join(text for text, _ in parts) for parts in words]
    assert bash_words(written) == expected
    assert our_words(written) == expected


SOUP = st.text(st.sampled_from("ab,{}'\"\\ -=n1:"), min_size=1, max_size=14)


@needs_bash
@settings(max_examples=120, deadline=None)
@given(SOUP)
def test_braces_and_unbalanced_pieces_are_read_as_bash_reads_them(soup: str) -> None:
    try:
        expected = bash_words(soup)
    except subprocess.CalledProcessError:
        return
    assert our_words(soup) == expected


@needs_bash
@pytest.mark.parametrize(
    "written",
    [
        """{"method":"mtp","num_speculative_tokens":2}""",
        """'{"method":"mtp","num_speculative_tokens":2}'""",
        r"""{\"method\":\"mtp\",\"n\":2}""",
        "a{b,c}d{e,f}",
        "{a,{b,c}}",
        "{a}",
        "{}",
        "{,}",
        "x{,y}",
        "{a,b",
        "a\\\nb",
        "\\ ",
        r"$'\x41\u00e9\U0001F600\101\n\'\e'",
        '"a\\\nb\\c\\""',
        '"a\\$b" a$ "$" $',
        "--x='a b'\"c\"",
        "'' \"\" $''",
        "a#b '#c'",
    ],
)
def test_words_are_read_as_bash_reads_them(written: str) -> None:
    assert our_words(written) == bash_words(written)


@pytest.mark.parametrize("codec", [BARE, SINGLE, DOUBLE, ANSI_C])
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_codecs_round_trip(codec: object, text: str) -> None:
    opening, closing = {id(BARE): ("", ""), id(SINGLE): ("'", "'"), id(DOUBLE): ('"', '"')}.get(id(codec), ("$'", "'"))
    encoded = codec.encode(text)  # type: ignore[attr-defined]
    assert our_words(f"{opening}{encoded}{closing}") == [text]
    assert codec.encode("\0") is None  # type: ignore[attr-defined]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.sampled_from(STYLES)), min_size=1, max_size=3))
def test_segments_cover_the_text_and_copies_are_copies(parts: list[tuple[str, object]]) -> None:
    written = "".join(style(text) for text, style in parts)  # type: ignore[operator]
    script = f"X=é😀 prog --flag {written} --last\n"
    launch = only(script)
    for word in launch.argv:
        check_segments(word.fragment)
    assert launch.argv[2].site is not None
    assert script[slice(*launch.argv[2].site)] == written


@settings(max_examples=80, deadline=None)
@given(TEXTS, st.sampled_from(STYLES), TEXTS, st.data())
def test_a_replaced_slice_is_read_back(text: str, style: object, new: str, data: st.DataObject) -> None:
    script = f"prog --flag {style(text)} --last\n"  # type: ignore[operator]
    word = only(script).argv[2]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    edit = word.fragment.replace(start, end, new)
    if edit is None:
        return
    changed = apply_edits(script, [edit])
    assert argv(only(changed)) == ["prog", "--flag", text[:start] + new + text[end:], "--last"]


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_replacing_in_nested_layers_is_read_back(text: str, new: str) -> None:
    inner = f"prog --flag {single(text)} --last"
    script = f"ssh host bash -c {single(quote('exec ' + inner))}\n"
    word = only(script).argv[2]
    assert word.text == text
    edit = word.fragment.replace(0, len(text), new)
    if edit is not None:
        assert argv(only(apply_edits(script, [edit])))[2] == new


def test_values_of_plain_words_are_known() -> None:
    words: tuple[Word, ...] = only("prog 'a b' c\n").argv
    assert [word.value for word in words] == [Known("prog"), Known("a b"), Known("c")]


def test_line_ends_of_windows_are_line_ends() -> None:
    (launch,) = read("prog \\\r\n  --a 1 \\\r\n  --b\r\n")
    assert argv(launch) == ["prog", "--a", "1", "--b"]
