"""Edits of the words of a command: the rows that words stand in, and where each word has its home."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mtpconfig.carriers.shell.codecs import quote
from mtpconfig.launch import Container, Given, Word
from mtpconfig.text import Codec, Edit, Fragment, Span


class Row(Struct, frozen=True, eq=False):
    """Tokens one after the other: a command, or the inside of an array's parentheses.

    left       the offset behind an opening parenthesis; None for a command
    statement  the whole statement, when it goes with its last assignment (`export X=1`)
    """

    tokens: tuple[Span, ...]
    left: int | None = None
    statement: Span | None = None

    def without(self, text: str, first: int, last: int) -> Span | None:
        """What to delete so that tokens `first..last` go, with the blanks and continuations that only they needed."""
        start, end = self.tokens[first].start, self.tokens[last].end
        before = self.tokens[first - 1].end if first else self.left
        after = self.tokens[last + 1].start if last + 1 < len(self.tokens) else None
        if before is None:
            return Span(start, after) if after is not None else None
        begins_line = before == start or "\n" in text[before:start]
        if after is not None and begins_line and "\n" not in text[end:after]:
            return Span(start, after)
        return Span(before, end)


class Home(Struct, frozen=True):
    """Where a word can be edited: tokens `first..last` of a row, or `field`, a part of a value split at blanks."""

    row: Row
    first: int
    last: int
    field: Span | None = None
    codec: Codec | None = None

    @property
    def token(self) -> tuple[Row, int, int]:
        """The tokens, comparable."""
        return self.row, self.first, self.last


class CommandContainer:
    """Inserts and removes words of one command, in the command itself or in the arrays and variables it is made of.

    `outer` is the container of the command that opened this layer; it holds the environment given there.
    """

    def __init__(self, layer: Fragment, outer: Container | None = None) -> None:
        self._layer = layer
        self._outer = outer
        self._homes: dict[Word, Home] = {}
        self._given: dict[Given, Home] = {}

    def settle(self, word: Word, home: Home | None) -> None:
        """Note where a word stands; a word without a home is not edited."""
        if home is not None:
            self._homes[word] = home

    def settle_given(self, given: Given, home: Home | None) -> None:
        """Note where an assignment stands."""
        if home is not None:
            self._given[given] = home

    def is_item(self, word: Word) -> bool:
        """A command's words are parted by blanks."""
        return False

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """Put words right behind a word, on the same line, quoted as needed."""
        home = self._homes.get(after)
        if home is None or not words:
            return None
        if home.field is not None:
            plain = all(quote(word) == word for word in words)
            added = home.codec.encode(" " + " ".join(words)) if plain and home.codec else None
            return self._layer.replace(home.field.end, home.field.end, added) if added is not None else None
        siblings = [word for word, other in self._homes.items() if other.field is None and other.token == home.token]
        if siblings[-1] is not after:
            return None
        end = home.row.tokens[home.last].end
        return self._layer.replace(end, end, " " + " ".join(map(quote, words)))

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        """Take words out; None where one of them stands in something that others need too."""
        wanted = set(words)
        homes = [self._homes.get(word) for word in words]
        if any(home is None for home in homes):
            return None
        kept = {home.token for word, home in self._homes.items() if word not in wanted and home.field is None}
        if any(home is not None and home.field is None and home.token in kept for home in homes):
            return None
        spans = self._token_ranges([h for h in homes if h and h.field is None])
        fields = self._field_ranges(sorted(h.field for h in homes if h and h.field is not None))
        return self._deletions([*spans, *fields]) if spans is not None else None

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        """Take an assignment out, with the statement that held nothing else."""
        home = self._given.get(given)
        if home is None:
            return self._outer.remove_given(given) if self._outer else None
        if home.row.statement is not None and home.last - home.first + 2 >= len(home.row.tokens):
            line = self._whole_line(home.row.statement)
            return self._deletions([line]) if line is not None else None
        span = home.row.without(self._layer.text, home.first, home.last)
        return self._deletions([span]) if span is not None else None

    def _token_ranges(self, homes: Sequence[Home]) -> list[Span] | None:
        """Deletions for runs of neighbouring tokens, row by row."""
        ranges: list[Span] = []
        rows: dict[Row, set[int]] = {}
        for home in homes:
            rows.setdefault(home.row, set()).update(range(home.first, home.last + 1))
        for row, chosen in rows.items():
            indices = sorted(chosen)
            firsts = [i for i in indices if i - 1 not in chosen]
            lasts = [i for i in indices if i + 1 not in chosen]
            for first, last in zip(firsts, lasts, strict=True):
                span = row.without(self._layer.text, first, last)
                if span is None:
                    return None
                ranges.append(span)
        return ranges

    def _field_ranges(self, fields: Sequence[Span]) -> list[Span]:
        """Deletions for runs of neighbouring fields."""
        runs: list[Span] = []
        for field in fields:
            if runs and not self._layer.text[runs[-1].end : field.start].strip():
                runs[-1] = Span(runs[-1].start, field.end)
            else:
                runs.append(field)
        return [self._field_range(run) for run in runs]

    def _field_range(self, field: Span) -> Span:
        """The field with the blanks before it, or behind it when it is the first of its value."""
        text, start, end = self._layer.text, field.start, field.end
        while start > 0 and text[start - 1] in " \t":
            start -= 1
        if start == field.start:
            while end < len(text) and text[end] in " \t":
                end += 1
        return Span(start, end)

    def _whole_line(self, statement: Span) -> Span | None:
        """The line of a statement that stands alone on it, line end included."""
        text = self._layer.text
        start = text.rfind("\n", 0, statement.start) + 1
        end = text.find("\n", statement.end)
        end = len(text) if end < 0 else end + 1
        alone = not text[start : statement.start].strip() and not text[statement.end : end].strip()
        return Span(start, end) if alone else None

    def _deletions(self, spans: Sequence[Span]) -> tuple[Edit, ...] | None:
        edits = [self._layer.replace(span.start, span.end, "") for span in spans]
        found = tuple(edit for edit in edits if edit is not None)
        return found if len(found) == len(edits) else None
