"""The releases side by side: which option a spelling belongs to, and from when to when it means what."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from typing import Any

from .. import intervals
from ..intervals import Run
from .curated import Curated
from .snapshot import ALGORITHM, Snapshot
from .table import OptionDef

Row = dict[str, Any]
_FULL = "speculative-"
ANY = "*"


class History:
    """All releases, read as options."""

    def __init__(self, snapshots: Sequence[Snapshot], curated: Curated) -> None:
        self.snapshots = snapshots
        self.curated = curated
        self.versions = [one.version for one in snapshots]
        self._by_version = {one.version: one for one in snapshots}

    # --- which option

    @cached_property
    def _owners(self) -> dict[str, str]:
        """Field -> option.  Fields that were set by one flag, in different releases, are one option."""
        groups: dict[str, set[str]] = {}
        by_flag: dict[str, str] = {}
        for one in self.snapshots:
            for option in one.options:
                group = groups.setdefault(option.dest, {option.dest})
                for flag in option.flags:
                    other = by_flag.setdefault(flag, option.dest)
                    if groups[other] is not group:
                        group |= groups[other]
                        for dest in group:
                            groups[dest] = group
        names: dict[str, str] = {}
        for one in reversed(self.snapshots):
            for option in sorted(one.options, key=lambda option: option.deprecated):
                members = groups[option.dest]
                if not any(dest in names for dest in members):
                    names |= dict.fromkeys(members, _long(option.flags).lstrip("-"))
        for dest in names:
            names[dest] = self.curated.owner(dest) or names[dest]
        return names

    def owner(self, dest: str) -> str:
        """Return the option that a field belongs to: the newest long flag without its dashes."""
        return self._owners.get(dest) or self.curated.owner(dest) or dest.replace("_", "-")

    @cached_property
    def _definitions(self) -> dict[str, dict[str, list[OptionDef]]]:
        """Option -> version -> what is registered for it; the current spelling first."""
        found: dict[str, dict[str, list[OptionDef]]] = {}
        for one in self.snapshots:
            for option in one.options:
                found.setdefault(self.owner(option.dest), {}).setdefault(one.version, []).append(option)
        for versions in found.values():
            for options in versions.values():
                options.sort(key=lambda option: option.deprecated)
        return found

    @cached_property
    def _fields(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for one in self.snapshots:
            for name in one.fields:
                known = found.setdefault(self.owner(name), [])
                if name not in known:
                    known.append(name)
        return found

    @cached_property
    def variables(self) -> list[str]:
        """Every variable that some release reads."""
        return sorted({name for one in self.snapshots for name in one.variables})

    def ids(self, full: bool) -> list[str]:
        """Return the options that are told in full, or the others."""
        known = {*self._definitions, *self._fields}
        return sorted(name for name in known if self.is_full(name) is full)

    def is_full(self, name: str) -> bool:
        """Whether an option is about speculation, or rules speak of it in detail."""
        return name.startswith(_FULL) or name in self.curated.options

    # --- runs

    def runs(self, observe: Callable[[Snapshot], Any]) -> list[Run]:
        """Return the runs of what is seen in a release; None is absence."""
        return intervals.runs(self.versions, lambda version: observe(self._by_version[version]))

    def scalar(self, name: str, look: Callable[[OptionDef], Any]) -> list[Run]:
        """Return the runs of a property of the option's current registration."""
        definitions = self._definitions.get(name, {})
        return self.runs(lambda one: look(definitions[one.version][0]) if one.version in definitions else None)

    def spellings(self, name: str) -> dict[str, list[Run]]:
        """Flag -> runs of (type, status, what is named instead, whether it negates)."""
        definitions = self._definitions.get(name, {})
        seen: dict[str, dict[str, tuple[str, str, str, bool]]] = {}
        for version, options in definitions.items():
            for option in options:
                for flag, negates in _flags(option):
                    meaning = option.type, _status(option, flag), option.instead, negates
                    seen.setdefault(flag, {}).setdefault(version, meaning)
        return {flag: intervals.runs(self.versions, seen[flag].get) for flag in sorted(seen)}

    def keywords(self, name: str) -> dict[str, list[Run]]:
        """Field -> runs of its presence."""
        return {
            field: self._presence(_having(self.snapshots, "fields", field))
            for field in sorted(self._fields.get(name, ()))
        }

    def choices(self, name: str) -> dict[str, list[Run]]:
        """Word -> runs in which the option takes it, ``*`` standing for any word; {} where it always takes any."""
        if name == self.owner(ALGORITHM):
            sets = {one.version: one.words() for one in self.snapshots}
        else:
            definitions = self._definitions.get(name, {})
            sets = {v: options[0].choices or (ANY,) for v, options in definitions.items()}
            if all(found == (ANY,) for found in sets.values()):
                return {}
        words = sorted({word for found in sets.values() for word in found})
        return {word: self._presence({v for v, found in sets.items() if word in found}) for word in words}

    def _presence(self, versions: Collection[str]) -> list[Run]:
        return intervals.runs(self.versions, lambda version: True if version in versions else None)

    def variable(self, name: str) -> list[Run]:
        """Return the runs in which a variable is read."""
        return self._presence(_having(self.snapshots, "variables", name))

    def triples(self) -> dict[str, list[Run]]:
        """Architecture -> runs of the triple that is chosen for it."""
        names = sorted({name for one in self.snapshots for name in one.triples})
        chosen = {name: {one.version: one.triples.get(name) for one in self.snapshots} for name in names}
        return {name: intervals.runs(self.versions, chosen[name].get) for name in names}

    def plain_rows(self, name: str) -> list[Row]:
        """Return the rows of an option that is only known by its spellings."""
        definitions = self._definitions.get(name, {})
        fields = self._fields.get(name, [])

        def look(one: Snapshot) -> Row | None:
            options = definitions.get(one.version, [])
            pairs = [pair for option in options for pair in _flags(option)]
            row = {
                "flags": _one([flag for flag, negates in pairs if not negates]),
                "no_flags": _one([flag for flag, negates in pairs if negates]),
                "kwarg": _one([field for field in fields if field in one.fields]),
                "type": options[0].type if options else "string",
            }
            return (
                {key: part for key, part in row.items() if part} if len(row) > 1 and (pairs or row["kwarg"]) else None
            )

        return [{**run.value, **intervals.window(run)} for run in self.runs(look)]


def _having(snapshots: Iterable[Snapshot], what: str, name: str) -> set[str]:
    """The releases whose fields, or variables, hold a name."""
    return {one.version for one in snapshots if name in getattr(one, what)}


def _one(items: Iterable[str]) -> str | list[str]:
    found = list(items)
    return found[0] if len(found) == 1 else found


def _flags(option: OptionDef) -> list[tuple[str, bool]]:
    """The spellings of a registration, each with whether it negates."""
    found = [(flag, False) for flag in option.flags]
    if option.type == "bool":
        found += [("--no-" + flag.removeprefix("--"), True) for flag in option.flags if flag.startswith("--")]
    return found


def _long(flags: Sequence[str]) -> str:
    return next((flag for flag in flags if flag.startswith("--")), flags[0])


def _status(option: OptionDef, flag: str) -> str:
    if option.deprecated:
        return "deprecated"
    return "active" if flag == _long(option.flags) or option.type == "bool" else "alias"
