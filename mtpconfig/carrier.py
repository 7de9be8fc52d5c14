"""What a carrier is: a file format that can hold a launch; and how one carrier hands text to another.

A carrier reads a fragment. Where the text holds text of another format (a shell line in YAML, a unit file in a
heredoc), it opens a layer: it decodes the inner text into a child fragment and asks the opener for the launches in it.
What the outside says of all launches inside (an image, an environment) goes along as surroundings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.files import NO_FILES, Files
from mtpconfig.launch import Container, Given, Hint, Launch, Word
from mtpconfig.text import Fragment, Source, Span

__all__ = ["DEEPEST", "NOTHING", "NO_FILES", "Carrier", "Files", "LazyCarrier", "Opener", "Surroundings"]

DEEPEST = 10
"""Layers opened inside layers; deeper text is not read."""


class Surroundings(Struct, frozen=True, eq=False):
    """What the outside says of every launch in a text.

    given       what it sets: environment variables
    image       the container image that it runs in, and what replaces the image's own entrypoint
    hints       texts beside it that may name the version, nearest last
    label       how people call it: a service name
    carrier     the format that it is reported under; empty for the innermost
    container   takes assignments among `given` out
    """

    given: tuple[Given, ...] = ()
    image: Word | None = None
    entrypoint: Word | None = None
    hints: tuple[Hint, ...] = ()
    label: str = ""
    carrier: str = ""
    container: Container | None = None

    def around(self, launch: Launch) -> Launch:
        """A launch that knows nothing of its outside yet, with the label and the format of this outside."""
        return replace(launch, label=launch.label or self.label, carrier=self.carrier or launch.carrier)


NOTHING = Surroundings()


class Carrier(Protocol):
    """Reads launches out of one file format; it knows no engine."""

    name: str

    def claims(self, name: str, head: str) -> bool:
        """Whether a file is of this format, by its name and the first few thousand characters of its text."""
        ...

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """Every command or configuration in the text that may start a program."""
        ...


class LazyCarrier:
    """A carrier that is imported when a file may be its own: most runs meet few formats.

    where  `module:Class`
    suits  whether a file of this name, in lower case and without its folder, may be of the format
    """

    def __init__(self, name: str, where: str, suits: Callable[[str], bool]) -> None:
        self.name = name
        self.where = where
        self._suits = suits

    @cached_property
    def _carrier(self) -> Carrier:
        module, _, name = self.where.partition(":")
        carrier: Carrier = getattr(import_module(module), name)()
        return carrier

    def claims(self, name: str, head: str) -> bool:
        """As the carrier itself, where the name suits."""
        return self._suits(re.split(r"[/\\]", name)[-1].lower()) and self._carrier.claims(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """As the carrier itself."""
        return self._carrier.read(fragment, opener, around)


class Opener:
    """Hands a text to the carrier that claims it, to a bounded depth."""

    def __init__(self, carriers: Sequence[Carrier], files: Files, depth: int = 0) -> None:
        self._carriers = carriers
        self.files = files
        self.depth = depth
        self.missed: list[tuple[Span, str]] = []

    def miss(self, fragment: Fragment, offset: int, why: str) -> None:
        """Note that a file is not read from a place on; a text inside another may be an excerpt: nothing is said."""
        offset = min(offset, len(fragment.text) - 1)
        if isinstance(fragment.parent, Source) and (spans := fragment.locate(offset, offset + 1)):
            self.missed.append((spans[0], why))

    def carrier_for(self, name: str, head: str) -> Carrier | None:
        """The first carrier that claims a file of this name and beginning."""
        return next((carrier for carrier in self._carriers if carrier.claims(name, head)), None)

    def open(self, fragment: Fragment, name: str, around: Surroundings = NOTHING) -> Iterator[Launch]:
        """The launches in a text; `name` is its file name, real or such as a file of its kind would have (`x.sh`)."""
        if self.depth >= DEEPEST:
            return
        carrier = self.carrier_for(name, fragment.text[:4096])
        if carrier is not None:
            inner = Opener(self._carriers, self.files, self.depth + 1)
            inner.missed = self.missed
            for launch in carrier.read(fragment, inner, around):
                yield around.around(launch)
