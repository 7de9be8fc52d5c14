"""Python: programs that start engines, as commands or by their own classes."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.python_.claims import is_python
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["PythonCarrier"]


class PythonCarrier:
    """Reads what a Python program starts, without running or importing any of it.

    Commands are the lists and texts that it hands to `subprocess` and its like, and lists of a program and its options
    that nothing is seen to start. A call of something that is imported is a launch too: its words are the dotted name
    and the positional arguments, its keywords are given on the surface `kwarg`. A text or number stands there as it is
    (`True` and `None` as Python spells them); a dict or list stands there as JSON, whose places lead into the literal.
    """

    name = "python"

    def claims(self, name: str, head: str) -> bool:
        """Whether a file is Python, by its name or its first line."""
        return is_python(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """Every start in the order written; where the text is no Python any more, that is said."""
        from mtpconfig.carriers.python_.walk import read_layer

        yield from read_layer(fragment, opener, around)
