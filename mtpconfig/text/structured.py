"""Structured values inside a text: JSON objects and Python's dict literals, with the place of each key and value.

Opening a value is opening a layer: keys and strings come out as child fragments whose characters know where they were
written, and an edit of one of them is encoded as a string of the value's own syntax before it goes further out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from mtpconfig.text.edit import Edit
from mtpconfig.text.fragment import Builder, Codec, Fragment, Kind
from mtpconfig.text.source import Span

MOST_CHARACTERS = 100_000
DEEPEST = 40
"""Values nested deeper than this are not opened."""

Type = Literal["object", "list", "string", "number", "constant"]

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = frozenset(("true", "false", "null"))


class Fault(Struct, frozen=True):
    """Why a text is not valid, in the words of the parser, and at which character."""

    message: str
    offset: int


class Node(Struct, frozen=True, eq=False):
    """One value.

    fragment  a string's characters; of anything else, what is written
    span      where it stands in the text given, quotes and brackets included
    text      the value: a string's characters, a number or constant as JSON writes it, else what is written
    entries   of an object, in order; a key may be said twice, the last one counts
    items     of a list
    """

    type: Type
    fragment: Fragment
    span: Span
    text: str
    entries: tuple[Entry, ...] = ()
    items: tuple[Node, ...] = ()


class Entry(Struct, frozen=True, eq=False):
    """One entry of an object."""

    key: Node
    value: Node


class Structured(Struct, frozen=True, eq=False):
    """A text that was opened.

    root     the value; None where it is not valid, or where a placeholder stands for more than a value
    fault    why it is not valid
    unknown  whether nothing can be said, as placeholders stand in its structure
    """

    root: Node | None
    fault: Fault | None = None
    unknown: bool = False


def dumps(value: object) -> str:
    """A value as JSON, in Python's own layout."""
    return json.dumps(value, ensure_ascii=False)


def is_object(text: str) -> bool:
    """Whether a text is JSON of an object."""
    if not text.lstrip().startswith("{") or len(text) > MOST_CHARACTERS:
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


class JsonString:
    """Inside a JSON string."""

    def encode(self, text: str) -> str | None:
        return None if any(0xD800 <= ord(c) <= 0xDFFF for c in text) else dumps(text)[1:-1]


class JsonBare:
    """In the place of a JSON number or constant: what is neither becomes a string."""

    def encode(self, text: str) -> str | None:
        bare = text in _WORDS or _NUMBER.fullmatch(text) is not None
        return text if bare else dumps(text)


STRING: Codec = JsonString()
BARE: Codec = JsonBare()


def masked(text: str, holes: Sequence[tuple[int, int]]) -> str:
    """The text with its placeholders as digits, which are right as a number and inside a string."""
    parts: list[str] = []
    cursor = 0
    for start, end in holes:
        parts += (text[cursor:start], "1" * (end - start))
        cursor = max(cursor, end)
    return "".join((*parts, text[cursor:]))


class Place:
    """Where an entry stands in its object: `mtpconfig.launch.Member`, for JSON and for Python's literals."""

    def __init__(self, layer: Fragment, holder: Node, index: int) -> None:
        self._layer, self._holder, self._index = layer, holder, index

    def remove(self) -> tuple[Edit, ...] | None:
        """Take the entry out, with the comma that it needed; None for the only one."""
        entries, index = self._holder.entries, self._index
        if len(entries) < 2:
            return None
        if index + 1 < len(entries):
            span = Span(entries[index].key.span.start, entries[index + 1].key.span.start)
        else:
            span = Span(entries[index - 1].value.span.end, entries[index].value.span.end)
        edit = self._layer.replace(span.start, span.end, "")
        return (edit,) if edit is not None else None

    def insert(self, name: str, value: str) -> Edit | None:
        """Put another entry right behind this one, in the layout that the object has."""
        own = self._holder.entries[self._index]
        between = self._layer.text[own.key.span.end : own.value.span.start]
        blank = " " if between.endswith((" ", "\n")) else ""
        return self._layer.replace(own.value.span.end, own.value.span.end, f",{blank}{dumps(name)}:{blank}{value}")


def members(layer: Fragment, node: Node) -> Iterator[tuple[Entry, Place]]:
    """The entries of an object, each with its place."""
    for index, entry in enumerate(node.entries):
        yield entry, Place(layer, node, index)


def canonical(node: Node) -> str:
    """A whole value as JSON, in one layout."""
    match node.type:
        case "object":
            return "{" + ", ".join(f"{dumps(e.key.text)}: {canonical(e.value)}" for e in node.entries) + "}"
        case "list":
            return "[" + ", ".join(map(canonical, node.items)) + "]"
        case "string":
            return dumps(node.text)
        case _:
            return node.text


def string_of(layer: Fragment, span: Span, pieces: Sequence[tuple[str, Span, Kind]], codec: Codec) -> Fragment:
    """A string's characters as a child layer; an empty one stands between its quotes."""
    builder = Builder(layer)
    for text, origin, kind in pieces or [("", Span(span.start + 1, span.start + 1), Kind.COPY)]:
        builder.add(text, origin, kind, codec)
    return builder.build()
