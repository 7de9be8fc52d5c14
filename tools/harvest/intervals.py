"""From what single versions show to when it changed.

A change is only known to lie between two neighbours that were read, so ``since`` is the pair
(last version seen without, first version seen with) and ``until`` (last with, first without).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Pair = tuple[str, str]


@dataclass(frozen=True)
class Run:
    """One value over neighbouring versions.  ``until`` is None when the newest version shows it."""

    value: Any
    since: Pair
    until: Pair | None


def runs(versions: Sequence[str], observe: Callable[[str], Any]) -> list[Run]:
    """Return the runs of equal values, oldest first; None means absent and is left out.

    Values are compared with ``==``.  The first version's ``since`` begins with "", as what was
    before it is not known.
    """
    found: list[Run] = []
    current: Any = None
    since: Pair = ("", "")
    before = ""
    for version in versions:
        now = observe(version)
        if now != current:
            if current is not None:
                found.append(Run(current, since, (before, version)))
            current, since = now, (before, version)
        before = version
    if current is not None:
        found.append(Run(current, since, None))
    return found


def window(run: Run) -> dict[str, Any]:
    """Return the run's ``since`` and, when over, ``until`` as TOML row parts."""
    row: dict[str, Any] = {"since": list(run.since)}
    if run.until is not None:
        row["until"] = list(run.until)
    return row
