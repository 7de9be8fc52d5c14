"""How Docker Compose splits a command that is one string: like a shell without one.

Quotes and backslashes are taken away, nothing is expanded, and `;`, `&`, `|`, `<` and `>` end the command. Unlike in a
shell, a backslash keeps whatever follows it, a line end too.
"""

from __future__ import annotations

import re

from msgspec import Struct, field

from mtpconfig.carriers.compose.interpolation import Interpolated
from mtpconfig.carriers.shell.codecs import BARE, DOUBLE, SINGLE
from mtpconfig.launch import ALWAYS, Guard, Word
from mtpconfig.text import Builder, Codec, Kind, Span

MOST_WORDS = 5000
_MOST_CHARACTERS = 50_000
_BLANK = re.compile(r"[ \t\r\n]+")
_ENDS = ";&|<>()`"
_RUN = re.compile(r"[^\s\\'\"`();&|<>$]+")


class Split(Struct):
    """The words of a command string.

    fault     why there may be more
    accepted  whether Compose takes the string: it refuses one that ends within quotes
    """

    words: list[Word] = field(default_factory=list)
    fault: str = ""
    accepted: bool = True


def split(command: Interpolated, guard: Guard = ALWAYS) -> Split:
    """The words of an interpolated string; their sites count in the text before interpolation.

    A word that is nothing but an unknown variable may be several.
    """
    found = Split()
    text, at = command.text, 0
    while len(found.words) < MOST_WORDS and at < _MOST_CHARACTERS:
        blank = _BLANK.match(text, at)
        after = blank.end() if blank else at
        if not found.fault and (gone := command.nothing(at, after)) and _alone(text, gone.span.start):
            found.fault = f"${gone.variable}"
        at = after
        if at >= len(text) or (text[at] in _ENDS and command.placeholder(at) is None):
            return found
        word = _Word(command, at, guard)
        at = word.read()
        found.words.append(word.build(at))
        found.fault, found.accepted = found.fault or word.fault, not word.fault
    found.fault = "more words than are read"
    return found


def _alone(text: str, at: int) -> bool:
    """Whether an offset has blanks on both sides."""
    return not text[max(at - 1, 0) : at].strip() and not text[at : at + 1].strip()


class _Word:
    """One word as it is read."""

    def __init__(self, command: Interpolated, start: int, guard: Guard) -> None:
        self._command = command
        self._text = command.text
        self._start = start
        self._guard = guard
        self._builder = Builder(command.fragment)
        self._many = ""
        self.fault = ""

    def read(self) -> int:
        """Read to the end of the word; where that is."""
        at, size = self._start, len(self._text)
        while at < min(size, _MOST_CHARACTERS) and self._text[at] not in " \t\r\n":
            if mark := self._command.placeholder(at):
                if at == self._start and (mark.span.end >= size or self._text[mark.span.end] in " \t\r\n"):
                    self._many = mark.why
                at = self._copy(at, mark.span.end, BARE)
            elif self._text[at] == "'":
                at = self._single(at + 1)
            elif self._text[at] == '"':
                at = self._double(at + 1)
            elif self._text[at] == "\\":
                at = self._escape(at, BARE)
            elif self._text[at] in _ENDS:
                break
            else:
                run = _RUN.match(self._text, at)
                at = self._copy(at, self._before_placeholder(at, run.end() if run else at + 1), BARE)
        return at

    def build(self, end: int) -> Word:
        """The word that was read."""
        site = self._command.written(self._start, end)
        return self._command.word(self._builder.build(), self._start, end, self._guard, site, many=bool(self._many))

    def _copy(self, start: int, end: int, codec: Codec) -> int:
        self._builder.add(self._text[start:end], Span(start, end), Kind.COPY, codec)
        return end

    def _before_placeholder(self, start: int, end: int) -> int:
        """Where a run of characters meets a placeholder: one may begin inside of it, with a brace."""
        for at in (match.start() for match in re.compile(r"\{[{%]").finditer(self._text, start + 1, end)):
            if self._command.placeholder(at):
                return at
        return end

    def _escape(self, at: int, codec: Codec) -> int:
        if at + 1 >= len(self._text):
            self.fault = "a backslash at the end"
            return at + 1
        self._builder.add(self._text[at + 1], Span(at, at + 2), Kind.ESCAPE, codec)
        return at + 2

    def _single(self, at: int) -> int:
        closing = self._text.find("'", at)
        if closing < 0:
            self.fault = "a quote that is not closed"
            closing = len(self._text)
        self._copy(at, closing, SINGLE)
        return min(closing + 1, len(self._text))

    def _double(self, at: int) -> int:
        size = len(self._text)
        start = at
        while at < min(size, _MOST_CHARACTERS) and self._text[at] != '"':
            if mark := self._command.placeholder(at):
                at = mark.span.end
            elif self._text[at] == "\\":
                if start < at:
                    self._copy(start, at, DOUBLE)
                at = start = self._escape(at, DOUBLE)
            else:
                at += 1
        self._copy(start, min(at, size), DOUBLE)
        if at >= size:
            self.fault = "a quote that is not closed"
        return min(at + 1, size)
