"""What a spelling means at a version.

An engine's options change their names, values and defaults. A `Period` is one stretch of versions in which one spelling
means one thing; an `OptionHistory` holds all of them and answers for any version. Both ends of a period are intervals
`(last version without, first version with)`, because a change is often only known to lie between two releases.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from mtpconfig.version import Version

Status = Literal["active", "alias", "deprecated", "ignored", "unread", "fatal", "unknown"]

USABLE: frozenset[str] = frozenset({"active", "alias", "deprecated"})
"""Statuses under which a spelling does what it says."""

Boundary = tuple[Version | None, Version | None]
"""(last seen before the change, first seen after it); None is open."""


class Stretch(Struct, frozen=True):
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


class Replacement(Struct, frozen=True):
    """What to write instead, under a condition on another option (`when`), within a stretch of versions.

    spelling  the new name; None where there is none: remove it, `why` says what takes its place
    surface   where the new name is said, when that is another surface than the old one's
    """

    spelling: str | None
    when: str = ""
    why: str = ""
    surface: str = ""
    stretch: Stretch = ALL_VERSIONS


class Period(Struct, frozen=True):
    """One spelling of one option over one stretch of versions.

    moot  values of a name that nobody reads which ask for what happens anyway: nothing is said of them
    """

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
    moot: frozenset[str] = frozenset()

    def like(self, other: Period) -> bool:
        """Whether both mean the same, in different stretches."""
        usable = {self.status, other.status} <= USABLE
        same = self.option == other.option and self.type == other.type and self.negates == other.negates
        return same and (usable or self.status == other.status)

    def serves(self, program: str) -> bool:
        """Whether a program of the engine's family reads this spelling."""
        return ("*" in self.programs or program in self.programs) and program not in self.excludes


ANY_WORD = "*"
"""The text of a choice that stands for whatever is written: at those versions nothing is refused."""


class Choice(Struct, frozen=True):
    """A value that an option takes, over one stretch of versions."""

    text: str
    stretch: Stretch
    status: Status = "active"
    method: str = ""
    why: str = ""


class Row(Struct, frozen=True):
    """A fact that changed over the versions, e.g. a default or a merge rule."""

    value: str
    stretch: Stretch = ALL_VERSIONS
    message: str = ""


def at(rows: Iterable[Row], version: Version) -> Row | None:
    """The row that surely holds at a version."""
    return next((row for row in rows if row.stretch.holds(version)), None)


class Option(Struct, frozen=True):
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


STOPS = "does not start"


class Surface(Struct, frozen=True):
    """A place where options can be said, and what the engine does there with a name it does not know.

    derived_from  surfaces whose names are taken here too, without their leading dashes (keys of a configuration file)
    exhaustive    nothing but speculative options is said here: an unknown name is a slip, whatever it resembles
    holder        the option whose value holds the names that are said here: keys of an object
    stops         what the engine does at something fatal said here: `does not start`, `refuses this file`
    title         how people call a name that is said here: "`PARAMETER {spelling}` in the Modelfile"
    """

    name: str
    unknown: tuple[Row, ...] = (Row("fatal"),)
    stretch: Stretch = ALL_VERSIONS
    derived_from: tuple[str, ...] = ()
    exhaustive: bool = False
    holder: str = ""
    stops: str = STOPS
    title: str = ""


class PlainOptions(Struct, frozen=True, eq=False):
    """Options that have nothing to do with speculation: hundreds of names, of which a launch uses few.

    spellings  (surface, spelling) -> ids
    build      makes the option of an id; called when it is first asked for
    """

    spellings: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    ids: frozenset[str] = frozenset()
    build: Callable[[str], Option] = Option


class _Options(Mapping[str, Option]):
    """Options by id; plain ones are made on first use."""

    def __init__(self, options: Iterable[Option], plain: PlainOptions) -> None:
        self._made = {option.id: option for option in options}
        self._plain = plain

    def __getitem__(self, id_: str) -> Option:
        if id_ not in self._made and id_ in self._plain.ids:
            self._made[id_] = self._plain.build(id_)
        return self._made[id_]

    def __contains__(self, id_: object) -> bool:
        return id_ in self._made or id_ in self._plain.ids

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self._made), **dict.fromkeys(sorted(self._plain.ids))})

    def __len__(self) -> int:
        return len({*self._made, *self._plain.ids})


def bare(spelling: str) -> str:
    """A spelling without its leading dashes, as a key of a configuration file."""
    return spelling.lstrip("-")


def _carried(periods: Sequence[Period], surface: str, sources: Sequence[str]) -> Iterator[Period]:
    """The periods of a spelling on a surface that takes names from the one they are of, and from all `sources`.

    A name that nobody reads any more is no name there; what to write instead stays with the last period of the name.
    """
    for place, period in enumerate(periods):
        following = periods[place + 1] if place + 1 < len(periods) else None
        gone = following is not None and following.status == "unread"
        replacements = following.replace if gone and following is not None else period.replace
        if period.status != "unread":
            yield replace(
                period,
                surface=surface,
                spelling=bare(period.spelling),
                replace=tuple(
                    replace(row, surface="", spelling=bare(row.spelling))
                    if row.spelling is not None and row.surface in ("", *sources)
                    else row
                    for row in replacements
                ),
            )


