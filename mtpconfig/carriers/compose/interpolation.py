"""Docker Compose's interpolation, a layer of its own: `$$`, `$X`, `${X}`, `${X:-d}`, `${X:?message}`, `${X:+text}`.

It is applied to YAML strings before anything splits them into words, and to the values of `.env` files.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.launch import Default, Guard, Known, Opaque, Value, Word
from mtpconfig.text import Builder, Codec, Fragment, Kind, Segment, Span

Lookup = Callable[[str], str | None]

MOST_CHARACTERS = 200_000
MOST_SUBSTITUTED = 20_000
"""Characters that the variables of one text may add to it; one that would add more is not known."""

_DEEPEST = 8
_TOKEN = re.compile(
    r"(?P<template>\{\{(?:(?!\{\{).){0,4000}?\}\}+|\{%(?:(?!\{%).){0,4000}?%\})"
    r"|\$(?:(?P<dollar>\$)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<brace>\{))",
    re.DOTALL,
)
_INSIDE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-?+])|$)")


class _Outside:
    """In the text itself: a dollar sign is doubled."""

    def encode(self, text: str) -> str | None:
        return text.replace("$", "$$")


class _Inside:
    """In a default: braces are counted, so none is added or taken."""

    def encode(self, text: str) -> str | None:
        return None if "{" in text or "}" in text else text.replace("$", "$$")


OUTSIDE: Codec = _Outside()
INSIDE: Codec = _Inside()


class Mark(Struct, frozen=True):
    """A stretch of text that is not certain: the default of a `variable`, or a placeholder with a `why`."""

    span: Span
    variable: str = ""
    why: str = ""


class Interpolated(Struct, frozen=True, eq=False):
    """Text after interpolation.

    marks        what of it depends on the outside, in order, without overlap
    expressions  each `${...}`: what it became, and where it is written in the text before
    """

    fragment: Fragment
    marks: tuple[Mark, ...]
    expressions: tuple[tuple[Span, Span], ...] = ()

    @property
    def text(self) -> str:
        """The text; what cannot be known stands in it as it was written."""
        return self.fragment.text

    def value(self, start: int, end: int) -> Value:
        """What is known of a part of the text."""
        touching = list(self._touching(start, end))
        if why := next((mark.why for mark in touching if mark.why), ""):
            return Opaque(why)
        text = self.text[start:end]
        variable = next((mark.variable for mark in touching), "")
        return Default(text, variable) if variable else Known(text)

    def word(
        self, shown: Fragment, start: int, end: int, guard: Guard, site: Span | None, *, many: bool = False
    ) -> Word:
        """A part of the text as a word; `shown` is its text, the part itself or a layer on top of the whole."""
        value = self.value(start, end)
        if isinstance(value, (Known, Default)):
            value = replace(value, text=shown.text)
        holes: list[tuple[int, int]] = []
        defaults: list[tuple[int, int, str]] = []
        for mark in self._touching(start, end):
            place = shown.showing(*mark.span) if shown is not self.fragment else mark.span
            if place is not None and mark.why:
                holes.append((place[0], place[1]))
            elif place is not None and place[0] < place[1]:
                defaults.append((place[0], place[1], mark.variable))
        return Word(shown, value, guard, site, many, tuple(holes), tuple(defaults))

    def placeholder(self, at: int) -> Mark | None:
        """The placeholder that begins at an offset."""
        place = bisect.bisect_right(self.marks, at, key=lambda mark: mark.span.start) - 1
        mark = self.marks[place] if place >= 0 else None
        return mark if mark is not None and mark.why and mark.span.start == at else None

    def nothing(self, start: int, end: int) -> Mark | None:
        """A default that is empty text, at an offset in `[start, end]`."""
        return next((mark for mark in self._touching(start, end) if mark.span.start == mark.span.end), None)

    def written(self, start: int, end: int) -> Span:
        """Where a part of the text, not empty, is written in the text before, with all of its expressions."""
        first = self._segment(start).parent_range(start, start + 1)
        last = self._segment(end - 1).parent_range(end - 1, end)
        assert first is not None and last is not None
        low, high = first.start, last.end
        place = max(bisect.bisect_left(self.expressions, start, key=lambda each: each[0].start) - 1, 0)
        for index in range(place, len(self.expressions)):
            became, whole = self.expressions[index]
            if became.start > end:
                break
            if (became.start < end and start < became.end) or start <= became.start == became.end:
                low, high = min(low, whole.start), max(high, whole.end)
        return Span(low, high)

    def _segment(self, at: int) -> Segment:
        """The segment of a character."""
        segments = self.fragment.segments
        return segments[bisect.bisect_right(segments, at, key=lambda segment: segment.start) - 1]

    def _touching(self, start: int, end: int) -> Iterator[Mark]:
        place = max(bisect.bisect_left(self.marks, start, key=lambda mark: mark.span.start) - 1, 0)
        for index in range(place, len(self.marks)):
            mark = self.marks[index]
            if mark.span.start > end:
                return
            empty = mark.span.start == mark.span.end
            if (empty and start <= mark.span.start) or (mark.span.start < end and start < mark.span.end):
                yield mark


def interpolate(fragment: Fragment, lookup: Lookup) -> Interpolated:
    """Interpolate a text; `lookup` gives the variables that are known. A text beyond all measure is not known."""
    work = _Work(fragment, lookup)
    if len(fragment.text) > MOST_CHARACTERS:
        work.unknown(Span(0, len(fragment.text)), "its length")
    else:
        work.run(Span(0, len(fragment.text)), OUTSIDE)
    return Interpolated(work.builder.build(), tuple(work.marks), tuple(work.expressions))


class _Work:
    """A text as it is interpolated."""

    def __init__(self, fragment: Fragment, lookup: Lookup) -> None:
        self._text = fragment.text
        self._lookup = lookup
        self._closing = _braces(fragment.text)
        self._size = 0
        self._substituted = 0
        self.builder = Builder(fragment)
        self.marks: list[Mark] = []
        self.expressions: list[tuple[Span, Span]] = []

    def run(self, part: Span, codec: Codec, variable: str = "", depth: int = 0) -> None:
        """Interpolate a part, which holds only if a `variable` is not set."""
        cursor, end = part
        before = len(self.marks), self._size
        while match := _TOKEN.search(self._text, cursor, end):
            if cursor < match.start():
                self._copy(Span(cursor, match.start()), codec, variable)
            cursor = match.end()
            if match["dollar"]:
                self._add("$", Span(*match.span()), Kind.ESCAPE, codec, variable)
            elif match["template"]:
                self.unknown(Span(*match.span()))
            elif match["name"]:
                self._variable(match["name"], "", Span(*match.span()), Span(cursor, cursor), variable, depth)
            else:
                cursor = self._braced(match.start(), end, variable, depth)
        if cursor < end or (len(self.marks), self._size) == before:
            self._copy(Span(cursor, max(cursor, end)), codec, variable)

    def unknown(self, whole: Span, why: str = "") -> None:
        """A part that stands for something unknown."""
        written = self._text[slice(*whole)]
        self.marks.append(Mark(Span(self._size, self._size + len(written)), why=why or written))
        self._add(written, whole, Kind.SUBSTITUTED, OUTSIDE)

    def _braced(self, start: int, end: int, variable: str, depth: int) -> int:
        """`${...}` from an offset on; where it ends."""
        closing = self._closing.get(start + 1, end)
        inside = _INSIDE.match(self._text, start + 2, closing) if closing < end else None
        if inside is None or depth >= _DEEPEST:
            after = closing + 1 if closing < end else start + 2
            self.unknown(Span(start, after))
            return after
        argument = Span(inside.end(), closing)
        self._variable(inside[1], inside[2] or "", Span(start, closing + 1), argument, variable, depth)
        return closing + 1

    def _variable(self, name: str, operator: str, whole: Span, argument: Span, outer: str, depth: int) -> None:
        begin = self._size
        self._resolve(name, operator, whole, argument, outer, depth)
        if depth == 0:
            self.expressions.append((Span(begin, self._size), whole))

    def _resolve(self, name: str, operator: str, whole: Span, argument: Span, outer: str, depth: int) -> None:
        value = self._lookup(name)
        missing = value is None or (operator.startswith(":") and not value)
        sign = operator[-1:]
        if sign == "+" and value is not None:
            if missing:
                self._add("", whole, Kind.SUBSTITUTED, OUTSIDE, outer)
            else:
                self.run(argument, INSIDE, outer, depth + 1)
        elif sign != "+" and value is not None and not missing:
            self._substitute(value, whole, outer)
        elif sign == "-":
            self.run(argument, INSIDE, name, depth + 1)
        else:
            self.unknown(whole)

    def _substitute(self, value: str, whole: Span, outer: str) -> None:
        if self._substituted + len(value) > MOST_SUBSTITUTED:
            self.unknown(whole)
            return
        self._substituted += len(value)
        self._add(value, whole, Kind.SUBSTITUTED, OUTSIDE, outer)

    def _copy(self, part: Span, codec: Codec, variable: str) -> None:
        self._add(self._text[slice(*part)], part, Kind.COPY, codec, variable)

    def _add(self, text: str, origin: Span, kind: Kind, codec: Codec, variable: str = "") -> None:
        if variable:
            self.marks.append(Mark(Span(self._size, self._size + len(text)), variable))
        self.builder.add(text, origin, kind, codec)
        self._size += len(text)


def _braces(text: str) -> dict[int, int]:
    """Where each brace of a text is closed."""
    stack: list[int] = []
    closing: dict[int, int] = {}
    for match in re.finditer(r"[{}]", text) if "${" in text else ():
        if match[0] == "{":
            stack.append(match.start())
        elif stack:
            closing[stack.pop()] = match.start()
    return closing
