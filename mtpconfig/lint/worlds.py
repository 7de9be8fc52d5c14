"""The ways in which the branches around a launch's words can go.

In one world each branch takes one arm, and the launch is a plain list of words. A rule that holds in any world holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, product
from math import prod

from msgspec.structs import replace

from mtpconfig.launch import Guard, Launch

_NO_ARM = -1

LIMIT = 64
"""Worlds looked at for one launch; where all are more, a choice of them."""

Arm = tuple[int, int]


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
    choices: list[list[Arm]] = [
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


def _combinations(choices: Sequence[Sequence[Arm]]) -> Iterator[frozenset[Arm]]:
    """All combinations of arms; where these are too many, few in which each arm stands beside each of another branch.

    Any two branches have numbers that differ in some binary digit. So with each digit as a switch between the first arm
    and another one, both ways, all pairs of a first and another arm are met, and all branches on the same arm give the
    others. Pairs of two different later arms are not looked for; each arm is looked at in any case.
    """
    if prod(map(len, choices)) <= LIMIT:
        yield from map(frozenset, product(*choices))
        return
    digits = range((len(choices) - 1).bit_length())
    most = range(1, max(map(len, choices)))
    same = [[arms[min(arm, len(arms) - 1)] for arms in choices] for arm in (0, *most)]
    switched = (
        [arms[min(arm, len(arms) - 1)] if (place >> digit & 1) == on else arms[0] for place, arms in enumerate(choices)]
        for arm in most
        for digit in digits
        for on in (1, 0)
    )
    yield from map(frozenset, islice(chain(same, switched), max(LIMIT, len(same))))
