"""The files that a script writes, each text with what is added to it later."""

from __future__ import annotations

from msgspec import Struct, field

from mtpconfig.carriers.shell.content import Part
from mtpconfig.carriers.shell.documents import Document, Target
from mtpconfig.launch import Hint
from mtpconfig.text import Span

_MOST_PARTS = 20_000


class File(Struct):
    """The text of one file; `hints` are those in front of its first part."""

    name: str
    hints: tuple[Hint, ...]
    parts: list[Part] = field(default_factory=list)
    unseen: str = ""
    places: set[Span] = field(default_factory=set)


class Files:
    """Collects what commands write, by the names of the files."""

    def __init__(self) -> None:
        self._files: list[File] = []
        self._open: dict[str, File] = {}

    def begin(self, target: Target, hints: tuple[Hint, ...]) -> File:
        """The file that is written to: the one that is there if the text is added to it, else a new one."""
        file = self._open.get(target.name) if target.adds else None
        if file is None:
            file = File(target.name, hints)
            self._files.append(file)
            self._open[target.name] = file
        return file

    def write(self, target: Target, document: Document, place: Span, hints: tuple[Hint, ...]) -> None:
        """Note what the command at a place writes; a function that is called twice writes the same once."""
        if target.name.startswith("/dev/"):
            return
        file = self.begin(target, hints)
        if place not in file.places:
            file.places.add(place)
            file.unseen = file.unseen or document.unseen
            file.parts += document.parts[: _MOST_PARTS - len(file.parts)]

    def complete(self) -> list[File]:
        """All files, in the order in which they were begun."""
        return self._files
