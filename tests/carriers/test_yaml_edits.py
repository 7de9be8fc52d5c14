"""Edits of YAML texts, byte by byte: slices of scalars, items that come and items that go."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mtpconfig.carriers.yaml_ import Entries, Items, ListContainer, Node, Scalar, documents, word_of
from mtpconfig.launch import Given, Known, Word
from mtpconfig.text import Edit, Fragment, Source, apply_edits


def applied(text: str, edits: Edit | Sequence[Edit] | None) -> str:
    assert edits is not None
    return apply_edits(text, [edits] if isinstance(edits, Edit) else edits)


def tree(text: str) -> tuple[Fragment, Entries]:
    layer = Fragment.of(Source("x.yaml", text))
    root = documents(layer)[0].root
    assert isinstance(root, Entries)
    return layer, root


def value(text: str) -> Scalar:
    found = tree(text)[1].get("k")
    assert isinstance(found, Scalar)
    return found


@pytest.mark.parametrize(
    "text, old, new, expected",
    [
        ("k: --draft-max 16\n", "--draft-max", "--spec-draft-n-max", "k: --spec-draft-n-max 16\n"),
        ("k: '--a ''x'' b'\n", "x", "it's", "k: '--a ''it''s'' b'\n"),
        ("k: 'a ''x'' b'\n", "'x'", "y", "k: 'a y b'\n"),
        ('k: "a \\"x\\" 🙂 old"\n', "old", 'n"w\\', 'k: "a \\"x\\" 🙂 n\\"w\\\\"\n'),
        ("k: >-\r\n  a\r\n  old\r\n    b\r\n", "old", "new", "k: >-\r\n  a\r\n  new\r\n    b\r\n"),
        ("k: |\n  a\n  old\n", "old", "x\ny", "k: |\n  a\n  x\n  y\n"),
        ("k: |\r\n\t# no\r\n", "", "", None),
        ("k: >\n  a\n  old\n", "old", "x\ny", None),
        ("k: old b\n", "old", " c", None),
        ("k: old b\n", "b", "\u2028c", None),
        ("k: lone\n", "lone", "", None),
        ("k: old b\n", "old", "#c", None),
        ("k: old b\n", "b", "c: d", None),
        ("k: old b\n", "b", "c #d", None),
        ("k: 'old\n  b'\n", "old", "c ", None),
        ("k: [old, b]\n", "", "", None),
        ("k: auto\n", "auto", "off", None),
        ("k: 16\n", "16", "3", "k: 3\n"),
        ("k: a=16\n", "16", "3", "k: a=3\n"),
        ("k: a: b\n", "", "", None),
        ("k: old\x07\n", "", "", None),
    ],
)
def test_replacing_a_slice(text: str, old: str, new: str, expected: str | None) -> None:
    root = documents(Fragment.of(Source("x.yaml", text)))[0].root
    scalar = root.get("k") if isinstance(root, Entries) else None
    if not old:
        return
    assert isinstance(scalar, Scalar)
    at = scalar.text.index(old)
    edit = scalar.fragment.replace(at, at + len(old), new)
    assert (applied(text, edit) if edit is not None else None) == expected


def test_a_deletion_takes_folds_along() -> None:
    text = "k: >-\n  a\n  --old 1\n  b\n"
    scalar = value(text)
    edit = scalar.fragment.replace(1, len("a --old 1"), "")
    assert applied(text, edit) == "k: >-\n  a\n  b\n"


_STYLES = {
    "plain": "k: {}\n",
    "single": "k: '{}'\n",
    "double": 'k: "{}"\n',
    "literal": "k: |\n  {}\n",
    "folded": "k: >-\n  {}\n  z\n",
}


@given(
    style=st.sampled_from(sorted(_STYLES)),
    base=st.lists(st.sampled_from(["ab", "c-d", "e=f", "1"]), min_size=2, max_size=5),
    new=st.text(alphabet="ab1 '\"\\:#{}[],-!&*?|>%@`~\t\n🙂é\x07", max_size=6),
    data=st.data(),
)
def test_a_replacement_inside_reads_back_or_is_refused(
    style: str, base: list[str], new: str, data: st.DataObject
) -> None:
    text = _STYLES[style].format(" ".join(base))
    scalar = value(text)
    start = data.draw(st.integers(1, len(" ".join(base)) - 1))
    end = data.draw(st.integers(start, len(" ".join(base)) - 1))
    before = scalar.text
    if before[start - 1 : start] == " " or before[end : end + 1] == " ":
        return
    edit = scalar.fragment.replace(start, end, new)
    if edit is not None:
        assert value(applied(text, edit)).text == before[:start] + new + before[end:]


LISTS = {
    "block": ("k:\n  - a\n  - --old\n  - '1' # why\n  - z\n", "k:\n  - a\n  - z\n"),
    "block, not indented": ("k:\n- a\n- --old\n- '1'\n- z\nl: 1\n", "k:\n- a\n- z\nl: 1\n"),
    "block, crlf": ("k:\r\n  - a\r\n  - --old\r\n  - '1'\r\n  - z\r\n", "k:\r\n  - a\r\n  - z\r\n"),
    "block, last": ("k:\n  - a\n  - z\n  - --old\n  - '1'", "k:\n  - a\n  - z\n"),
    "block, last alone": ("k:\r\n- a\r\n- z\r\n- --old", "k:\r\n- a\r\n- z"),
    "block, tab before a comment": ("k:\n  - a\n  - --old\t# b\n  - '1'\t\n  - z\n", "k:\n  - a\n  - z\n"),
    "block, comments between": ("k:\n- a\n# x\n- --old\n- '1'\n# y\n- z\n", "k:\n- a\n# x\n# y\n- z\n"),
    "block, folded item": ("k:\n  - a\n  - >-\n    --old\n  - '1'\n  - z\n", "k:\n  - a\n  - z\n"),
    "flow": ("k: [a, --old, '1', z]\n", "k: [a, z]\n"),
    "flow, last": ("k: [a, z, --old, '1']\n", "k: [a, z]\n"),
    "flow, first": ("k: [--old, '1', a, z]\n", "k: [a, z]\n"),
    "flow, lines": ("k: [\n  a,\n  --old,\n  '1', # why\n  z,\n]\n", "k: [\n  a,\n  z,\n]\n"),
    "flow, last lines": ("k: [\n  a,\n  z,\n  --old,\n  '1'\n]\n", "k: [\n  a,\n  z,\n]\n"),
    "flow, split": ('k: ["a",\n    "--old", "1",\n    "z"]\n', None),
}  # fmt: skip


def words_of(node: Node | None) -> list[Word]:
    assert isinstance(node, Items)
    return [word_of(item) for item in node.items if isinstance(item, Scalar)]


@pytest.mark.parametrize("name", LISTS)
def test_removing_items(name: str) -> None:
    text, expected = LISTS[name]
    layer, root = tree(text)
    node = root.get("k")
    words = words_of(node)
    gone = [word for word in words if word.text in ("--old", "1")]
    edits = ListContainer(layer, [node]).remove(gone)
    if expected is not None:
        assert applied(text, edits) == expected
    elif edits is not None:
        assert [w.text for w in words_of(tree(applied(text, edits))[1].get("k"))] == ["a", "z"]


@pytest.mark.parametrize(
    "text, after, words, expected",
    [
        ("k:\n  - a # why\n  - b\n", "a", ["--n", "3"], 'k:\n  - a # why\n  - --n\n  - "3"\n  - b\n'),
        ("k:\n- a\r\n- b", "b", ["c"], "k:\n- a\r\n- b\r\n- c"),
        ("k: ['a', 'b']\n", "b", ["it's", "3"], "k: ['a', 'b', 'it''s', '3']\n"),
        ('k: ["a"]\n', "a", ['{"m": "x"}'], 'k: ["a", "{\\"m\\": \\"x\\"}"]\n'),
        ("k: [a]\n", "a", ["{x}"], 'k: [a, "{x}"]\n'),
        ("k:\n- a\n", "a", ['{"m": "x"}', "a: b"], "k:\n- a\n- '{\"m\": \"x\"}'\n- \"a: b\"\n"),
        ("k:\n- a\n", "a", ["-", "", "off"], 'k:\n- a\n- "-"\n- ""\n- "off"\n'),
        ("k:\n- |\n  x\n- b\n", "x\n", ["c"], "k:\n- |\n  x\n- c\n- b\n"),
        ("k:\n- >-\n  x # text\n- b\n", "x # text", ["c"], "k:\n- >-\n  x # text\n- c\n- b\n"),
        ("k: &a [x]\nl: *a\n", "x", ["y"], None),
    ],
)  # fmt: skip
def test_inserting_items(text: str, after: str, words: list[str], expected: str | None) -> None:
    layer, root = tree(text)
    node = root.get("k")
    word = next(word for word in words_of(node) if word.text == after)
    edit = ListContainer(layer, [node]).insert(word, words)
    assert (applied(text, edit) if edit is not None else None) == expected
    if edit is not None:
        before = [w.text for w in words_of(node)]
        place = before.index(after) + 1
        assert [w.text for w in words_of(tree(applied(text, edit))[1].get("k"))] == before[:place] + words + before[
            place:
        ]


@given(
    st.lists(st.text(alphabet="ab1~ '\"\\:#{}[],-!&*?|>%@`\t\n🙂\x85\ufeff\x07.e", max_size=6), min_size=1, max_size=3)
)
@example(["1:?"])
def test_any_word_is_written_so_that_it_reads_back(words: list[str]) -> None:
    for text in ("k:\n- a\n- b\n", "k: [a, b]\n", "k: ['a', 'b']\n", 'k: ["a", "b"]\n'):
        layer, root = tree(text)
        node = root.get("k")
        edit = ListContainer(layer, [node]).insert(words_of(node)[0], words)
        after = tree(applied(text, edit))[1].get("k")
        assert [w.text for w in words_of(after)] == ["a", *words, "b"]
        assert isinstance(after, Items)
        assert all(isinstance(item, Scalar) and item.tag.endswith(":str") for item in after.items)


@pytest.mark.parametrize(
    "text, name, expected",
    [
        ("k:\n  A: 1\n  B: 2 # why\n  C: 3\n", "B", "k:\n  A: 1\n  C: 3\n"),
        ("k: {A: 1, B: 2}\n", "B", "k: {A: 1}\n"),
        ("k: {A: 1, B: 2}\n", "A", "k: {B: 2}\n"),
        ("k:\n  - A=1\n  - B=2\n", "A", "k:\n  - B=2\n"),
        ("k:\n  - name: A\n    value: x\n  - name: B\n    value: y\n", "A", "k:\n  - name: B\n    value: y\n"),
        ("b: &b\n  A: 1\nk:\n  <<: *b\n  B: 2\n", "A", None),
        ("k:\n  A: >-\n    long\n    text\n  B: 1\n", "A", "k:\n  B: 1\n"),
        ("k:\n  A:\n  B: 1\n", "A", "k:\n  B: 1\n"),
    ],
)
def test_removing_assignments(text: str, name: str, expected: str | None) -> None:
    layer, root = tree(text)
    node = root.get("k")
    found = next(scalar for scalar in _scalars(node) if scalar.text.partition("=")[0] == name)
    given_ = Given("env", Word(found.fragment.slice(0, len(name)), Known(name)), None)
    edits = ListContainer(layer, (), [node]).remove_given(given_)
    assert (applied(text, edits) if edits is not None else None) == expected


def _scalars(node: Node | None) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Items):
        return [scalar for item in node.items for scalar in _scalars(item)]
    if isinstance(node, Entries):
        return [scalar for key, held in node.entries for scalar in (key, *_scalars(held))]
    return []
