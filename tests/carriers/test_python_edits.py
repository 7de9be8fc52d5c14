"""Edits of Python text, byte by byte, and read back: exactly the intended words differ."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.launch import Launch, Word
from mtpconfig.lint.fixes import fix_source
from mtpconfig.text import Source, apply_edits

from ..support import linter
from .shell_reading import applied, check_segments
from .yaml_launches import read, said, word

NAME = "start.py"


def only(text: str) -> Launch:
    (launch,) = read(text, NAME)
    return launch


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('c = ["p", "-a", "old"]', 'c = ["p", "-a", "{}"]'),
        ("c = ['p', '-a', 'old']", "c = ['p', '-a', '{}']"),
        ('c = ["p", "-a", r"old"]', 'c = ["p", "-a", r"{}"]'),
        ('c = ["p", "-a", """old"""]', 'c = ["p", "-a", """{}"""]'),
        ('c = ["p", "-a", f"old"]', 'c = ["p", "-a", f"{}"]'),
        ('c = ["p", "-a", "o" "ld"]', None),
        ('x = "old"\nc = ["p", "-a", x]', 'x = "{}"\nc = ["p", "-a", x]'),
        ('x = "old"\nprint(x)\nc = ["p", "-a", x]', None),
        ('c = ["p", "-a", "ol" + "d"]', None),
        ('c = "p -a old".split()\nrun(c)', 'c = "p -a {}".split()\nrun(c)'),
        ('import os\nos.system("p -a old")', 'import os\nos.system("p -a {}")'),
        ('é = "😀"; c = ["p", "-a", "old"]', 'é = "😀"; c = ["p", "-a", "{}"]'),
        ('\t\r\nif 1:\r\n\tc = ["p",\r\n\t\t"-a", "old"]\r\n', '\t\r\nif 1:\r\n\tc = ["p",\r\n\t\t"-a", "{}"]\r\n'),
    ],
)  # fmt: skip
def test_a_word_is_replaced_in_its_own_quotes(before: str, after: str | None) -> None:
    edit = word(only(before), "old").fragment.replace(0, 3, "new")
    assert (None if edit is None else applied(before, edit)) == (after and after.replace("{}", "new"))


@pytest.mark.parametrize(
    ("quote", "new", "written"),
    [
        ('"', 'a"b', r"a\"b"),
        ("'", "a'b", r"a\'b"),
        ('"', "a\\b\n", r"a\\b\n"),
        ('"""', 'a"b', r"a\"b"),
        ('"', "é😀", "é😀"),
        ('r"', 'a"b', None),
        ('r"', "a\\b", "a\\b"),
        ('r"', "a\\", None),
        ('f"', "{a}", "{{a}}"),
    ],
)
def test_new_text_is_encoded_for_its_place(quote: str, new: str, written: str | None) -> None:
    close = quote.lstrip("rf")
    text = f'c = ["p", "-a", {quote}old{close}]\n'
    edit = word(only(text), "old").fragment.replace(0, 3, new)
    if written is None:
        assert edit is None
        return
    changed = applied(text, edit)
    assert changed == f'c = ["p", "-a", {quote}{written}{close}]\n'
    assert said(only(changed)) == ["p", "-a", new]


LINES = 'c = [\n    "p",  # the program\n    "-a", "old",  # why\n    "-b",\n]\n'


@pytest.mark.parametrize(
    ("before", "at", "after"),
    [
        ('c = ["p", "-a"]', "-a", 'c = ["p", "-a", "--n", "1 \'x\'"]'),
        ("c = ['p', '-a',]", "-a", "c = ['p', '-a', '--n', \"1 'x'\",]"),
        (LINES, "old", LINES.replace("# why\n", '# why\n    "--n", "1 \'x\'",\n')),
        (LINES, "-a", LINES.replace('"-a"', '"-a", "--n", "1 \'x\'"')),
        (LINES, "-b", LINES.replace('"-b",\n', '"-b",\n    "--n", "1 \'x\'",\n')),
        ('c = [\n  "p",\n  "-a"\n]', "-a", 'c = [\n  "p",\n  "-a", "--n", "1 \'x\'"\n]'),
        ('c = [\r\n\t"p",\r\n\t"-a",\r\n]', "-a", 'c = [\r\n\t"p",\r\n\t"-a",\r\n\t"--n", "1 \'x\'",\r\n]'),
        ('c = ["p", "-a"]\nc += ["-b"]', "-b", 'c = ["p", "-a"]\nc += ["-b", "--n", "1 \'x\'"]'),
        ('c = ["p", "-a"]\nc.append("-b")', "-b", None),
    ],
)  # fmt: skip
def test_words_are_put_in(before: str, at: str, after: str | None) -> None:
    launch = only(before)
    assert launch.container is not None
    edit = launch.container.insert(word(launch, at), ["--n", "1 'x'"])
    if after is None:
        assert edit is None
        return
    assert applied(before, edit) == after
    place = said(launch).index(at) + 1
    assert said(only(after)) == [*said(launch)[:place], "--n", "1 'x'", *said(launch)[place:]]


