"""Edits of a section."""

from __future__ import annotations

from collections.abc import Sequence

from mtpconfig.launch import Given, Word
from mtpconfig.text import Edit, Fragment, Span


class SectionContainer:
    """Takes keys out of a section; there are no words to insert or remove."""

    def __init__(self, layer: Fragment) -> None:
        self._layer = layer
        self._lines: dict[Given, Span] = {}

    def settle(self, given: Given, line: Span) -> None:
        """Note the line of a key; one that is not noted is not taken out."""
        self._lines[given] = line

    def is_item(self, word: Word) -> bool:
        """There is no list here."""
        return False

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """There is no command line here."""
        return None

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        """There is no command line here."""
        return None

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        """Take a key out, with its line."""
        line = self._lines.get(given)
        edit = self._layer.replace(line.start, line.end, "") if line is not None else None
        return (edit,) if edit is not None else None
