"""What a spelling means at a version.

An engine's options change their names, values and defaults. A `Period` is one stretch of versions in which one spelling
means one thing; an `OptionHistory` holds all of them and answers for any version. Both ends of a period are intervals
`(last version without, first version with)`, because a change is often only known to lie between two releases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from mtpconfig.version import Version

Status = Literal["active", "alias", "deprecated", "ignored", "unread", "fatal", "unknown"]

USABLE: frozenset[str] = frozenset({"active", "alias", "deprecated"})
"""Statuses under which a spelling does what it says."""

Boundary = tuple[Version | None, Version | None]
"""(last seen before the change, first seen after it); None is open."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of versions whose ends are only known as intervals."""

    since: Boundary = (None, None)
    until: Boundary | None = None

    def holds(self, version: Version) -> bool | None:
        """Whether the version lies inside; None where that is not known."""
        before, first = self.since
        if first is not None and version < first and before is not None:
            return None if version > before else False
        if self.until is None:
            return True
        last, after = self.until
        if last is not None and version <= last:
            return True
        return False if after is None or version >= after else None

    def boundaries(self) -> Iterator[Version]:
        """The versions at which knowledge changes."""
        for pair in (self.since, self.until or ()):
            yield from (version for version in pair if version is not None)


ALL_VERSIONS = Stretch()


@dataclass(frozen=True, slots=True)
class Replacement:
    """What to write instead, under a condition on another option (`when`), within a stretch of versions.

    spelling  the new name; None where there is none: remove it, `why` says what takes its place
    surface   where the new name is said, when that is another surface than the old one's
    """

    spelling: str | None
    when: str = ""
    why: str = ""
    surface: str = ""
    stretch: Stretch = ALL_VERSIONS


@dataclass(frozen=True, slots=True)
class Period:
    """One spelling of one option over one stretch of versions."""

    option: str
    spelling: str
    surface: str
    stretch: Stretch
    status: Status = "active"
    programs: frozenset[str] = frozenset({"*"})
    excludes: frozenset[str] = frozenset()
    negates: bool = False
    type: str = "string"
    message: str = ""
    replace: tuple[Replacement, ...] = ()

    def like(self, other: Period) -> bool:
        """Whether both mean the same, in different stretches."""
        usable = {self.status, other.status} <= USABLE
        same = self.option == other.option and self.type == other.type and self.negates == other.negates
        return same and (usable or self.status == other.status)

    def serves(self, program: str) -> bool:
        """Whether a program of the engine's family reads this spelling."""
        return ("*" in self.programs or program in self.programs) and program not in self.excludes


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that an option takes, over one stretch of versions."""

    text: str
    stretch: Stretch
    status: Status = "active"
    method: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A fact that changed over the versions, e.g. a default or a merge rule."""

    value: str
    stretch: Stretch = ALL_VERSIONS
    message: str = ""


def at(rows: Iterable[Row], version: Version) -> Row | None:
    """The row that surely holds at a version."""
    return next((row for row in rows if row.stretch.holds(version)), None)


@dataclass(frozen=True, slots=True)
class Option:
    """The thing that spellings name."""

    id: str
    types: tuple[Row, ...] = (Row("string"),)
    spec_field: str = ""
    default: tuple[Row, ...] = ()
    merge: tuple[Row, ...] = (Row("last"),)
    values: tuple[Choice, ...] = ()
    never: Mapping[str, str] = field(default_factory=dict)
    periods: tuple[Period, ...] = ()
    speculative: bool = True
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Surface:
    """A place where options can be said, and what the engine does there with a name it does not know."""

    name: str
    unknown: tuple[Row, ...] = (Row("fatal"),)
    stretch: Stretch = ALL_VERSIONS
    derived_from: tuple[str, ...] = ()


class OptionHistory:
    """All options of one engine over all versions that were examined.

    facts       behaviour that changed over the versions, by name
    never       spellings that people write and no version knows -> the option that is meant
    namespaces  beginnings of names that would be speculative options: an unknown one is no stranger's
    """

    def __init__(
        self,
        engine: str,
        versions: Sequence[Version],
        options: Iterable[Option],
        surfaces: Iterable[Surface] = (),
        programs: Mapping[str, tuple[Row, ...]] | None = None,
        facts: Mapping[str, tuple[Row, ...]] | None = None,
        never: Mapping[str, str] | None = None,
        namespaces: Iterable[str] = (),
    ) -> None:
        self.engine = engine
        self.versions = tuple(versions)
        self.options = {option.id: option for option in options}
        self.surfaces = {surface.name: surface for surface in surfaces}
        self.programs = dict(programs or {})
        self.facts = dict(facts or {})
        self.never = dict(never or {})
        self.namespaces = tuple(namespaces)
        self._by_spelling: dict[tuple[str, str], list[Period]] = {}
        for option in self.options.values():
            for period in option.periods:
                self._by_spelling.setdefault((period.surface, period.spelling), []).append(period)

    def type(self, option: str, version: Version) -> str:
        """How an option is parsed at a version: flag | bool | int | float | string | string2 | list."""
        row = at(self.options[option].types, version)
        return row.value if row else "string"

    @property
    def oldest(self) -> Version:
        """The oldest version that was examined."""
        return self.versions[0]

    @property
    def newest(self) -> Version:
        """The newest version that was examined."""
        return self.versions[-1]

    def periods(self, surface: str, spelling: str) -> Sequence[Period]:
        """All periods of a spelling, oldest first."""
        return self._by_spelling.get((surface, spelling), ())

    def spellings(self, surface: str) -> Iterator[str]:
        """Every spelling that was ever known on a surface."""
        return (spelling for kind, spelling in self._by_spelling if kind == surface)

    def find(self, surface: str, spelling: str, version: Version, program: str) -> Period | None:
        """What a spelling means for a program at a version; None when it means nothing there, or nobody knows.

        In a gap between two periods that mean the same, it means that.
        """
        unsure: Period | None = None
        for period in self.periods(surface, spelling):
            if not period.serves(program):
                continue
            holds = period.stretch.holds(version)
            if holds:
                return period
            if holds is None:
                if unsure is not None and unsure.stretch.until == period.stretch.since and unsure.like(period):
                    return unsure
                unsure = period
        return None

    def current_spelling(self, option: str, surface: str, version: Version, program: str) -> str | None:
        """How to write an option at a version: its active spelling, else any alias."""
        spellings = dict.fromkeys(p.spelling for p in self.options[option].periods if p.surface == surface)
        periods = (self.find(surface, spelling, version, program) for spelling in spellings)
        found = [p for p in periods if p is not None and not p.negates and p.status in USABLE]
        found.sort(key=lambda p: (p.status != "active", not p.spelling.startswith("--"), -len(p.spelling)))
        return found[0].spelling if found else None

    def default(self, option: str, version: Version) -> str | None:
        """The default of an option at a version, as text; None when it has none or it is not known."""
        row = at(self.options[option].default, version) if option in self.options else None
        return row.value if row else None

    def merge(self, option: str, version: Version) -> str:
        """What happens when an option is given twice: last | append | first | error."""
        row = at(self.options[option].merge, version)
        return row.value if row else "last"

    def known_version(self, version: Version) -> bool:
        """Whether a version lies within the examined range."""
        return self.oldest <= version <= self.newest
