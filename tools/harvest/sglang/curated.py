"""What cannot be read mechanically: merged into the harvest, and checked against it.

``sglang_curated.toml`` beside this package holds meanings, replacements and behaviour.  It names releases by the first
that has something and the last that has it (``first``, ``last``); the intervals are made from the list of releases.
An entry that fits nothing in the sources stops the run: then the sources and the curated facts disagree.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..pypi import HarvestError

PATH = Path(__file__).parent.parent / "sglang_curated.toml"
_TABLES = frozenset({"schema", "engine", "surface", "options", "fact", "never", "namespaces"})
_KEYS = frozenset({"field", "fields", "merge", "values", "then", "never", "evidence", "env", "type"})

Row = dict[str, Any]


@dataclass
class Curated:
    """The curated facts."""

    versions: Sequence[str]
    surfaces: list[Row]
    options: dict[str, Row]
    facts: list[Row]
    never: dict[str, str]
    namespaces: list[str]
    _asked: set[str] = field(default_factory=set)

    def option(self, name: str) -> Row:
        """Return the entry of one option; {} when nothing is curated."""
        self._asked.add(name)
        return self.options.get(name, {})

    def owner(self, dest: str) -> str | None:
        """Return the option that a field belongs to, where it is said."""
        return next((name for name, entry in self.options.items() if dest in entry.get("fields", ())), None)

    def check_used(self) -> None:
        """Fail when an entry is about an option that the sources do not have."""
        for name in self.options.keys() - self._asked:
            raise HarvestError(f"{PATH.name}: no release has the option {name}")

    def window(self, row: Row) -> Row:
        """Return ``row`` with ``first`` and ``last`` turned into intervals.

        Raises:
            HarvestError: a release that is named does not exist.

        """
        found = {key: value for key, value in row.items() if key not in ("first", "last")}
        if "first" in row:
            place = self._place(row["first"])
            found["since"] = [self.versions[place - 1] if place else "", row["first"]]
        if "last" in row:
            place = self._place(row["last"]) + 1
            if place == len(self.versions):
                raise HarvestError(f"{PATH.name}: {row['last']} is the newest release: leave `last` out")
            found["until"] = [row["last"], self.versions[place]]
        return found

    def windows(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Return several rows with intervals."""
        return (self.window(row) for row in rows)

    def _place(self, version: str) -> int:
        if version not in self.versions:
            raise HarvestError(f"{PATH.name}: there is no release {version}")
        return self.versions.index(version)


def load(versions: Sequence[str]) -> Curated:
    """Read the curated facts.

    Raises:
        HarvestError: a key that has no meaning.

    """
    data = tomllib.loads(PATH.read_text(encoding="utf-8"))
    for name in data.keys() - _TABLES:
        raise HarvestError(f"{PATH.name}: unknown table {name}")
    for option, entry in data["options"].items():
        for name in entry.keys() - _KEYS:
            raise HarvestError(f"{PATH.name}: {option}: unknown key {name}")
    return Curated(
        versions,
        data["surface"],
        data["options"],
        data.get("fact", []),
        data.get("never", {}),
        data.get("namespaces", []),
    )
