"""String literals: each character that a program sees, with the place where it is written.

The syntax tree gives a literal's value and not its inside, so the inside is scanned here; where the scan and the tree
do not agree, the tree is right and nothing is edited.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator

from msgspec import Struct

from mtpconfig.carriers.python_.codecs import string
from mtpconfig.text import Codec, Kind, Span

_OPENING = re.compile(r"(?P<prefix>[A-Za-z]{0,2})(?P<quote>\"\"\"|'''|\"|')")
_BETWEEN = re.compile(r"(?:[ \t\f\r\n]|\\\r?\n|#[^\r\n]*)*")
_ESCAPE = re.compile(r"\\(?:\r\n|[\r\n]|N\{[^}]*\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-7]{1,3}|[\s\S])")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "'": "'", '"': '"'}
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


class Piece(Struct, frozen=True):
    """A part of a literal's text; a hole of an f-string has no codec, and the text is what stands there."""

    text: str
    origin: Span
    kind: Kind
    codec: Codec | None


def pieces_of(source: str, span: Span, node: ast.Constant | ast.JoinedStr) -> list[Piece] | None:
    """The pieces of a literal, neighbouring literals included; None where they cannot be told for sure."""
    found: list[Piece] = []
    at = span.start
    while at < span.end:
        opening = _OPENING.match(source, at, span.end)
        if opening is None:
            return None
        prefix = opening["prefix"].lower()
        if set(prefix) - {"r", "f", "u"}:
            return None
        scan = _Scan(source, opening.end(), span.end, opening["quote"], "r" in prefix, "f" in prefix)
        found += scan.pieces()
        if not scan.closed:
            return None
        gap = _BETWEEN.match(source, scan.at, span.end)
        at = gap.end() if gap else scan.at
    return found if _agree(found, node) else None


def _agree(pieces: list[Piece], node: ast.Constant | ast.JoinedStr) -> bool:
    """Whether the pieces say what the tree says, with as many holes."""
    if isinstance(node, ast.Constant):
        return all(piece.codec for piece in pieces) and "".join(piece.text for piece in pieces) == node.value
    fixed = [str(part.value) if isinstance(part, ast.Constant) else None for part in node.values]
    return _merged(fixed) == _merged([piece.text if piece.codec else None for piece in pieces])


def _merged(parts: list[str | None]) -> list[str | None]:
    """Texts with their neighbours, holes (None) apart."""
    merged: list[str | None] = []
    for part in parts:
        if part is not None and merged and merged[-1] is not None:
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return merged


class _Scan:
    """The inside of one literal."""

    def __init__(self, source: str, start: int, limit: int, quote: str, raw: bool, formatted: bool) -> None:
        self._source, self._limit, self._quote = source, limit, quote
        self._raw, self._formatted = raw, formatted
        self._codec = string(quote, raw, formatted, "\r\n" if "\r\n" in source[start:limit] else "\n")
        self.at = start
        self.closed = False

    def pieces(self) -> Iterator[Piece]:
        """The pieces up to the closing quote."""
        stop = re.compile(re.escape(self._quote) + r"|\\|\r\n?" + ("|[{}]" if self._formatted else ""))
        while (match := stop.search(self._source, self.at, self._limit)) is not None:
            if match.start() > self.at:
                yield self._piece(self._source[self.at : match.start()], self.at, match.start(), Kind.COPY)
            self.at = match.start()
            mark = match[0]
            if mark == self._quote:
                self.at, self.closed = match.end(), True
                return
            if mark == "\\":
                yield from self._escape()
            elif mark[0] == "\r":
                yield self._piece("\n", self.at, match.end(), Kind.ESCAPE)
                self.at = match.end()
            elif self._source[self.at : self.at + 2] == mark * 2:
                yield self._piece(mark, self.at, self.at + 2, Kind.ESCAPE)
                self.at += 2
            else:
                end = self._hole_end()
                yield Piece(self._source[self.at : end], Span(self.at, end), Kind.SUBSTITUTED, None)
                self.at = end

    def _piece(self, text: str, start: int, end: int, kind: Kind) -> Piece:
        return Piece(text, Span(start, end), kind, self._codec)

    def _escape(self) -> Iterator[Piece]:
        """What stands at a backslash."""
        if self._raw:
            end = min(self.at + 2, self._limit)  # a quote behind it closes nothing
            if self._source[self.at + 1 : self.at + 2] in "\r{}":
                end = self.at + 1
            yield self._piece(self._source[self.at : end], self.at, end, Kind.COPY)
            self.at = end
            return
        match = _ESCAPE.match(self._source, self.at, self._limit)
        if match is None:
            self.at = self._limit
            return
        text = _decoded(match[0])
        end = match.end()
        if self._formatted and match[0] in ("\\{", "\\}"):
            text, end = "\\", self.at + 1
        yield self._piece(text, self.at, end, Kind.ESCAPE if text else Kind.FOLD)
        self.at = end

    def _hole_end(self) -> int:
        """Where the braces that open here close; quotes inside hide brackets."""
        depth, at = 0, self.at
        while at < self._limit:
            character = self._source[at]
            if character in "\"'" and (opening := _OPENING.match(self._source, at, self._limit)):
                close = self._source.find(opening["quote"], opening.end(), self._limit)
                at = close + len(opening["quote"]) if close >= 0 else self._limit
                continue
            depth += _BRACKETS.get(character, 0)
            at += 1
            if depth == 0:
                return at
        return at


def _decoded(escape: str) -> str:
    """The text that a backslash sequence stands for (Python's reference, section "String and Bytes literals")."""
    mark = escape[1]
    if mark in "\r\n":
        return ""
    if mark in _LETTERS:
        return _LETTERS[mark]
    try:
        if mark == "N" and len(escape) > 3:
            return unicodedata.lookup(escape[3:-1])
        if mark in "xuU" and len(escape) > 2:
            return chr(int(escape[2:], 16))
        return chr(int(escape[1:], 8)) if mark in "01234567" else escape
    except (KeyError, ValueError):
        return escape
