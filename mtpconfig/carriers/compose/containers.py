"""Edits of what a service runs: its words may stand in lists and in strings at once."""

from __future__ import annotations

from collections.abc import Sequence

from mtpconfig.carriers.compose.interpolation import OUTSIDE
from mtpconfig.carriers.shell.rows import CommandContainer, Home, Row
from mtpconfig.launch import Container, Given, Word
from mtpconfig.text import Edit, Fragment, Kind, Segment, Span


def string_container(string: Fragment, words: Sequence[Word]) -> Container:
    """The container of the words of a command string; it edits the string as it is before interpolation.

    Words that come out of one variable have one place together.
    """
    tokens: list[Span] = []
    places: list[int] = []
    for word in words:
        site = word.site or Span(0, 0)
        if tokens and site.start < tokens[-1].end:
            tokens[-1] = Span(tokens[-1].start, max(site.end, tokens[-1].end))
        else:
            tokens.append(site)
        places.append(len(tokens) - 1)
    size = len(string.text)
    container = CommandContainer(Fragment(string.text, (Segment(0, size, Span(0, size), Kind.COPY, OUTSIDE),), string))
    row = Row(tuple(tokens))
    for word, place in zip(words, places, strict=True):
        container.settle(word, Home(row, place, place))
    return container


class Containers:
    """Several containers as one; each word belongs to one of them."""

    def __init__(self, owners: Sequence[tuple[Sequence[Word], Container]], given: Container | None) -> None:
        self._owners = {word: container for words, container in owners for word in words}
        self._given = given

    def is_item(self, word: Word) -> bool:
        """Whether a word is an item where it stands."""
        return (owner := self._owners.get(word)) is not None and owner.is_item(word)

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """Put words behind a word, where that stands."""
        owner = self._owners.get(after)
        return owner.insert(after, words) if owner else None

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        """Take words out, each where it stands."""
        chosen: dict[Container, list[Word]] = {}
        for word in words:
            owner = self._owners.get(word)
            if owner is None:
                return None
            chosen.setdefault(owner, []).append(word)
        edits: list[Edit] = []
        for owner, own in chosen.items():
            removed = owner.remove(own)
            if removed is None:
                return None
            edits += removed
        return tuple(edits)

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        """Take an assignment out."""
        return self._given.remove_given(given) if self._given else None
