"""The decoded text of scalars against the loader's own values, and the truth of their segments."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mtpconfig.carriers.yaml_ import Entries, Items, Node, Scalar, documents
from mtpconfig.text import Fragment, Kind, Source

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load(text: str) -> Any:
    return yaml.load(text, Loader=_LOADER)


def read(text: str) -> Node | None:
    found = documents(Fragment.of(Source("x.yaml", text)))
    return found[0].root if found else None


def value(text: str, key: str = "k") -> Scalar:
    root = read(text)
    assert isinstance(root, Entries)
    found = root.get(key)
    assert isinstance(found, Scalar)
    return found


def check_segments(scalar: Scalar) -> None:
    """Segments cover the text without gap, and copies are what the source says."""
    fragment, end = scalar.fragment, 0
    assert fragment.text == scalar.text
    for segment in fragment.segments:
        assert segment.start == end
        end = segment.end
        assert segment.origin is not None
        if segment.kind is Kind.COPY:
            assert scalar.layer.text[slice(*segment.origin)] == fragment.text[segment.start : segment.end]
    assert end == len(fragment.text)


@pytest.mark.parametrize(
    "written, text",
    [
        ("plain", "plain"),
        ("two words # not this", "two words"),
        ("over\n  two\n\n\n  lines", "over two\n\nlines"),
        ("'it''s'", "it's"),
        ("'a\n\n  b'", "a\nb"),
        ('"\\u00e9\\x41\\"\\\\\\t"', 'éA"\\\t'),
        ('"a\\\n   b"', "ab"),
        ('"a \\\n\n   b"', "a \nb"),
        ('"a  \n   b"', "a b"),
        ("|\n  a\n   b\n", "a\n b\n"),
        ("|-\n  a\n", "a"),
        ("|+\n  a\n\n\n", "a\n\n\n"),
        ("|2-\n    a\n   b\n", "  a\n b"),
        ("|-2\n    a\n", "  a"),
        ("| # why\n  a\n", "a\n"),
        (">\n  a\n  b\n\n  c\n", "a b\nc\n"),
        (">-  # why\n  a\n  b", "a b"),
        (">+\n  a\n\n", "a\n\n"),
        (">\n  a\n    b\n    c\n  d\n", "a\n  b\n  c\nd\n"),
        (">\n  a\n\n    b\n\n  c\n", "a\n\n  b\n\nc\n"),
        (">\n  a\n  \tb\n  c\n", "a\n\tb\nc\n"),
        (">\n\n\n  a\n  b\n", "\n\na b\n"),
        (">\n  a   \n  b\n", "a    b\n"),
        ("|\n  a\n     \n  b\n", "a\n   \nb\n"),
        ("|\n  # not a comment\n", "# not a comment\n"),
        ("|\n\n", ""),
        ("|+\n\n\n", "\n\n"),
        ("", ""),
        ('""', ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_style_reads_as_the_loader_reads_it(written: str, text: str, line_end: str) -> None:
    document = f"# é\nk: {written}".replace("\n", line_end)
    scalar = value(document)
    assert scalar.text == text == (load(document)["k"] or "")
    assert all(segment.kind is not Kind.SUBSTITUTED for segment in scalar.fragment.segments)
    check_segments(scalar)


_LINES = st.lists(
    st.sampled_from(["a", "b c", "  ", " ", "", "\t", "d ", " e", "# f", "- g", "h: i", "🙂", "\tj"]), max_size=8
)
_HEADERS = st.tuples(
    st.sampled_from("|>"), st.sampled_from(["", "-", "+", "2", "2-", "+1"]), st.sampled_from(["", " # c"])
)
_EDGES = st.sampled_from(["", "z: 1\n", "# after\nz: 1\n"])


@given(
    lines=_LINES,
    header=_HEADERS,
    indent=st.sampled_from([1, 2, 3]),
    line_end=st.sampled_from(["\n", "\r\n"]),
    last=_EDGES,
)
def test_block_scalars_agree_with_the_loader(
    lines: list[str], header: tuple[str, str, str], indent: int, line_end: str, last: str
) -> None:
    body = "".join(" " * indent + line + "\n" for line in lines)
    document = f"y: 1\nk: {''.join(header)}\n{body}{last}".replace("\n", line_end)
    try:
        expected = load(document)["k"]
    except yaml.YAMLError:
        return
    scalar = value(document)
    assert scalar.text == expected
    assert all(segment.kind is not Kind.SUBSTITUTED for segment in scalar.fragment.segments)
    check_segments(scalar)


_PARTS = ("a", " ", "  ", "\n", "\n  ", "''", '\\"', "\\\\", "\\\n", "\\n", "\\x41", "🙂", "#", ":", "\t")


@given(
    parts=st.lists(st.sampled_from(_PARTS), max_size=10),
    quote=st.sampled_from(["'", '"', ""]),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
def test_flow_scalars_agree_with_the_loader(parts: list[str], quote: str, line_end: str) -> None:
    document = f"k: {quote}{''.join(parts)}{quote}\n".replace("\n", line_end)
    try:
        loaded = load(document)
    except yaml.YAMLError:
        return
    if not isinstance(loaded, dict) or not isinstance(loaded.get("k"), str):
        return
    scalar = value(document)
    assert scalar.text == loaded["k"]
    check_segments(scalar)


@given(
    text=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40),
    style=st.sampled_from(["'", '"', "|", ">", None]),
)
def test_what_the_library_writes_reads_back(text: str, style: str | None) -> None:
    document = yaml.dump({"k": [text]}, default_style=style, allow_unicode=True)
    root = read(document)
    assert isinstance(root, Entries)
    items = root.get("k")
    assert isinstance(items, Items)
    (item,) = items.items
    assert isinstance(item, Scalar)
    assert item.text == load(document)["k"][0]
    check_segments(item)


@pytest.mark.parametrize(
    "before, line, column",
    [("", 1, 4), ("\ufeff", 1, 5), ("x: 🙂🙂\n", 2, 4), ("x: 1\r\n", 2, 4), ("# a\n\n", 3, 4), ("- 1\n---\n", 3, 4)],
)
def test_spans_count_code_points(before: str, line: int, column: int) -> None:
    source = Source("x.yaml", f"{before}k: value\n")
    root = documents(Fragment.of(source))[-1].root
    assert isinstance(root, Entries)
    found = root.get("k")
    assert isinstance(found, Scalar)
    assert source.position(found.fragment.locate(0, 5)[0].start) == (line, column)
    assert found.text == "value"
