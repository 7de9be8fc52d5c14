"""Exec form: a JSON list of words, one line once its continued lines are joined."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from mtpconfig.carriers.dockerfile.codecs import JSON_STRING
from mtpconfig.launch import Known, Word
from mtpconfig.text import Builder, Edit, Fragment, Kind, Span

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")


def exec_form(line: Fragment) -> ExecForm | None:
    """The list that a line is, or None where it is none: then Docker reads it as shell text."""
    if not line.text.startswith("["):
        return None
    try:
        items = json.loads(line.text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        return None
    return ExecForm(line)


class ExecForm:
    """The words of a list, and edits of them."""

    def __init__(self, line: Fragment) -> None:
        self.line = line
        self._places = [Span(*match.span()) for match in _STRING.finditer(line.text)]
        self._folds = sorted(segment.start for segment in line.segments if segment.kind is Kind.FOLD)
        self.words = [self._word(place) for place in self._places]
        self._index = {word: index for index, word in enumerate(self.words)}

    @property
    def whole(self) -> Fragment:
        """The text from the first word to the last."""
        if not self._places:
            return self.line
        return self.line.slice(self._places[0].start, self._places[-1].end)

    def __contains__(self, word: Word) -> bool:
        return word in self._index

    def _word(self, place: Span) -> Word:
        builder = Builder(self.line)
        for text, origin, kind in self._pieces(Span(place.start + 1, place.end - 1)):
            builder.add(text, origin, kind, JSON_STRING)
        decoded = builder.build()
        return Word(decoded, Known(decoded.text), site=place)

    def _pieces(self, inside: Span) -> Iterator[tuple[str, Span, Kind]]:
        text, cursor = self.line.text, inside.start
        for match in _ESCAPE.finditer(text, *inside):
            if match.start() > cursor:
                yield text[cursor : match.start()], Span(cursor, match.start()), Kind.COPY
            yield json.loads(f'"{match[0]}"'), Span(*match.span()), Kind.ESCAPE
            cursor = match.end()
        if cursor < inside.end or cursor == inside.start:
            yield text[cursor : inside.end], Span(cursor, inside.end), Kind.COPY

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """Put elements right behind one."""
        end = self._places[self._index[after]].end
        added = "".join(f", {json.dumps(word, ensure_ascii=False)}" for word in words)
        return self.line.replace(end, end, added)

    def remove(self, words: Sequence[Word]) -> list[Edit] | None:
        """Take elements out, with the commas and the line ends that only they needed."""
        edits = [self._deletion(first, last) for first, last in _runs(sorted(self._index[word] for word in words))]
        found = [edit for edit in edits if edit is not None]
        return found if len(found) == len(edits) else None

    def _deletion(self, first: int, last: int) -> Edit | None:
        start, end = self._places[first].start, self._places[last].end
        before = self._places[first - 1].end if first else None
        after = self._places[last + 1].start if last + 1 < len(self._places) else None
        begins_line = before is not None and self._folded(before, start)
        if after is not None and (before is None or (begins_line and not self._folded(end, after))):
            return self.line.replace(start, after, "")
        return self.line.replace(start if before is None else before, end, "")

    def _folded(self, start: int, end: int) -> bool:
        return any(start <= fold <= end for fold in self._folds)


def _runs(indices: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring indices as (first, last)."""
    chosen = set(indices)
    firsts = (index for index in indices if index - 1 not in chosen)
    lasts = (index for index in indices if index + 1 not in chosen)
    return zip(firsts, lasts)
