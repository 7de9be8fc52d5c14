"""The nodes of YAML texts: aliases, merge keys, templates, comments, faults, and hostile input."""

from __future__ import annotations

import pytest

from mtpconfig.carriers.yaml_ import Document, Entries, Items, Node, Scalar, comments, documents, word_of
from mtpconfig.launch import Known, Opaque, exclude
from mtpconfig.text import Fragment, Source

Plain = str | list["Plain"] | dict[str, "Plain"] | None


def docs(text: str) -> tuple[Document, ...]:
    return documents(Fragment.of(Source("x.yaml", text)))


def plain(node: Node | None) -> Plain:
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Items):
        return [plain(item) for item in node.items]
    if isinstance(node, Entries):
        return {key.text: plain(node.get(key.text)) for key, _ in node.entries}
    return None


def at(text: str, *path: str | int) -> Node:
    node = docs(text)[0].root
    for step in path:
        if isinstance(step, int):
            assert isinstance(node, Items)
            node = node.items[step]
        else:
            assert isinstance(node, Entries)
            node = node.get(step)
    assert node is not None
    return node


MERGED: dict[str, Plain] = {"x": "1", "z": "3"}


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a: 1\nb: [x, 'y']\n", {"a": "1", "b": ["x", "y"]}),
        ("- a\n- - b\n  - c\n", ["a", ["b", "c"]]),
        ("a: 1\na: 2\n", {"a": "2"}),
        ("b: &b {x: 1, y: 2}\nc: {<<: *b, x: 3}\n", {"b": {"x": "1", "y": "2"}, "c": {"x": "3", "y": "2"}}),
        ("- &b {x: 1}\n- &d {x: 2, z: 3}\n- {<<: [*b, *d]}\n", [{"x": "1"}, {"x": "2", "z": "3"}, MERGED]),
        ("a: &a [1, *a]\n", {"a": ["1", []]}),
        ("a: *nothing\n", {"a": []}),
        ("? [a]\n: b\nc: d\n", {"c": "d"}),
        ("", None),
        ("!!map {a: !x b}\n", {"a": "b"}),
    ],
)  # fmt: skip
def test_nodes(text: str, expected: Plain) -> None:
    found = docs(text)
    assert plain(found[0].root if found else None) == expected


def test_what_an_alias_names_is_shared_at_both_places() -> None:
    text = "a: &a [x]\nb: *a\nc: [y]\nd: {<<: &m {k: v}}\n"
    assert at(text, "a", 0).shared and at(text, "b", 0).shared
    assert not at(text, "c", 0).shared
    assert not at(text, "d", "k").shared
    scalar = at(text, "b", 0)
    assert isinstance(scalar, Scalar)
    assert scalar.fragment.locate_all() == ((7, 8),)
    assert scalar.fragment.replace(0, 1, "z") is None


def test_a_fault_loses_only_what_stands_behind_it() -> None:
    first, second, third = docs("a: 1\n---\nb: [1, 2\nc: {\n---\nd: 4\n")
    assert (plain(first.root), first.fault) == ({"a": "1"}, None)
    assert second.fault is not None and isinstance(second.root, Entries)
    assert plain(third.root) == {"d": "4"}


def test_a_list_that_a_fault_cuts_off_may_hold_more() -> None:
    node = at('a:\n- x\n- y\n- "z\nb: 1\n', "a")
    assert isinstance(node, Items) and [plain(i) for i in node.items] == ["x", "y"]
    assert node.why_open


def test_templates_stand_in_the_text_as_they_were_written() -> None:
    text = 'a: {{ .Values.a }}\nb: "x {{ get "k" | quote }} y"\nc:\n  - --n={{ .n }}\n'
    assert docs(text)[0].templated
    scalar = at(text, "b")
    assert isinstance(scalar, Scalar)
    assert scalar.text == 'x {{ get "k" | quote }} y'
    assert word_of(scalar).value == Opaque('{{ get "k" | quote }}')
    item = at(text, "c", 0)
    assert isinstance(item, Scalar) and item.text == "--n={{ .n }}"
    assert plain(at(text, "a")) == "{{ .Values.a }}"