@pytest.mark.parametrize(
    ("before", "gone", "after"),
    [
        ('c = ["p", "-a", "x", "-b"]', ["-a", "x"], 'c = ["p", "-b"]'),
        ('c = ["p", "-a", "x"]', ["-a", "x"], 'c = ["p"]'),
        ('c = ["p", "-a", "x",]', ["-a", "x"], 'c = ["p",]'),
        (LINES, ["-a", "old"], 'c = [\n    "p",  # the program\n    "-b",\n]\n'),
        (LINES, ["-b"], 'c = [\n    "p",  # the program\n    "-a", "old",  # why\n]\n'),
        (LINES.replace("\n", "\r\n"), ["-a", "old"], 'c = [\r\n    "p",  # the program\r\n    "-b",\r\n]\r\n'),
        ('c = ["p", "-q"]\nc += ["-a", "x"]', ["-a", "x"], 'c = ["p", "-q"]\nc += []'),
        ('c = ("p", "-a")', ["-a"], None),
        ('c = ["p", "-b"]\nc.append("-a")\nc.append("x")  # y\nf(c)\n', ["-a", "x"], 'c = ["p", "-b"]\nf(c)\n'),
        ('b = ["-a"]\nc = ["p", *b, "-b"]', ["-a"], 'b = []\nc = ["p", *b, "-b"]'),
    ],
)
def test_words_are_taken_out(before: str, gone: list[str], after: str | None) -> None:
    launch = only(before)
    assert launch.container is not None
    edits = launch.container.remove([word(launch, text) for text in gone])
    assert (None if edits is None else applied(before, edits)) == after
    if after is not None:
        ast.parse(after)


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        ("import e\ne.L(a=1, b=2)", "a", "import e\ne.L(b=2)"),
        ("import e\ne.L(a=1, b=2)", "b", "import e\ne.L(a=1)"),
        ("import e\ne.L('m', a=1)", "a", "import e\ne.L('m')"),
        ("import e\ne.L(\n    a=1,  # x\n    b=2,\n)", "a", "import e\ne.L(\n    b=2,\n)"),
        ("import e\nk = {'a': 1, 'b': 2}\ne.L(**k)", "a", "import e\nk = {'b': 2}\ne.L(**k)"),
        ("import e\nk = {}\nk['a'] = 1\nk['b'] = 2\ne.L(**k)", "a", "import e\nk = {}\nk['b'] = 2\ne.L(**k)"),
        ("import e, os\nos.environ['a'] = '1'\ne.L(b=2)", "a", "import e, os\ne.L(b=2)"),
    ],
)
def test_what_is_given_by_name_is_taken_out(before: str, name: str, after: str) -> None:
    launch = only(before)
    assert launch.container is not None
    (entry,) = [each for each in launch.given if each.name.text == name]
    edits = launch.container.remove_given(entry)
    assert edits is not None and apply_edits(before, edits) == after
    ast.parse(after)


def test_a_keyword_is_renamed_to_another_name_only() -> None:
    text = "import e\ne.L(a=1)"
    name = only(text).given[0].name.fragment
    assert applied(text, name.replace(0, 1, "b_c")) == "import e\ne.L(b_c=1)"
    assert name.replace(0, 1, "b-c") is None and name.replace(0, 1, "class") is None


def spec(text: str) -> Word:
    (value,) = [each.value for each in only(text).given]
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("literal", "old", "new", "after"),
    [
        ('{"m": "old"}', "old", "new", '{"m": "new"}'),
        ("{'m': 'old'}", "old", "it's", r"{'m': 'it\'s'}"),
        ('{"m": "old"}', "old", r"a\"b", r'{"m": "a\"b"}'),
        ('{"n": 3}', "3", "5", '{"n": 5}'),
        ('{"n": True}', "true", "false", '{"n": False}'),
        ('{"n": None}', "null", "2", '{"n": 2}'),
        ('{"n": 3}', "3", '3, "k": true', '{"n": 3, "k": True}'),
        ('{"n": 3,}', "}", ', "k": "v"}', None),
        ('dict(m="old")', "old", "new", 'dict(m="new")'),
        ('json.dumps({"m": "old"})', "old", "new", 'json.dumps({"m": "new"})'),
        ('\'{"m": "old"}\'', "old", "new", '\'{"m": "new"}\''),
    ],
)
def test_edits_of_json_go_into_the_python_literal(literal: str, old: str, new: str, after: str | None) -> None:
    text = f"import e, json\ne.L(s={literal})"
    fragment = spec(text).fragment
    start = fragment.text.index(old)
    edit = fragment.replace(start, start + len(old), new)
    assert (None if edit is None else applied(text, edit)) == (after and f"import e, json\ne.L(s={after})")


