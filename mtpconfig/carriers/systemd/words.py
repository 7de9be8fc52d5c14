"""Words of a unit file's value: quotes, C-style escapes, templates.

After systemd.syntax(7), QUOTING; where the manual promises less than systemd does (quotes inside of words, unknown
escapes), what systemd does is followed.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carriers.shell.runs import Run, cut
from mtpconfig.carriers.systemd.codecs import BARE, codec_for, field_of
from mtpconfig.text import Kind, Span

MOST_WORDS = 5000
"""Words read of one value."""

_BLANK = " \t\r\n"
_TEMPLATE = r"\{\{[^{}]{1,200}\}\}|\{%[^%]{1,200}%\}"
_TOKEN = re.compile(
    rf"(?P<blank>[ \t\r\n]+)|(?P<template>{_TEMPLATE})|(?P<quote>[\"'])"
    r"|(?P<escape>\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-7]{3}|.))"
    rf"|(?:[^ \t\r\n\"'\\{{]|(?!{_TEMPLATE})\{{)+|\\",
    re.DOTALL,
)
_LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "s": " "}


class Runs:
    """Runs of text that parts are cut out of."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        self._starts: list[int] = []
        size = 0
        for run in runs:
            self._starts.append(size)
            size += len(run.text)
        self.text = "".join(run.text for run in runs)

    def cut(self, start: int, end: int) -> tuple[Run, ...]:
        """The runs of `text[start:end]`; an empty one keeps its place."""
        if not self._runs:
            return ()
        first = max(bisect.bisect_right(self._starts, start) - 1, 0)
        last = max(bisect.bisect_left(self._starts, end), first + 1)
        if start == end:
            first = max(first - 1, 0)
        shift = self._starts[first]
        return cut(self._runs[first:last], start - shift, end - shift)

    def span(self, start: int, end: int) -> Span | None:
        """The place of `text[start:end]` in the layer that the runs stand on, if all of it has one."""
        spans = [run.origin for run in self.cut(start, end)]
        found = [span for span in spans if span is not None]
        return Span(found[0].start, found[-1].end) if found and len(found) == len(spans) else None


class RawWord(Struct, frozen=True):
    """One unquoted word.

    site    its place in the unit, quotes included
    bare    it has neither quotes nor escapes
    closed  its quotes are
    """

    runs: tuple[Run, ...]
    site: Span | None
    bare: bool
    closed: bool = True

    @property
    def text(self) -> str:
        """The word's text."""
        return "".join(run.text for run in self.runs)


def split(runs: Sequence[Run], *, variables: bool) -> Iterator[RawWord]:
    """The words of a value in which `$` is special or not; a quote that is never closed holds the rest."""
    for parts, site, bare, closed in _words(runs):
        codecs = {mark: codec_for(mark, variables=variables) for mark in ("", '"', "'")}
        dressed = (
            replace(run, text=_unescaped(run.text), kind=Kind.ESCAPE, codec=codecs[mark])
            if escaped
            else replace(run, codec=codecs[mark])
            for run, mark, escaped in parts
        )
        yield RawWord(tuple(dressed), site, bare, closed)


def fields(runs: Sequence[Run]) -> Iterator[RawWord]:
    """The words of a variable's value: quotes go, a backslash only guards the next character."""
    for parts, site, bare, closed in _words(runs):
        kept = (
            replace(run, text=run.text[1:], kind=Kind.SUBSTITUTED)
            if escaped
            else replace(run, codec=field_of(run.codec), kind=run.kind if bare else Kind.SUBSTITUTED)
            for run, _, escaped in parts
        )
        yield RawWord(tuple(kept), site, bare, closed)


_Part = tuple[Run, str, bool]
"""A run as it is written, the quote that it stands in, and whether it is an escape."""


def _words(runs: Sequence[Run]) -> Iterator[tuple[list[_Part], Span | None, bool, bool]]:
    value = Runs(runs)
    text, position = value.text, 0
    for _ in range(MOST_WORDS):
        while position < len(text) and text[position] in _BLANK:
            position += 1
        if position >= len(text):
            return
        start, mark, bare = position, "", True
        parts: list[_Part] = []
        while position < len(text):
            token = _TOKEN.match(text, position)
            assert token is not None
            if token["blank"] and not mark:
                break
            end = token.end()
            if token["quote"] and mark in ("", token[0]):
                mark, bare = ("" if mark else token[0]), False
                parts += [(run, mark, False) for run in value.cut(end, end)] if mark else ()
            elif token["escape"] or token["template"]:
                bare = bare and not token["escape"]
                why = token["template"] or ""
                kind = Kind.SUBSTITUTED if why else Kind.ESCAPE
                run = Run(token[0], value.span(position, end), kind, BARE, why=why)
                parts.append((run, mark, bool(token["escape"])))
            else:
                parts += [(run, mark, False) for run in value.cut(position, end)]
            position = end
        yield [part for part in parts if part[0].text] or parts[:1], value.span(start, position), bare, not mark


def _unescaped(escape: str) -> str:
    """What an escape stands for; one that systemd does not know stands for itself."""
    letter, digits = escape[1:2], escape[2:]
    if letter in _LETTERS and not digits:
        return _LETTERS[letter]
    if letter in ("\\", '"', "'"):
        return letter
    if digits:
        code = int(digits, 16) if letter in "xuU" else int(escape[1:], 8)
        known = 0 < code <= (0xFF if letter not in "uU" else 0x10FFFF) and not 0xD800 <= code < 0xE000
        if known:
            return chr(code) if letter in "uU" or code < 0x80 else "\ufffd"
    return escape
