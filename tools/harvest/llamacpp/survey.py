"""Finding where speculative options changed, with few downloads.

Some builds are read at regular distances; between two neighbours that differ, the middle one is read,
until the two are adjacent among the builds that can be had.  A change that was undone between two builds
of the first pass would be missed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from . import snapshot
from .builds import Build
from .snapshot import Snapshot

STRIDE = 12  # builds between two of the first pass
DRIFT = 40  # an inexact build is taken to be at most this many commits newer than its label


def aspects(one: Snapshot) -> dict[str, Any]:
    """Return what counts as a change: one entry per thing that is followed to adjacent builds."""
    found: dict[str, Any] = {"types": one.spec_types, "message": one.spec_type_message, "request": one.request}
    for option in one.options:
        if option.speculative:
            found[f"option {option.flags[0]} {','.join(option.programs)}"] = option
    for target, default in one.defaults.items():
        found[f"default {target}"] = default
    for program, example in one.programs.items():
        found[f"program {program}"] = example
    for marker in snapshot.MARKERS:
        found[f"marker {marker}"] = marker in one.markers
    return found


def differing(older: Snapshot, newer: Snapshot) -> set[str]:
    """Return the aspects in which two builds differ.

    A distribution without the examples folder lacks programs; a missing program is no difference.
    """
    left, right = aspects(older), aspects(newer)
    return {
        name
        for name in left.keys() | right.keys()
        if left.get(name) != right.get(name)
        and not (name.startswith("program ") and (name not in left or name not in right))
    }


def run(known: Sequence[Build], offline: bool = False, say: Callable[[str], None] = lambda _: None) -> list[Snapshot]:
    """Return the snapshots that were needed, ascending."""
    read: dict[int, Snapshot] = {}

    def look(index: int) -> Snapshot:
        if index not in read:
            say(f"reading {known[index].name} from {known[index].sdist.key}")
            read[index] = snapshot.of(known[index], offline)
        return read[index]

    def narrow(low: int, high: int) -> None:
        change = differing(look(low), look(high))
        if not change:
            return
        between = sorted(range(low + 1, high), key=lambda index: abs(2 * index - low - high))
        for middle in between:
            if _placeable(known[middle], known[high], look(low), look(middle), change):
                narrow(low, middle)
                narrow(middle, high)
                return
            del read[middle]
            say(f"{known[middle].name} left out: it may be newer than its label, and than {known[high].name}")

    first = [*range(0, len(known) - 1, STRIDE), len(known) - 1]
    first = [i for i in first if known[i].exact or not _next_is_near(known, i)]
    for low, high in pairwise(first):
        narrow(low, high)
    return [read[index] for index in sorted(read)]


def _next_is_near(known: Sequence[Build], index: int) -> bool:
    later = known[index + 1 :]
    return bool(later) and later[0].exact and later[0].number - known[index].number < DRIFT


def _placeable(middle: Build, high: Build, older: Snapshot, this: Snapshot, change: set[str]) -> bool:
    """Whether ``middle`` is certainly older than ``high``, or exact."""
    if middle.exact or not high.exact or high.number - middle.number >= DRIFT:
        return True
    left, here = aspects(older), aspects(this)
    return any(left.get(name) == here.get(name) for name in change)
