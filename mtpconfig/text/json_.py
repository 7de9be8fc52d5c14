"""JSON as a layer: the standard library says whether a text is valid; then its tokens tell where everything stands.

`tree-sitter-json` was tried for the places: it takes `1e+16` for `1` and an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from mtpconfig.text.fragment import Builder, Fragment, Kind
from mtpconfig.text.source import Span
from mtpconfig.text.structured import (
    BARE,
    DEEPEST,
    MOST_CHARACTERS,
    STRING,
    Entry,
    Fault,
    Node,
    Structured,
    masked,
    string_of,
)

_TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*")|(?P<constant>true|false|null|NaN|-?Infinity)|(?P<number>[-+.0-9eE]+)|[{}\[\]]'
)
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)


def read_json(fragment: Fragment, holes: Sequence[tuple[int, int]] = ()) -> Structured:
    """Open a text as JSON; `holes` are the ranges of placeholders, whose text nobody knows.

    Nothing is raised: what is not valid comes with its fault. What is nested too deeply is not opened.
    """
    if len(fragment.text) > MOST_CHARACTERS:
        return Structured(None, unknown=True)
    text = masked(fragment.text, holes)
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        if holes:
            return Structured(None, unknown=True)
        return Structured(None, Fault(error.msg, min(error.pos, len(text))))
    except (ValueError, RecursionError):
        return Structured(None, unknown=True)
    root = _Reader(fragment, text).root()
    stands_for_all = root is not None and any(a <= root.span.start and root.span.end <= b for a, b in holes)
    return Structured(None, unknown=True) if root is None or stands_for_all else Structured(root)


class _Open(Struct):
    """An object or a list whose end has not come yet; of an object, keys and values take turns."""

    start: int
    nodes: list[Node] = field(default_factory=list)


class _Reader:
    """Makes nodes of the tokens of a valid text."""

    def __init__(self, layer: Fragment, text: str) -> None:
        self._layer = layer
        self._text = text

    def root(self) -> Node | None:
        """The value of the whole text; None where it is nested too deeply."""
        stack = [_Open(0)]
        for token in _TOKEN.finditer(self._text):
            span = Span(*token.span())
            if token[0] in ("{", "["):
                stack.append(_Open(span.start))
                if len(stack) > DEEPEST:
                    return None
            elif token[0] in ("}", "]"):
                closed = stack.pop()
                stack[-1].nodes.append(self._container(Span(closed.start, span.end), closed.nodes))
            elif token["string"] is not None:
                stack[-1].nodes.append(self._string(span))
            else:
                kind = Node("constant" if token["constant"] else "number", self._bare(span), span, token[0])
                stack[-1].nodes.append(kind)
        return stack[0].nodes[0]

    def _container(self, span: Span, nodes: list[Node]) -> Node:
        written, fragment = self._layer.text[slice(*span)], self._bare(span)
        if written.startswith("["):
            return Node("list", fragment, span, written, items=tuple(nodes))
        entries = tuple(Entry(key, value) for key, value in zip(nodes[::2], nodes[1::2]))
        return Node("object", fragment, span, written, entries=entries)

    def _bare(self, span: Span) -> Fragment:
        builder = Builder(self._layer)
        builder.add(self._layer.text[slice(*span)], span, Kind.COPY, BARE)
        return builder.build()

    def _string(self, span: Span) -> Node:
        pieces = list(self._pieces(Span(span.start + 1, span.end - 1)))
        fragment = string_of(self._layer, span, pieces, STRING)
        return Node("string", fragment, span, fragment.text)

    def _pieces(self, inside: Span) -> Iterator[tuple[str, Span, Kind]]:
        cursor = inside.start
        for match in _ESCAPE.finditer(self._text, *inside):
            if cursor < match.start():
                yield self._copied(cursor, match.start())
            cursor = match.end()
            yield json.loads(f'"{match[0]}"'), Span(*match.span()), Kind.ESCAPE
        if cursor < inside.end:
            yield self._copied(cursor, inside.end)

    def _copied(self, start: int, end: int) -> tuple[str, Span, Kind]:
        return self._layer.text[start:end], Span(start, end), Kind.COPY
