"""The ways in which the branches around a launch's words can go.

In one world each branch takes one arm, and the launch is a plain list of words. A rule that holds in any world holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from mtpconfig.launch import Guard, Launch

_NO_ARM = -1

LIMIT = 64
"""Worlds looked at for one launch; beyond it the rest is left unsaid."""


def worlds(launch: Launch) -> Iterator[Launch]:
    """The launch in each of its worlds; the launch itself where nothing depends on a branch.

    A branch of which not all arms are known may also take none of them.
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
        [(branch, arm) for arm in launch.exhaustive.get(branch) or (*sorted(seen), _NO_ARM)]
        for branch, seen in sorted(arms.items())
    ]
    for count, world in enumerate(product(*choices)):
        if count >= LIMIT:
            return
        taken = frozenset(world)
        yield replace(
            launch,
            argv=tuple(word for word in launch.argv if word.guard <= taken),
            given=tuple(given for given in launch.given if given.guard <= taken),
        )