class Counterpart(Struct, frozen=True):
    """The option that says a setting which several engines have, and what holds when nothing says it ("": unknown)."""

    option: str
    default: str = ""


class Counterparts(Struct, frozen=True):
    """What an engine has in common with others beside speculation.

    weights   what the name of a model stands for, of `common/counterparts.toml`; empty where it is not known
    settings  options by the id of the setting that they say
    """

    weights: str = ""
    settings: Mapping[str, Counterpart] = field(default_factory=dict)


class OptionHistory:
    """All options of one engine over all versions that were examined.

    options     all of them by id; `speculative` holds those that are about speculation
    facts       behaviour that changed over the versions, by name
    never       spellings that people write and no version knows -> the option that is meant
    namespaces  beginnings of names that would be speculative options: an unknown one is no stranger's
    counterparts  what options say that other engines have options for too
    distinctive   flags that are this engine's alone: seen at another one, they were copied from the wrong guide
    """

    def __init__(
        self,
        engine: str,
        versions: Sequence[Version],
        options: Iterable[Option],
        plain: PlainOptions | None = None,
        surfaces: Iterable[Surface] = (),
        programs: Mapping[str, tuple[Row, ...]] | None = None,
        facts: Mapping[str, tuple[Row, ...]] | None = None,
        never: Mapping[str, str] | None = None,
        namespaces: Iterable[str] = (),
        counterparts: Counterparts | None = None,
        distinctive: Iterable[str] = (),
    ) -> None:
        self.engine = engine
        self.versions = tuple(versions)
        self.speculative = tuple(options)
        self._plain = plain or PlainOptions()
        self.options: Mapping[str, Option] = _Options(self.speculative, self._plain)
        self.surfaces = {surface.name: surface for surface in surfaces}
        self.programs = dict(programs or {})
        self.facts = dict(facts or {})
        self.never = dict(never or {})
        self.namespaces = tuple(namespaces)
        self.counterparts = counterparts or Counterparts()
        self.distinctive = tuple(distinctive)
        if any(surface.derived_from for surface in self.surfaces.values()):
            self.never = {bare(spelling): meant for spelling, meant in self.never.items()} | self.never
            self.namespaces = tuple(dict.fromkeys((*self.namespaces, *map(bare, self.namespaces))))
        self._sorted: dict[str, list[str]] = {}
        self._by_spelling: dict[tuple[str, str], list[Period]] = {}
        for option in self.speculative:
            for period in option.periods:
                self._by_spelling.setdefault((period.surface, period.spelling), []).append(period)

    def type(self, option: str, version: Version) -> str:
        """How an option is parsed at a version, e.g. flag | bool | optional | int | float | string | list | json."""
        row = at(self.options[option].types, version)
        return row.value if row else "string"

    def methods(self) -> Sequence[str]:
        """All ways to draft that the option of the method names, those that only this engine knows among them."""
        options = (option for option in self.speculative if option.spec_field == "methods")
        return tuple(dict.fromkeys(choice.method for option in options for choice in option.values if choice.method))

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
        key = (surface, spelling)
        found = self._by_spelling.get(key)
        if found is None:
            ids = self._plain.spellings.get(key, ())
            found = [p for id_ in ids for p in self.options[id_].periods if (p.surface, p.spelling) == key]
            for source in self._sources(surface) if bare(spelling) == spelling else ():
                for dashes in ("--", "-", ""):
                    found += _carried(self.periods(source, dashes + spelling), surface, self._sources(surface))
            self._by_spelling[key] = found
        return found

    def _sources(self, surface: str) -> tuple[str, ...]:
        """The surfaces that a surface takes its names from."""
        return self.surfaces[surface].derived_from if surface in self.surfaces else ()

    def stops(self, surface: str) -> str:
        """What the engine does at something fatal on a surface."""
        return self.surfaces[surface].stops if surface in self.surfaces else STOPS

    def derived(self, surface: str) -> bool:
        """Whether a surface takes its names from others: the keys of a configuration file."""
        return bool(self._sources(surface))

    def spellings(self, surface: str) -> Iterator[str]:
        """Every spelling of the options about speculation that was ever known on a surface."""
        sources = self._sources(surface)
        periods = (period for option in self.speculative for period in option.periods)
        known = (
            bare(p.spelling) if p.surface in sources else p.spelling
            for p in periods
            if p.surface == surface or p.surface in sources
        )
        return iter(dict.fromkeys(known))

    def names(self, surface: str) -> Iterator[str]:
        """Every spelling of any option that was ever known on a surface; those about speculation come first."""
        plain = (spelling for where, spelling in self._plain.spellings if where == surface)
        return iter(dict.fromkeys((*self.spellings(surface), *plain)))

    def completions(self, surface: str, beginning: str) -> list[str]:
        """Every spelling that was ever known on a surface and begins so, in the order of the alphabet."""
        if surface not in self._sorted:
            self._sorted[surface] = sorted(self.names(surface))
        names = self._sorted[surface]
        first = bisect_left(names, beginning)
        return list(takewhile(lambda name: name.startswith(beginning), names[first:]))

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
        for source in self._sources(surface):
            if (found_there := self.current_spelling(option, source, version, program)) is not None:
                return bare(found_there)
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
