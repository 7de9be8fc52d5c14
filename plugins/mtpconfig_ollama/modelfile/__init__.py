"""Modelfiles: what `ollama create` makes a model of."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["ModelfileCarrier"]


class ModelfileCarrier:
    """Reads a Modelfile as one launch without words: its instructions and parameters are what is given."""

    name = "modelfile"

    def claims(self, name: str, head: str) -> bool:
        """Whether a file is a Modelfile, by its name; a text without a name by its first lines."""
        from mtpconfig_ollama.modelfile.claims import is_modelfile

        return is_modelfile(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The model that the file describes; nothing where it says nothing, and nothing is raised."""
        from mtpconfig_ollama.modelfile.reader import read

        yield from read(fragment, around, self.name)
