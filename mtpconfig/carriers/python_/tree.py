"""The syntax tree of a text, with places in code points; the text is parsed and nothing of it is run."""

from __future__ import annotations

import ast
import itertools
import re
import warnings
from bisect import bisect_right
from functools import cached_property

from mtpconfig.text import Fragment, Span

MOST = 1_500_000
"""Code points of a text that is parsed."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_STATEMENT = re.compile(r"^[^\s#)\]}\"']", re.MULTILINE)
_TRIES = 6


class Tree:
    """A module's statements and where its nodes stand.

    fault  where reading ended, and why; None where all was read
    """

    def __init__(self, layer: Fragment) -> None:
        self.layer = layer
        self.fault: tuple[int, str] | None = None
        self._start = int(layer.text.startswith("\ufeff"))
        self._lines = [self._start, *(match.end() for match in _LINE_END.finditer(layer.text))]
        self._widths: dict[int, list[int] | None] = {}
        self.module = self._parsed(layer.text[self._start :])

    def _parsed(self, text: str) -> ast.Module:
        """The module; where the text is none, the statements in front of the fault."""
        if len(text) > MOST:
            self.fault = self._start, f"it is longer than {MOST:,} characters"
            return ast.Module([], [])
        module, line, why = _parse(text)
        if module is not None:
            return module
        at = self._lines[min(max(line - 1, 0), len(self._lines) - 1)]
        self.fault = at, why
        end = at - self._start
        heads = [*(match.start() for match in _STATEMENT.finditer(text, 0, end)), end]
        for head in heads[: -_TRIES - 1 : -1]:
            module, _, _ = _parse(text[:head])
            if module is not None:
                self.fault = head + self._start, why
                return module
        self.fault = self._start, why
        return ast.Module([], [])

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> Span:
        """Where a node stands in the layer's text."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(self._offset(node.lineno, node.col_offset), self._offset(end_line, end_column))

    def text(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        """A node as it is written."""
        return self.layer.text[slice(*self.span(node))]

    def _offset(self, line: int, column: int) -> int:
        """The code point of a column, which the tree counts in bytes of UTF-8."""
        start = self._lines[line - 1]
        widths = self._widths_of(line)
        return start + (column if widths is None else bisect_right(widths, column) - 1)

    def _widths_of(self, line: int) -> list[int] | None:
        """The byte at which each character of a line begins; None where all are ASCII."""
        if line not in self._widths:
            end = self._lines[line] if line < len(self._lines) else len(self.layer.text)
            text = self.layer.text[self._lines[line - 1] : end]
            sizes = (len(character.encode("utf-8", "surrogatepass")) for character in text)
            self._widths[line] = None if text.isascii() else [*itertools.accumulate(sizes, initial=0)]
        return self._widths[line]

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes."""
        return list(ast.walk(self.module))


def _parse(text: str) -> tuple[ast.Module | None, int, str]:
    """The module, or the line of the fault and what is wrong."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text), 0, ""
    except SyntaxError as error:
        return None, error.lineno or 1, f"it is no Python from here on ({error.msg})"
    except (ValueError, RecursionError, MemoryError):
        return None, 1, "it is too deeply nested, or no text"
