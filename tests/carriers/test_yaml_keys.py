"""Maps of YAML handed on as JSON: the loader's values, the places of the text, and edits that stay YAML."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mtpconfig.carriers.yaml_ import Entries, documents
from mtpconfig.carriers.yaml_.keys import givens
from mtpconfig.launch import Given, Opaque
from mtpconfig.text import Fragment, Source, apply_edits
from mtpconfig.text.json_ import read_json

SCALARS = st.none() | st.booleans() | st.integers(-999, 999) | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
)


def keys_of(text: str) -> list[Given]:
    layer = Fragment.of(Source("c.yaml", text))
    (document,) = documents(layer)
    assert isinstance(document.root, Entries)
    return list(givens(document.root, layer, "config"))


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from("abc"), st.lists(VALUES, max_size=2) | st.dictionaries(st.text(), VALUES), min_size=1
    ),
    st.booleans(),
)
def test_what_is_handed_on_is_what_the_loader_reads(data: dict[str, object], flow: bool) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True)
    assume(not any(mark in text for mark in ("{{", "{%", "{#")))  # a template is no YAML yet
    loaded = yaml.safe_load(text)
    for entry in keys_of(text):
        assert entry.nested
        assert entry.value is not None
        assert json.loads(entry.value.text) == json.loads(json.dumps(loaded[entry.name.text]))


@pytest.mark.parametrize(
    ("text", "key", "new", "expected"),
    [
        ("s:\n  method: nextn\n", "method", "mtp", "s:\n  method: mtp\n"),
        ("s: {method: 'nextn'}\n", "method", "it's", "s: {method: 'it''s'}\n"),
        ('s: {"method": "nextn"}\n', "method", 'a"b', 's: {"method": "a\\"b"}\n'),
        ("s: {n: 2}\n", "n", "3", "s: {n: 3}\n"),
    ],
)
def test_an_edit_inside_is_written_as_yaml(text: str, key: str, new: str, expected: str) -> None:
    (entry,) = keys_of(text)
    assert entry.value is not None
    root = read_json(entry.value.fragment, entry.value.holes).root
    assert root is not None
    (node,) = (each.value for each in root.entries if each.key.text == key)
    edit = node.fragment.replace(0, len(node.fragment.text), new)
    assert edit is not None
    assert apply_edits(text, [edit]) == expected


def test_a_template_is_a_hole() -> None:
    (entry,) = keys_of("s:\n  method: mtp\n  n: {{ tokens }}\n".replace("{{ tokens }}", '"{{ tokens }}"'))
    assert entry.value is not None
    assert isinstance(entry.value.value, Opaque)
    assert [entry.value.text[a:b] for a, b in entry.value.holes] == ["{{ tokens }}"]
