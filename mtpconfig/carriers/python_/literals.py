"""Strings, numbers, `True`, `False` and `None` as they are written."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from mtpconfig.carriers.python_.codecs import REFUSED, VALUE, string
from mtpconfig.carriers.python_.strings import pieces_of
from mtpconfig.carriers.python_.tree import Tree
from mtpconfig.carriers.python_.values import Text, TextKind, opaque
from mtpconfig.carriers.shell.runs import Run
from mtpconfig.text import Kind, Span

_SURROGATE = re.compile(r"[\ud800-\udfff]")


def constant(tree: Tree, node: ast.Constant) -> Text | None:
    """A literal; None for bytes and for text with lone surrogates, which no word can hold."""
    span, value = tree.span(node), node.value
    if isinstance(value, str):
        return _string(tree, node, value, span)
    if isinstance(value, (bool, int, float)) or value is None:
        kind: TextKind = "constant" if isinstance(value, bool) or value is None else "number"
        return Text((Run(tree.layer.text[slice(*span)], span, Kind.COPY, VALUE),), kind, span, value)
    return None


def _string(tree: Tree, node: ast.Constant, value: str, span: Span) -> Text | None:
    if _SURROGATE.search(value):
        return None
    pieces = pieces_of(tree.layer.text, span, node)
    if pieces is None:
        return Text((Run(value, span, Kind.SUBSTITUTED, REFUSED),), "str", span)
    runs = [Run(p.text, p.origin, p.kind, p.codec) for p in pieces if p.codec is not None]
    return Text(tuple(runs) or _empty(tree, span), "str", span)


def _empty(tree: Tree, span: Span) -> tuple[Run, ...]:
    """Nothing between quotes, which can be filled where these are plain."""
    written = tree.layer.text[slice(*span)]
    if written in ('""', "''"):
        return (Run("", Span(span.start + 1, span.start + 1), Kind.COPY, string(written[0])),)
    return (Run("", span, Kind.SUBSTITUTED, REFUSED),)


def formatted(tree: Tree, node: ast.JoinedStr, fill: Callable[[ast.expr], tuple[Run, ...] | None]) -> Text | None:
    """An f-string; `fill` says what a hole without format holds. None where its parts cannot be told for sure."""
    span = tree.span(node)
    pieces = pieces_of(tree.layer.text, span, node)
    if pieces is None:
        return None
    holes = iter([part for part in node.values if isinstance(part, ast.FormattedValue)])
    runs: list[Run] = []
    for piece in pieces:
        if piece.codec is not None:
            runs.append(Run(piece.text, piece.origin, piece.kind, piece.codec))
            continue
        hole = next(holes)
        plain = hole.format_spec is None and hole.conversion in (-1, ord("s"))
        found = fill(hole.value) if plain else None
        runs += found if found is not None else opaque(piece.text, piece.origin).runs
    return Text(tuple(runs) or _empty(tree, span), "str", span)
