"""JSON as a layer. The standard library says whether a text is valid; the grammar library says where things stand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

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
    Type,
    canonical,
    masked,
    string_of,
)

if TYPE_CHECKING:
    from tree_sitter import Language
    from tree_sitter import Node as Syntax

_NOT_ASCII = re.compile(r"[^\x01-\x7f]")
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL)
_TYPES: dict[str, Type] = {"object": "object", "array": "list", "string": "string", "number": "number"}


@cache
def _language() -> Language:
    import tree_sitter_json
    from tree_sitter import Language

    return Language(tree_sitter_json.language())


def read_json(fragment: Fragment, holes: Sequence[tuple[int, int]] = ()) -> Structured:
    """Open a text as JSON; `holes` are the ranges of placeholders, whose text nobody knows.

    Nothing is raised: what is not valid comes with its fault.
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
    return Structured(None, unknown=True) if stands_for_all else Structured(root)


class _Reader:
    """Makes nodes of the tree of a valid text."""

    def __init__(self, layer: Fragment, text: str) -> None:
        self._layer = layer
        self._text = text

    def root(self) -> Node | None:
        """The value of the whole text."""
        from tree_sitter import Parser

        tree = Parser(_language()).parse(_NOT_ASCII.sub("x", self._text).encode("ascii"))
        value = next(iter(tree.root_node.named_children), None)
        return self._node(value, 0) if value is not None else None

    def _node(self, node: Syntax, depth: int) -> Node:
        span = Span(node.start_byte, node.end_byte)
        type_ = _TYPES.get(node.type, "constant")
        if type_ == "string":
            return self._string(span)
        bare = Builder(self._layer)
        bare.add(self._layer.text[slice(*span)], span, Kind.COPY, BARE)
        children = node.named_children if depth < DEEPEST else []
        if type_ == "object":
            pairs = [child.named_children for child in children if child.type == "pair"]
            entries = tuple(Entry(self._node(p[0], depth), self._node(p[1], depth + 1)) for p in pairs if len(p) == 2)
            made = Node(type_, bare.build(), span, "", entries=entries)
        else:
            items = tuple(self._node(child, depth + 1) for child in children) if type_ == "list" else ()
            made = Node(type_, bare.build(), span, self._text[slice(*span)], items=items)
        return (
            made
            if type_ in ("number", "constant")
            else Node(type_, made.fragment, span, canonical(made), made.entries, made.items)
        )

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
