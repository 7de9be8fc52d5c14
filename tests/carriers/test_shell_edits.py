"""Edits are read back: exactly the intended words differ."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.carriers.shell import quote
from mtpconfig.launch import Launch
from tests.carriers.shell_reading import applied, argv, env, only, read

ARRAY = 'A=(\n  --a 1  # one\n  --b 2\n  --c "x y"\n)\nprog "${A[@]}" --last\n'


def removed(text: str, *words: str) -> str | None:
    launch = read(text)[-1]
    assert launch.container is not None
    edits = launch.container.remove([word for word in launch.argv if word.text in words])
    return None if edits is None else applied(text, edits)


def inserted(text: str, after: str, *words: str) -> str | None:
    launch = read(text)[-1]
    assert launch.container is not None
    edit = launch.container.insert(next(word for word in launch.argv if word.text == after), words)
    return None if edit is None else applied(text, edit)


@pytest.mark.parametrize(
    ("text", "words", "result"),
    [
        ("prog --a 1 --b 2\n", ["--a", "1"], "prog --b 2\n"),
        ("prog --a 1 --b 2\n", ["--b", "2"], "prog --a 1\n"),
        ("prog \\\n  --a 1 \\\n  --b 2\n", ["--a", "1"], "prog \\\n  --b 2\n"),
        ("prog \\\n  --a 1 \\\n  --b 2\n", ["--b", "2"], "prog \\\n  --a 1\n"),
        ("prog \\\r\n  --a 1 \\\r\n  --b 2\r\n", ["--b", "2"], "prog \\\r\n  --a 1\r\n"),
        ("prog \\\n  --a 1 --b 2 \\\n  --c\n", ["--a", "1"], "prog \\\n  --b 2 \\\n  --c\n"),
        ("prog \\\n  --a 1 --b 2 \\\n  --c\n", ["--b", "2"], "prog \\\n  --a 1 \\\n  --c\n"),
        ("prog --a 1 --b 2 --c 3\n", ["--a", "1", "--c", "3"], "prog --b 2\n"),
        ("prog --a > log\n", ["--a"], "prog > log\n"),
        ("X='--a 1 --b 2'\nprog $X\n", ["--a", "1"], "X='--b 2'\nprog $X\n"),
        ("X='--a 1 --b 2'\nprog $X\n", ["--b", "2"], "X='--a 1'\nprog $X\n"),
        (ARRAY, ["--b", "2"], ARRAY.replace("  --b 2\n", "")),
        (ARRAY, ["--c", "x y"], ARRAY.replace('  --c "x y"\n', "")),
        ("prog {a,b} --c\n", ["a", "b"], "prog --c\n"),
        ("prog {a,b} --c\n", ["a"], None),
        ('A=(--a 1)\nprog "${A[@]}" --b\nprog "${A[@]}"\n', ["--a"], None),
        ('bash -c "prog --a 1 --b \\"x y\\""\n', ["--a", "1"], 'bash -c "prog --b \\"x y\\""\n'),
        ('bash -c "prog --b \\"x y\\" \\\n  --a 1"\n', ["--a", "1"], 'bash -c "prog --b \\"x y\\""\n'),
    ],
)
def test_remove(text: str, words: list[str], result: str | None) -> None:
    assert removed(text, *words) == result


@pytest.mark.parametrize(
    ("text", "after", "words", "result"),
    [
        ("prog --a 1 \\\n  --b\n", "1", ["--c", "x y"], "prog --a 1 --c 'x y' \\\n  --b\n"),
        ('A=(--a 1\n)\nprog "${A[@]}"\n', "1", ["--c"], 'A=(--a 1 --c\n)\nprog "${A[@]}"\n'),
        ("X='--a 1'\nprog $X --b\n", "1", ["--c", "2"], "X='--a 1 --c 2'\nprog $X --b\n"),
        ("X='--a 1'\nprog $X --b\n", "1", ["--c", "x y"], None),
        ("X=--a\nprog $X --b\n", "--a", ["--c", "x y"], "X=--a\nprog $X --c 'x y' --b\n"),
        ("[ $Y ] && X=--a\nprog $X --b\n", "--a", ["--c"], "[ $Y ] && X=--a' --c'\nprog $X --b\n"),
        ("X='--a 1'\nprog $X --b\nprog $X\n", "1", ["--c"], "X='--a 1'\nprog $X --b\nprog $X --c\n"),
        ("prog {a,b}\n", "a", ["--c"], None),
        ('bash -c "prog --a \\"x y\\""\n', "x y", ["--c", "$d"], 'bash -c "prog --a \\"x y\\" --c \'\\$d\'"\n'),
        ("ssh h 'prog --a'\n", "--a", ["--c", "x y"], "ssh h 'prog --a --c '\\''x y'\\'''\n"),
        ("docker run img:1 --a 1\n", "1", ["--c"], "docker run img:1 --a 1 --c\n"),
        ("cat > x.sh <<E\nprog --a\nE\n", "--a", ["$c"], "cat > x.sh <<E\nprog --a '\\$c'\nE\n"),
    ],
)
def test_insert(text: str, after: str, words: list[str], result: str | None) -> None:
    assert inserted(text, after, *words) == result


@pytest.mark.parametrize(
    ("text", "name", "result"),
    [
        ("A=1 B=2 prog\n", "A", "B=2 prog\n"),
        ("A=1 \\\n  prog\n", "A", "prog\n"),
        ("export A=1\nprog\n", "A", "prog\n"),
        ("  export A=1\nprog\n", "A", "prog\n"),
        ("export A=1 B=2\nprog\n", "A", "export B=2\nprog\n"),
        ("A=1\nexport A\nprog\n", "A", "export A\nprog\n"),
        ("env A=1 prog\n", "A", "env prog\n"),
        ("docker run -e A=1 img:1 prog\n", "A", "docker run img:1 prog\n"),
        ("docker run \\\n  --env=A=1 \\\n  img:1 prog\n", "A", "docker run \\\n  img:1 prog\n"),
        ("x; export A=1; prog\n", "A", None),
        ("docker run -e A=1 -e B=2 img:1 bash -c 'prog --a'\n", "A", "docker run -e B=2 img:1 bash -c 'prog --a'\n"),
    ],
)
def test_remove_given(text: str, name: str, result: str | None) -> None:
    launch = read(text)[-1]
    assert launch.container is not None
    given = next(entry for entry in launch.given if entry.name.text == name)
    edits = launch.container.remove_given(given)
    assert (None if edits is None else applied(text, edits)) == result


def test_a_value_in_a_variable_is_edited_where_it_stands() -> None:
    text = 'N="3"\nprog --n $N\n'
    word = only(text).argv[2]
    assert applied(text, word.fragment.replace(0, 1, "4")) == 'N="4"\nprog --n $N\n'


def test_a_value_that_two_commands_use_is_located_but_not_edited() -> None:
    text = "N=3\nprog --n $N\nother --n $N\n"
    word = read(text)[0].argv[2]
    assert word.fragment.locate_all() == ((2, 3),)
    assert word.fragment.replace(0, 1, "4") is None


@pytest.mark.parametrize("new", ["a b", "a\tb", "*", "", "[x]"])
def test_a_word_in_a_variable_without_quotes_stays_one_word(new: str) -> None:
    for text in ('T="--t draft"\nprog $T\n', "T=draft\nprog --t $T\n"):
        word = only(text).argv[2]
        assert word.text == "draft"
        assert word.fragment.replace(0, 5, new) is None
        assert applied(text, word.fragment.replace(0, 5, "it's")) != text
    quoted = only('T=draft\nprog --t "$T"\n').argv[2]
    assert quoted.fragment.replace(0, 5, new) is not None


def test_a_line_separator_ends_no_line_of_a_here_document() -> None:
    found = read("cat <<-E | bash\n\tprog 'a\u2028\tb'\n\tE\n")
    launch = next(launch for launch in found if launch.argv[0].text == "prog")
    assert [word.text for word in launch.argv] == ["prog", "a\u2028\tb"]


def test_messages_and_tests_are_no_use() -> None:
    text = 'N=3\necho "n is $N"\n[ -n "$N" ] && prog --n $N\n'
    word = only(text).argv[2]
    assert applied(text, word.fragment.replace(0, 1, "4")).startswith("N=4\n")


def test_a_default_is_edited_where_it_stands() -> None:
    text = "prog --n=${N:-3}\n"
    word = only(text).argv[1]
    assert word.text == "--n=3"
    assert applied(text, word.fragment.replace(4, 5, "4")) == "prog --n=${N:-4}\n"


WORDS = st.lists(st.text(st.sampled_from("ab-'\" $\\é"), min_size=1, max_size=5), min_size=2, max_size=8)
GAPS = st.sampled_from([" ", "  ", " \\\n  ", "\\\n "])
LAYERS = st.sampled_from(
    ["{}", "exec {}", "bash -c {q}", "docker run img bash -c {q}", "ssh h {q}", "cat > x.sh <<'E'\n{}\nE"]
)


def laid_out(words: list[str], gaps: list[str], layer: str) -> str:
    text = "prog" + "".join(gap + quote(word) for word, gap in zip(words, gaps, strict=False))
    return layer.replace("{q}", quote(text)).replace("{}", text) + "\n"


def last_of(text: str) -> Launch:
    return read(text)[-1]


@settings(max_examples=80, deadline=None)
@given(WORDS, st.lists(GAPS, min_size=8, max_size=8), LAYERS, st.data())
def test_removed_words_are_gone_and_the_others_stay(
    words: list[str], gaps: list[str], layer: str, data: st.DataObject
) -> None:
    text = laid_out(words, gaps, layer)
    launch = last_of(text)
    assert argv(launch) == ["prog", *words]
    chosen = data.draw(st.sets(st.integers(1, len(words)), min_size=1))
    assert launch.container is not None
    edits = launch.container.remove([launch.argv[place] for place in chosen])
    kept = [word for place, word in enumerate(["prog", *words]) if place not in chosen]
    assert argv(last_of(applied(text, edits))) == kept


@settings(max_examples=80, deadline=None)
@given(WORDS, st.lists(GAPS, min_size=8, max_size=8), LAYERS, WORDS, st.data())
def test_inserted_words_are_there(
    words: list[str], gaps: list[str], layer: str, new: list[str], data: st.DataObject
) -> None:
    text = laid_out(words, gaps, layer)
    launch = last_of(text)
    place = data.draw(st.integers(0, len(words)))
    assert launch.container is not None
    edit = launch.container.insert(launch.argv[place], new)
    expected = ["prog", *words[:place], *new, *words[place:]]
    assert argv(last_of(applied(text, edit))) == expected


def test_environment_stays_when_words_go() -> None:
    assert env(only(removed("A=1 prog --a 1\n", "--a", "1") or "")) == {"A": "1"}
