"""Edits of lists, dicts and calls: whole elements go and come, with the commas and lines that they needed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtpconfig.carriers.python_.codecs import literal
from mtpconfig.carriers.python_.values import Place, Row
from mtpconfig.launch import Container, Given, Word
from mtpconfig.text import Edit, Fragment, Span

_REST = re.compile(r"[ \t]*(?P<comma>,?)[ \t]*(?:#[^\r\n]*)?(?P<end>\r\n|[\r\n])")
_QUOTE = re.compile(r"[A-Za-z]{0,2}(?:\"\"\"|'''|[\"'])")


class PythonContainer:
    """Inserts and removes the words of one launch, and what is given to it by name.

    `outer` holds what stands outside of the text.
    """

    def __init__(self, layer: Fragment, outer: Container | None = None) -> None:
        self._layer = layer
        self._outer = outer
        self._words: dict[Word, Place] = {}
        self._given: dict[Given, Place] = {}

    def settle(self, word: Word, place: Place | None) -> None:
        """Note where a word stands; a word without a place is not moved."""
        if place is not None:
            self._words[word] = place

    def settle_given(self, given: Given, place: Place | None) -> None:
        """Note where something given by name stands."""
        if place is not None:
            self._given[given] = place

    def is_item(self, word: Word) -> bool:
        """Whether a word is an element of a list."""
        return word in self._words

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """Put words right behind a word, as elements of their own: on a line of their own if that word ends one."""
        place = self._words.get(after)
        if place is None or place.row is None or place.row.kind == "*" or not words:
            return None
        if [word for word, other in self._words.items() if other is place][-1] is not after:
            return None  # an alternative of the same element follows it
        text, element = self._layer.text, place.row.elements[place.index]
        opening = _QUOTE.match(text, element.start)
        quote = opening[0][-1] if opening else '"'
        written = [literal(word, quote) for word in words]
        if None in written:
            return None
        added = ", ".join(word or "" for word in written)
        rest = _REST.match(text, element.end)
        line = _line_start(text, self._first_on_line(place.row, place.index).start)
        indent = text[line : self._first_on_line(place.row, place.index).start]
        if rest is not None and rest["comma"] and not indent.strip(" \t") and element.start >= line:
            return self._layer.replace(rest.end(), rest.end(), f"{indent}{added},{rest['end']}")
        return self._layer.replace(element.end, element.end, f", {added}")

    def _first_on_line(self, row: Row, index: int) -> Span:
        """The first of the elements in front of one, itself included, that stand on its line."""
        line = _line_start(self._layer.text, row.elements[index].start)
        while index and row.elements[index - 1].start >= line:
            index -= 1
        return row.elements[index]

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        """Take words out; None where one of them has no place, or shares it with one that stays."""
        places = [self._words.get(word) for word in words]
        found = [place for place in places if place is not None]
        wanted = set(words)
        kept = {id(place) for word, place in self._words.items() if word not in wanted}
        return self._without(found) if len(found) == len(places) and kept.isdisjoint(map(id, found)) else None

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        """Take a keyword, an entry of a dict or an assignment out."""
        place = self._given.get(given)
        if place is None:
            return self._outer.remove_given(given) if self._outer else None
        alone = sum(other is place for other in self._given.values()) == 1
        return self._without([place]) if alone else None

    def _without(self, places: Sequence[Place]) -> tuple[Edit, ...] | None:
        spans: list[Span] = []
        rows: dict[Row, set[int]] = {}
        for place in places:
            if place.row is not None:
                rows.setdefault(place.row, set()).add(place.index)
            elif place.statement is not None and (line := self._whole_line(place.statement)) is not None:
                spans.append(line)
            else:
                return None
        for row, chosen in rows.items():
            left = len(row.elements) - len(chosen)
            if row.kind == "*" or (row.kind == "(" and left < 2):
                return None
            spans += self._ranges(row, sorted(chosen))
        edits = [self._layer.replace(span.start, span.end, "") for span in spans]
        found = tuple(edit for edit in edits if edit is not None)
        return found if found and len(found) == len(edits) else None

    def _ranges(self, row: Row, chosen: Sequence[int]) -> list[Span]:
        """What to delete so that elements go: runs of neighbours, whole lines where they stand alone on them."""
        firsts = [index for index in chosen if index - 1 not in chosen]
        lasts = [index for index in chosen if index + 1 not in chosen]
        return [self._range(row, first, last) for first, last in zip(firsts, lasts, strict=True)]

    def _range(self, row: Row, first: int, last: int) -> Span:
        text, start, end = self._layer.text, row.elements[first].start, row.elements[last].end
        line, rest = _line_start(text, start), _REST.match(text, end)
        ends = rest is not None and (bool(rest["comma"]) or last + 1 == len(row.elements))
        if rest is not None and ends and not text[line:start].strip(" \t"):
            return Span(line, rest.end())
        following = row.elements[last + 1].start if last + 1 < len(row.elements) else None
        if following is not None and not re.search(r"[\r\n#]", text[end:following]):
            return Span(start, following)
        if first:
            return Span(row.elements[first - 1].end, end)
        comma = re.compile(r"\s*,").match(text, end, row.inside.end)
        return Span(start, comma.end() if comma else end)

    def _whole_line(self, statement: Span) -> Span | None:
        """The lines of a statement that stands alone on them."""
        text = self._layer.text
        start, rest = _line_start(text, statement.start), _REST.match(text, statement.end)
        if text[start : statement.start].strip(" \t") or rest is None or rest["comma"]:
            return None
        return Span(start, rest.end())


def _line_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
