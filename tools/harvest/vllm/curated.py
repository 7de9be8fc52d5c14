"""What cannot be read from vLLM's sources mechanically: merged into the harvest, and checked against it.

``vllm_curated.toml`` beside this package holds ids, meanings and replacements. An entry that matches nothing is an
error: then the sources and the curated facts disagree.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..pypi import HarvestError

PATH = Path(__file__).parent.parent / "vllm_curated.toml"
Row = dict[str, Any]


@dataclass
class Curated:
    """The curated facts.

    Attributes:
        surfaces: what each surface does with a name that it does not know; since/until name markers.
        options: facts by option id.

    """

    surfaces: list[Row]
    options: dict[str, Row]

    def option(self, name: str) -> Row:
        """Return the entry of one option; {} when nothing is curated."""
        return self.options.get(name, {})

    def owner(self, dest: str) -> str:
        """Return the id of the option that a flag or keyword argument sets."""
        for name, entry in self.options.items():
            if dest in entry.get("set_by", ()):
                return name
        return dest.replace("_", "-")

    def check(self, harvested: set[str], dests: set[str]) -> None:
        """Fail when a curated fact found nothing to be about.

        Args:
            harvested: the option ids that the sources gave.
            dests: the attributes that flags and keyword arguments set.

        """
        unknown = sorted(self.options.keys() - harvested)
        unknown += sorted({dest for entry in self.options.values() for dest in entry.get("set_by", ())} - dests)
        if unknown:
            raise HarvestError(f"{PATH.name}: not in the sources: {', '.join(unknown)}")


def load(path: Path = PATH) -> Curated:
    """Read the curated facts."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return Curated(surfaces=data["surface"], options=data["options"])
