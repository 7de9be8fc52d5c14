"""What cannot be read mechanically: merged into the harvest, and checked against it.

``llamacpp_curated.toml`` beside this package holds ids, meanings, replacements and exact builds known
from release notes.  A refinement that does not lie inside a harvested interval is an error, as is an entry
that matches nothing: then the sources and the curated facts disagree.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..intervals import Pair, Run
from ..pypi import HarvestError

PATH = Path(__file__).parent.parent / "llamacpp_curated.toml"


def number(build: str) -> int:
    """Return the number of ``bNNNN``; 0 for "" (before everything that was read)."""
    return int(build[1:]) if build else 0


@dataclass
class Curated:
    """The curated facts, and which of them have been used."""

    surfaces: list[dict[str, Any]]
    programs: dict[str, dict[str, Any]]
    refinements: list[dict[str, Any]]
    options: dict[str, dict[str, Any]]
    used: set[int] = field(default_factory=set)

    def option(self, name: str) -> dict[str, Any]:
        """Return the entry of one option; {} when nothing is curated."""
        return self.options.get(name, {})

    def owner(self, flag: str) -> str | None:
        """Return the option that a separately registered spelling belongs to."""
        return next((name for name, entry in self.options.items() if flag in entry.get("absorbs", ())), None)

    def request_owner(self, request_field: str) -> str:
        """Return the option that a request field sets."""
        for name, entry in self.options.items():
            if request_field in entry.get("request", {}):
                return name
        raise HarvestError(f"request field {request_field} is not assigned to an option in {PATH.name}")

    def refine(self, item: str, run: Run) -> Run:
        """Return ``run`` with the boundaries that an exact build is known for."""
        since = self._narrow(item, run.since)
        until = self._narrow(item, run.until) if run.until else None
        return Run(run.value, since, until)

    def _narrow(self, item: str, pair: Pair) -> Pair:
        for index, fact in enumerate(self.refinements):
            low, high = fact["to"]
            inside = number(pair[0]) <= number(low) and number(high) <= number(pair[1])
            if "within" in fact:  # everything that changed together
                meant = list(pair) == fact["within"]
            else:
                meant = item in fact["items"] or item.partition(" ")[0] in fact["items"]
            if meant and inside:
                self.used.add(index)
                return (low, high)
        return pair

    def check_used(self, harvested: set[str]) -> None:
        """Fail when a curated fact found nothing to be about.

        Args:
            harvested: the option ids that the sources gave.

        """
        for index, fact in enumerate(self.refinements):
            if index not in self.used:
                about = ", ".join(fact.get("items", fact.get("within", ())))
                raise HarvestError(f"{PATH.name}: {fact['to']} lies inside no harvested interval of {about}")
        unknown = sorted(self.options.keys() - harvested)
        if unknown:
            raise HarvestError(f"{PATH.name}: no such option in the sources: {', '.join(unknown)}")


def load(path: Path = PATH) -> Curated:
    """Read the curated facts."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return Curated(
        surfaces=data["surface"],
        programs=data.get("programs", {}),
        refinements=data.get("refine", []),
        options=data.get("options", {}),
    )