def test_what_stands_between_template_lines_is_guarded() -> None:
    text = "args:\n{{- if .mtp }}\n- a\n{{- else }}\n- b\n{{- end }}\n- c\n"
    items = at(text, "args")
    assert isinstance(items, Items)
    first, second, third = (item.guard for item in items.items)
    assert exclude(first, second) and not third
    assert items.why_open == "{{- if .mtp }}"


@pytest.mark.parametrize(
    "text, opened",
    [
        ("args:\n- a\n{{- toYaml .x | nindent 0 }}\n", True),
        ("args:\n  - a\n  {{- toYaml .x | nindent 2 }}\nb: 1\n", True),
        ("args:\n  - a\n{{- toYaml .x | nindent 0 }}\nb: 1\n", False),
        ("args:\n  - a\n{{- with .x }}\nb: 1\n{{- end }}\n", False),
        ("args:\n  - a\n  - {{ .b }}\n", False),
        ("args:\n  - a\n  {% for x in y %}\n  - b\n  {% endfor %}\n", True),
    ],
)
def test_which_template_lines_may_add_items(text: str, opened: bool) -> None:
    items = at(text, "args")
    assert isinstance(items, Items)
    assert bool(items.why_open) is opened


def test_words_of_plain_scalars_are_known() -> None:
    scalar = at("a: b\n", "a")
    assert isinstance(scalar, Scalar)
    assert word_of(scalar).value == Known("b")


def test_types_are_told() -> None:
    text = "[a, 1, on, ~, '1', 2.5, ]\n"
    items = docs(text)[0].root
    assert isinstance(items, Items)
    tags = [item.tag.rsplit(":", 1)[1] for item in items.items if isinstance(item, Scalar)]
    assert tags == ["str", "int", "bool", "null", "str", "float"]


def test_comments_above_and_behind() -> None:
    text = "# head\n\nx: 1\n# b1\n  # b2\nk: v # behind\nl: >- # header\n  t # text\nf: [a, b] # list\n"
    layer = Fragment.of(Source("x.yaml", text))
    above = [hint.fragment.text for hint in comments(layer, text.index("k:"))]
    assert above == ["# head", "# b1", "# b2"]
    root = documents(layer)[0].root
    assert isinstance(root, Entries)
    behind = [root.get(key) for key in "xkl"]
    assert [node.comment and node.comment.fragment.text for node in behind if isinstance(node, Scalar)] == [
        None,
        "# behind",
        "# header",
    ]


BOMB = "".join(f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 40))
HOSTILE = {
    "deep lists": "[" * 100_000,
    "deep maps": "{a: " * 50_000,
    "deep dashes": "- " * 100_000,
    "deep keys": "? " * 100_000,
    "aliases": "a0: &a0 [x]\n" + BOMB,
    "merges": "a0: &a0 {x: y}\n" + "".join(f"a{i}: &a{i} {{<<: [*a{i - 1}], z{i}: 1}}\n" for i in range(1, 900)),
    "one line": "a: " + "x " * 900_000,
    "blanks": 'a: "' + " " * 500_000 + "x\n y" + '"',
    "blank lines": "a: |\n" + " \n" * 300_000,
    "long list": "- a\n" * 300_000,
    "documents": "---\n" * 300_000,
    "faults": "--- [\n" * 300_000,
    "templates": "{{ x }}\n" * 50_000,
    "open templates": "{{" * 500_000,
    "template branches": "{% if x %}\n a: {{" * 20_000,
    "binary": "".join(map(chr, range(256))) * 1000,
    "surrogates": "a: \ud800\n" * 1000,
    "backslashes": 'a: "' + "\\" * 500_001,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.timeout(60)  # what hangs takes minutes; this measures no speed
def test_hostile_text_is_bounded(name: str) -> None:
    for document in docs(HOSTILE[name])[:100]:
        plain(document.root)
