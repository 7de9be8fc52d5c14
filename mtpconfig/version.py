"""Engine versions: how each numbering scheme is read and ordered, and ranges of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from mtpconfig.errors import UsageError


class Version(Struct, frozen=True, eq=False):
    """One version of one engine. Compared within its scheme by `key` alone; `str` gives the engine's own spelling."""

    text: str
    key: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and bool(self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    def __lt__(self, other: Version) -> bool:
        return bool(self.key < other.key)

    def __le__(self, other: Version) -> bool:
        return bool(self.key <= other.key)

    def __gt__(self, other: Version) -> bool:
        return bool(self.key > other.key)

    def __ge__(self, other: Version) -> bool:
        return bool(self.key >= other.key)

    def __str__(self) -> str:
        return self.text

    def standing_for(self, other: Version) -> Version:
        """The same version under another's name: what is known of it is taken for the other, which lies beside it."""
        return Version(other.text, self.key)


class Scheme(Struct, frozen=True):
    """A numbering scheme: its name and how a text becomes a version."""

    name: str
    example: str
    _parse: Callable[[str], Version | None]

    def parse(self, text: str) -> Version:
        """Read a version. Raises UsageError when the text is none in this scheme."""
        version = self._parse(text.strip())
        if version is None:
            raise UsageError(f"{text!r} is not a version here (expected something like {self.example})")
        return version

    def range(self, text: str) -> VersionRange:
        """Read `V`, `V..W`, `V..` or `..W` (both ends inclusive)."""
        first, dots, last = text.partition("..")
        if not dots:
            version = self.parse(first)
            return VersionRange(version, version)
        ends = [self.parse(end) if end.strip() else None for end in (first, last)]
        if ends[0] is not None and ends[1] is not None and ends[1] < ends[0]:
            raise UsageError(f"{text!r} ends before it begins: write the older version first")
        return VersionRange(*ends)


def _build(text: str) -> Version | None:
    match = re.fullmatch(r"b?(\d{1,7})", text)
    return Version(f"b{int(match[1])}", int(match[1])) if match else None


def _pep440(text: str) -> Version | None:
    from packaging.version import InvalidVersion
    from packaging.version import Version as Pep440

    try:
        return Version(text.removeprefix("v"), Pep440(Pep440(text).public))  # `+cu129` is the same release
    except InvalidVersion:
        return None


BUILD = Scheme("build", "b11434", _build)
PEP440 = Scheme("pep440", "0.33.0", _pep440)
SCHEMES = {scheme.name: scheme for scheme in (BUILD, PEP440)}


class VersionRange(Struct, frozen=True):
    """Versions from `first` to `last`, both inclusive; None is an open end."""

    first: Version | None = None
    last: Version | None = None

    @property
    def exact(self) -> Version | None:
        """The one version that this range holds, if it is written as one."""
        return self.first if self.first is not None and self.first == self.last else None

    def __contains__(self, version: Version) -> bool:
        return (self.first is None or self.first <= version) and (self.last is None or version <= self.last)

    def __str__(self) -> str:
        if self.exact:
            return str(self.exact)
        return f"{self.first or ''}..{self.last or ''}"


def sample(versions: Sequence[Version], wanted: VersionRange) -> tuple[Version, ...]:
    """Known versions (ascending) that stand for a range.

    All known ones inside it; where an end is no known version, its known neighbour outside too, since what holds at
    that end is only known to lie between the two. Outside all known versions, the nearest one.
    """
    inside = [v for v in versions if v in wanted]
    below = [v for v in versions if wanted.first is not None and v < wanted.first]
    above = [v for v in versions if wanted.last is not None and v > wanted.last]
    if below and wanted.first not in inside and (inside or above):
        inside.insert(0, below[-1])
    if above and wanted.last not in inside and (inside or below):
        inside.append(above[0])
    return tuple(inside or below[-1:] or above[:1])
