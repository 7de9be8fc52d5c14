"""Edits of a Modelfile: its statements are lines, and may be put in and taken out as such."""

from __future__ import annotations

from collections.abc import Sequence

from mtpconfig.launch import Given, Word
from mtpconfig.text import Edit, Fragment
from mtpconfig_ollama.modelfile.grammar import Document, Statement


class ModelfileContainer:
    """Takes statements out and puts parameters in; there are no words.

    document  the text taken apart, with the faults in it
    """

    def __init__(self, layer: Fragment, document: Document) -> None:
        self.document = document
        self.layer = layer
        self._statements: dict[Given, Statement] = {}

    def settle(self, given: Given, statement: Statement) -> None:
        """Note the statement that something was said by."""
        self._statements[given] = statement

    def statement(self, given: Given | None) -> Statement | None:
        """The statement that something was said by."""
        return self._statements.get(given) if given is not None else None

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
        statement = self._statements.get(given)
        edit = self.layer.replace(*statement.whole, "") if statement is not None else None
        return (edit,) if edit is not None else None

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
