"""What a carrier is: a file format that can hold a launch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from mtpconfig.launch import Launch
from mtpconfig.text import Fragment


class Carrier(Protocol):
    """Reads launches out of one file format; it knows no engine."""

    name: str

    def claims(self, name: str, head: str) -> bool:
        """Whether a file is of this format, by its name and the first few thousand characters of its text."""
        ...

    def read(self, fragment: Fragment) -> Iterator[Launch]:
        """Every command or configuration in the text that may start a program."""
        ...