@pytest.mark.parametrize(
    ("literal", "after"),
    [
        ('{"m": "a"}', '{"m": "a", "k": "v", "t": True}'),
        ('{"m": "a",}', '{"m": "a", "k": "v", "t": True}'),
        ('{\n  "m": "a",\n}', '{\n  "m": "a",\n "k": "v", "t": True}'),
        ("{'m': [1]}", '{\'m\': [1], "k": "v", "t": True}'),
    ],
)
def test_members_are_put_at_the_end_of_a_literal(literal: str, after: str) -> None:
    text = f"import e\ne.L(s={literal})"
    fragment = spec(text).fragment
    edit = fragment.replace(len(fragment.text) - 1, len(fragment.text) - 1, ', "k": "v", "t": true')
    changed = applied(text, edit)
    assert changed == f"import e\ne.L(s={after})"
    assert json.loads(spec(changed).text) == {**json.loads(fragment.text), "k": "v", "t": True}


# Literals of all kinds

strings = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | strings,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(strings, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(strings, values, max_size=4) | st.lists(values, max_size=4)


@given(objects, st.sampled_from([repr, ascii, lambda value: repr(value).replace(", ", ",\n   ")]))
@settings(max_examples=150, deadline=None)
def test_a_literal_is_the_json_of_its_value(value: object, write: object) -> None:
    literal = write(value)  # type: ignore[operator]
    try:
        same = ast.literal_eval(literal) == value
    except SyntaxError:
        return
    if not same:
        return  # a comma in a string was taken for one between elements
    word_ = spec(f"import e\né='😀'; e.L(s={literal})\n")
    assert json.loads(word_.text) == value
    check_segments(word_.fragment)


PREFIXES = ("", "r", "u", "f", "rf", "Rb")
QUOTES = ('"', "'", '"""', "'''")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(PREFIXES),
            st.sampled_from(QUOTES),
            st.text(st.sampled_from("ab\\n\"'{}x0141u😀é\r\n N#"), max_size=10),
        ),
        min_size=1,
        max_size=3,
    )
)
@settings(max_examples=300, deadline=None)
def test_string_literals_are_read_as_python_reads_them(parts: list[tuple[str, str, str]]) -> None:
    literal = " ".join(f"{prefix}{quote}{text}{quote}" for prefix, quote, text in parts)
    source = f'c = ["p", "-x", {literal}]'
    try:
        node = ast.parse(source, feature_version=(3, 11)).body[0]
        value = ast.literal_eval(node.value.elts[2])  # type: ignore[attr-defined]
    except (SyntaxError, ValueError, AttributeError, IndexError):
        return
    found = read(source, NAME)
    if not isinstance(value, str) or not found:
        return
    (launch,) = found
    if len(launch.argv) != 3:
        return
    assert launch.argv[2].text == value
    check_segments(launch.argv[2].fragment)


@given(strings, strings)
@settings(max_examples=150, deadline=None)
def test_a_replaced_word_reads_as_what_was_asked(old: str, new: str) -> None:
    text = f'c = ["p", "-a", {old!r}, "-z"]\r\n'
    launch = only(text)
    assert launch.argv[2].text == old
    edit = launch.argv[2].fragment.replace(0, len(old), new)
    if edit is not None:
        assert [w.text for w in only(applied(text, edit)).argv] == ["p", "-a", new, "-z"]


# Fixes, proved by reading again


def fixed(text: str, target: str) -> str:
    checker = linter(f"llama.cpp@{target}")
    source = Source(NAME, text)
    return fix_source(checker, checker.lint_source(source), unsafe=True).source.text


def test_fixes_of_lists() -> None:
    text = (
        "import subprocess\n\n\ndef start(model, n):\n    cmd = [\n"
        '        "llama-server",\n        "-m", model,\n        "--spec-type", "draft-mtp",  # fast\n'
        '        "--draft-max", str(n),\n    ]\n    return subprocess.Popen(cmd)\n'
    )
    assert fixed(text, "b11000") == text.replace("--draft-max", "--spec-draft-n-max")
    crlf = text.replace("\n", "\r\n")
    assert fixed(crlf, "b11000") == crlf.replace("--draft-max", "--spec-draft-n-max")


def test_a_companion_is_put_into_the_same_branch() -> None:
    text = (
        "def build(model, draft=None):\n"
        '    args = ["llama-server", "-m", model]\n'
        "    if draft:\n"
        '        args += ["-md", "small.gguf"]\n'
        "    return args\n"
    )
    after = text.replace('gguf"]', 'gguf", "--spec-type", "draft-simple"]')
    assert fixed(text, "b10000") == after


def test_fixes_in_a_script_in_a_string() -> None:
    text = 'import os\nos.system(f"""\nllama-server -m {m} \\\\\n  --spec-type draft-mtp --draft-max {n}\n""")\n'
    assert fixed(text, "b11000") == text.replace("--draft-max", "--spec-draft-n-max")
