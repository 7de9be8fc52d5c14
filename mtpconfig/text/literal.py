"""Python's literals as a layer, as `ast.literal_eval` reads them: dicts, lists, strings, numbers, True, False, None.

Only the parser is used; nothing is evaluated.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence

from mtpconfig.text.fragment import Builder, Codec, Fragment, Kind
from mtpconfig.text.source import Span
from mtpconfig.text.structured import (
    DEEPEST,
    Entry,
    Fault,
    Node,
    Structured,
    dumps,
    masked,
    string_of,
)

MOST_CHARACTERS = 20_000


class _Quoted:
    """Inside a string in single or double quotes."""

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def encode(self, text: str) -> str | None:
        return text if text.isprintable() and self._mark not in text and "\\" not in text else None


class _Bare:
    """In the place of a number or a constant."""

    def encode(self, text: str) -> str | None:
        return repr(text) if not text.replace(".", "").isdigit() and text not in ("True", "False", "None") else text


_CODECS: dict[str, Codec] = {mark: _Quoted(mark) for mark in ("'", '"')}
_BARE: Codec = _Bare()


def read_literal(fragment: Fragment, holes: Sequence[tuple[int, int]] = ()) -> Structured:
    """Open a text as a Python literal; nothing is raised."""
    text = masked(fragment.text, holes)
    if len(text) > MOST_CHARACTERS:
        return Structured(None, unknown=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes are the text's own affair
            tree = ast.parse(text.strip(" \t"), mode="eval")
        lead = len(text) - len(text.lstrip(" \t"))
        return Structured(_Reader(fragment, text, lead).node(tree.body, 0))
    except (SyntaxError, ValueError) as error:
        if holes:
            return Structured(None, unknown=True)
        return Structured(None, Fault(getattr(error, "msg", None) or str(error), 0))
    except (RecursionError, MemoryError):
        return Structured(None, unknown=True)


class _Reader:
    """Makes nodes of a syntax tree. Raises ValueError for what is no literal."""

    def __init__(self, layer: Fragment, text: str, lead: int) -> None:
        self._layer = layer
        self._text = text
        self._lines = [lead]
        for line in text[lead:].splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def node(self, tree: ast.expr, depth: int) -> Node:
        """One value."""
        if depth > DEEPEST:
            raise RecursionError
        span = Span(self._at(tree.lineno, tree.col_offset), self._at(tree.end_lineno or 1, tree.end_col_offset or 0))
        match tree:
            case ast.Dict(keys, values) if all(key is not None for key in keys):
                pairs = [(key, value) for key, value in zip(keys, values) if key is not None]
                entries = tuple(Entry(self.node(key, depth), self.node(value, depth + 1)) for key, value in pairs)
                made = Node("object", self._bare(span), span, self._written(span), entries=entries)
            case ast.List(elts) | ast.Tuple(elts):
                items = tuple(self.node(each, depth + 1) for each in elts)
                made = Node("list", self._bare(span), span, self._written(span), items=items)
            case ast.Constant(str() as value):
                fragment = self._string(span, value)
                return Node("string", fragment, span, fragment.text)
            case ast.Constant(bool() | None as value):
                return Node("constant", self._bare(span), span, dumps(value))
            case ast.Constant(int() | float()):
                return Node("number", self._bare(span), span, self._text[slice(*span)])
            case ast.UnaryOp(ast.USub() | ast.UAdd(), ast.Constant(int() | float())):
                return Node("number", self._bare(span), span, self._text[slice(*span)])
            case _:
                raise ValueError("malformed node or string")
        return made

    def _at(self, line: int, column: int) -> int:
        """The offset of a place that is given in bytes of its line."""
        start = self._lines[line - 1]
        return start + len(self._text[start : start + column].encode()[:column].decode("utf-8", "ignore"))

    def _written(self, span: Span) -> str:
        return self._layer.text[slice(*span)]

    def _bare(self, span: Span) -> Fragment:
        builder = Builder(self._layer)
        builder.add(self._layer.text[slice(*span)], span, Kind.COPY, _BARE)
        return builder.build()

    def _string(self, span: Span, value: str) -> Fragment:
        written = self._layer.text[slice(*span)]
        codec = _CODECS.get(written[:1])
        inside = Span(span.start + 1, span.end - 1)
        if codec is not None and self._text[slice(*inside)] == value and not written.startswith(written[0] * 3):
            return string_of(self._layer, span, [(written[1:-1], inside, Kind.COPY)] if value else [], codec)
        builder = Builder(self._layer)
        builder.add(value, span, Kind.SUBSTITUTED)
        return builder.build()
