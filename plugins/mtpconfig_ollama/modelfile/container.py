"""A Modelfile's text under its launch: statements are lines, and may be put in and taken out as such."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from mtpconfig.launch import Given, Launch, Word
from mtpconfig.text import Edit, Fragment
from mtpconfig_ollama.modelfile.grammar import Document, Statement, parse

_parse = lru_cache(maxsize=2)(parse)


class Page(Struct, frozen=True, eq=False):
    """The text that a launch was read out of, taken apart, with the faults in it."""

    layer: Fragment
    document: Document

    def statement(self, given: Given | None) -> Statement | None:
        """The statement that something was said by."""
        site = given.site if given is not None else None
        return next((statement for statement in self.document.statements if statement.whole == site), None)

    def add_line(self, statement: Statement, line: str, *, before: bool = False) -> Edit | None:
        """Put a line behind a statement, or before it."""
        text = self.layer.text
        end = "\r\n" if "\r\n" in text[slice(*statement.whole)] else "\n"
        if before:
            return self.layer.replace(statement.whole.start, statement.whole.start, line + end)
        place = statement.whole.end
        if text[place - 1 : place] not in ("\n", "\r"):
            return self.layer.replace(place, place, end + line)
        return self.layer.replace(place, place, line + end)


def page_of(launch: Launch) -> Page | None:
    """The Modelfile that a launch is; None for a command or a request.

    It is found by its text: what holds it (a script that writes it, a template) may have wrapped the container.
    """
    layer = launch.fragment.parent
    says = any(given.surface in ("param", "instruction") for given in launch.given)
    if launch.argv or not says or not isinstance(layer, Fragment):
        return None
    return Page(layer, _parse(layer.text))


class ModelfileContainer:
    """Takes statements out; there are no words."""

    def __init__(self, layer: Fragment) -> None:
        self._layer = layer
        self._own: set[Given] = set()

    def settle(self, given: Given) -> None:
        """Note something that a statement of this text says."""
        self._own.add(given)

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
        """Take a statement out, with its lines."""
        edit = self._layer.replace(*given.site, "") if given in self._own and given.site is not None else None
        return (edit,) if edit is not None else None
