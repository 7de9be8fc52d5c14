"""Edits of a unit file: words of a command line, assignments of an environment."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from msgspec import Struct, field

from mtpconfig.carriers.systemd.codecs import quote
from mtpconfig.carriers.systemd.lines import Line
from mtpconfig.launch import Container, Given, Word
from mtpconfig.text import Edit, Span


class Row(Struct, eq=False):
    """The words of one assignment, in the order in which they are written; `variables` says that `$` is special."""

    line: Line
    variables: bool = False
    tokens: list[Span] = field(default_factory=list)


class UnitContainer:
    """Inserts and removes words of one unit's assignments, on the lines that they stand on.

    `outer` is the container of what opened this layer.
    """

    def __init__(self, outer: Container | None = None) -> None:
        self._outer = outer
        self._words: dict[Word, tuple[Row, Span]] = {}
        self._given: dict[Given, tuple[Row, Span]] = {}

    def settle(self, word: Word, row: Row, site: Span) -> None:
        """Note where a word stands; a word that is not noted is not edited."""
        self._words[word] = (row, site)

    def settle_given(self, given: Given, row: Row, site: Span | None) -> None:
        """Note where an assignment stands."""
        if site is not None:
            row.tokens.append(site)
            self._given[given] = (row, site)

    def is_item(self, word: Word) -> bool:
        """A unit's words are parted by blanks."""
        return False

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """Put words right behind a word, on the same line, quoted as needed."""
        if not words or (found := self._words.get(after)) is None:
            return None
        row, site = found
        written = [quote(word, variables=row.variables) for word in words]
        texts = [text for text in written if text is not None]
        layer = row.line.layer
        return layer.replace(site.end, site.end, " ".join(["", *texts])) if len(texts) == len(words) else None

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        """Take words out; None where one of them came out of something else, such as a variable."""
        found = [self._words.get(word) for word in words]
        places = [place for place in found if place is not None]
        if not words or len(places) < len(words):
            return None
        return _deletions([(row, span) for row, sites in _by_row(places) for span in _without(row, sites)])

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        """Take an assignment out, with its line when nothing else stands on it."""
        found = self._given.get(given)
        if found is None:
            return self._outer.remove_given(given) if self._outer else None
        row, site = found
        spans = [row.line.span] if row.tokens == [site] else _without(row, [site])
        return _deletions([(row, span) for span in spans])


def _without(row: Row, sites: Sequence[Span]) -> list[Span]:
    """What to delete so that some words go, with the blanks and continuations that only they needed."""
    places = sorted(row.tokens.index(site) for site in sites)
    firsts = [place for place in places if place - 1 not in places]
    lasts = [place for place in places if place + 1 not in places]
    return [_stretch(row, first, last) for first, last in zip(firsts, lasts, strict=True)]


def _stretch(row: Row, first: int, last: int) -> Span:
    text, tokens = row.line.layer.text, row.tokens
    start, end = tokens[first].start, tokens[last].end
    after = tokens[last + 1].start if last + 1 < len(tokens) else None
    if first == 0:
        return Span(start, after if after is not None else end)
    before = tokens[first - 1].end
    begins, ends = _breaks(text[before:start]), after is not None and _breaks(text[end:after])
    if begins and after is not None:
        # The lines of its own go whole; comment lines around stay where they are.
        line = _line_start(text, start)
        return Span(line, _line_start(text, end, following=True)) if ends else Span(start, after)
    return Span(before, end)


def _deletions(places: Sequence[tuple[Row, Span]]) -> tuple[Edit, ...] | None:
    edits = [row.line.layer.replace(span.start, span.end, "") for row, span in places]
    found = tuple(edit for edit in edits if edit is not None)
    return found if len(found) == len(edits) else None


def _by_row(places: Sequence[tuple[Row, Span]]) -> list[tuple[Row, list[Span]]]:
    ordered = sorted(places, key=lambda place: (id(place[0]), place[1]))
    return [(row, [site for _, site in group]) for row, group in itertools.groupby(ordered, key=lambda place: place[0])]


def _breaks(gap: str) -> bool:
    return "\n" in gap or "\r" in gap


def _line_start(text: str, position: int, *, following: bool = False) -> int:
    """Where the line of a position begins, or the one behind it."""
    if not following:
        return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1
    ends = [place for mark in "\r\n" if (place := text.find(mark, position)) >= 0]
    end = min(ends, default=len(text))
    return end + 2 if text.startswith("\r\n", end) else end + 1
