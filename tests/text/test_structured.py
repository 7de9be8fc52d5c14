"""JSON and Python's literals as layers: values agree with the real parsers, places with the text, edits with both."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.text import Fragment, Source, apply_edits
from mtpconfig.text.json_ import read_json
from mtpconfig.text.literal import read_literal
from mtpconfig.text.structured import Node, canonical, members

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=8), VALUES, min_size=1, max_size=4)


def fragment(text: str) -> Fragment:
    return Fragment.of(Source("x", text))


def value(node: Node) -> object:
    match node.type:
        case "object":
            return {entry.key.text: value(entry.value) for entry in node.entries}
        case "list":
            return [value(item) for item in node.items]
        case "string":
            return node.text
        case _:
            return json.loads(node.text)


def below(node: Node) -> Iterator[Node]:
    yield node
    for entry in node.entries:
        yield from (entry.key, *below(entry.value))
    for item in node.items:
        yield from below(item)


@settings(max_examples=200, deadline=None)
@given(VALUES, st.booleans(), st.sampled_from([None, 0, 2]))
def test_json_is_what_the_standard_library_reads(data: object, ascii_: bool, indent: int | None) -> None:
    text = json.dumps(data, ensure_ascii=ascii_, indent=indent)
    root = read_json(fragment(text)).root
    assert root is not None
    assert value(root) == data
    assert json.loads(canonical(root)) == data
    for node in below(root):
        assert json.loads(text[slice(*node.span)]) == value(node)


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_literals_are_what_python_reads(data: object) -> None:
    text = repr(data)
    root = read_literal(fragment(text)).root
    assert root is not None
    assert json.loads(canonical(root)) == data
    for node in below(root):
        assert ast.literal_eval(text[slice(*node.span)]) == value(node)


@settings(max_examples=200, deadline=None)
@given(OBJECTS, st.data(), st.text(max_size=8).filter(str.isprintable))
def test_a_text_put_into_a_string_is_read_back(data: dict[str, object], draw: st.DataObject, new: str) -> None:
    text = json.dumps(data)
    root = read_json(fragment(text)).root
    assert root is not None
    strings = [node for node in below(root) if node.type == "string"]
    node = draw.draw(st.sampled_from(strings))
    edit = node.fragment.replace(0, len(node.text), new)
    if edit is None:
        return
    again = read_json(fragment(apply_edits(text, [edit]))).root
    assert again is not None
    assert value(next(each for each in below(again) if each.span.start == node.span.start)) == new


@settings(max_examples=200, deadline=None)
@given(OBJECTS, st.data(), st.sampled_from([None, 2]))
def test_an_entry_goes_and_another_comes(data: dict[str, object], draw: st.DataObject, indent: int | None) -> None:
    text = json.dumps(data, indent=indent)
    layer = fragment(text)
    root = read_json(layer).root
    assert root is not None
    entry, place = draw.draw(st.sampled_from(list(members(layer, root))))
    removed = place.remove()
    if len(data) == 1:
        assert removed is None
    else:
        assert removed is not None
        assert json.loads(apply_edits(text, removed)) == {k: v for k, v in data.items() if k != entry.key.text}
    inserted = place.insert("new", "[1]")
    assert inserted is not None
    assert json.loads(apply_edits(text, [inserted])) == {**data, "new": [1]}


@pytest.mark.parametrize(
    "text", ["{", '{"a":1,}', "{a:1}", "{'a':1}", "", "[1 2]", '{"a":\n1]', "\u201ca\u201d", "nul"]
)
def test_what_the_standard_library_refuses_comes_with_its_words_and_place(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as refused:
        json.loads(text)
    fault = read_json(fragment(text)).fault
    assert fault is not None
    assert (fault.message, fault.offset) == (refused.value.msg, refused.value.pos)


@pytest.mark.parametrize(
    "text", ["f()", "{'a': b}", "{'a': true}", "lambda: 1", "{**x}", "1 + ", "[i for i in x]", "f'{x}'"]
)
def test_what_is_no_literal_is_none_and_nothing_runs(text: str) -> None:
    assert read_literal(fragment(text)).root is None


@pytest.mark.parametrize(
    ("text", "hole", "keys"),
    [
        ('{"a": $N, "b": 2}', "$N", ["a", "b"]),
        ('{"a": "x$N", "b": 2}', "$N", ["a", "b"]),
        ('{"$N": 1, "b": 2}', "$N", ["$N", "b"]),
        ('{"a": 1, $N}', "$N", None),
        ("$N", "$N", None),
        ('{"a": {{ .Values.n }}}', "{{ .Values.n }}", ["a"]),
    ],
)
def test_placeholders(text: str, hole: str, keys: list[str] | None) -> None:
    at = text.index(hole)
    structure = read_json(fragment(text), [(at, at + len(hole))])
    assert structure.fault is None
    found = [entry.key.text for entry in structure.root.entries] if structure.root is not None else None
    assert (found, structure.unknown) == (keys, keys is None)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    ["[" * 50_000, '{"a":' * 20_000, "{" * 3000 + "}" * 3000, "'" * 15_000, "(" * 15_000, "9" * 30_000, "-" * 15_000],
)
def test_hostile_texts_end_quietly(text: str) -> None:
    assert read_json(fragment(text)).root is None or text.isdigit()
    read_literal(fragment(text))
