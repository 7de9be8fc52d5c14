"""The ways in which the branches around a launch's words can go.

In one world each branch takes one arm, and the launch is a plain list of words. A rule that holds in any world holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod

from msgspec.structs import replace

from mtpconfig.launch import Guard, Launch

_NO_ARM = -1

LIMIT = 64
"""Worlds looked at for one launch in full; beyond it each arm is looked at once."""


def worlds(launch: Launch, matters: Callable[[int], bool] = lambda branch: True) -> Iterator[Launch]:
    """The launch in each of its worlds; the launch itself where nothing depends on a branch.

    A branch of which not all arms are known may also take none of them. One that does not matter takes its first arm.
    """
    guards: list[Guard] = [word.guard for word in launch.argv] + [given.guard for given in launch.given]
    arms: dict[int, set[int]] = {}
    for guard in guards:
        for branch, arm in guard:
            arms.setdefault(branch, set()).add(arm)
    if not arms:
        yield launch
        return
    choices = [
        [
            (branch, arm)
            for arm in (launch.exhaustive.get(branch) or (*sorted(seen), _NO_ARM))[: None if matters(branch) else 1]
        ]
        for branch, seen in sorted(arms.items())
    ]
    for taken in _combinations(choices):
        yield replace(
            launch,
            argv=tuple(word for word in launch.argv if word.guard <= taken),
            given=tuple(given for given in launch.given if given.guard <= taken),
        )


def _combinations(choices: Sequence[Sequence[tuple[int, int]]]) -> Iterator[frozenset[tuple[int, int]]]:
    """All combinations of arms; where these are too many, each arm once beside the first arms of the others."""
    if prod(map(len, choices)) <= LIMIT:
        yield from map(frozenset, product(*choices))
        return
    first = [arms[0] for arms in choices]
    yield frozenset(first)
    for place, arms in enumerate(choices):
        for arm in arms[1:]:
            yield frozenset([*first[:place], arm, *first[place + 1 :]])
