"""What a `for` loop leaves behind: the turns that its words make, told apart where words stand in branches."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.carriers.shell.scope import MOST_CHOICES, Array, Choice, Scalar, Scope, Variable
from mtpconfig.launch import Guard, exclude
from mtpconfig.text import Span

MOST_TURNS = 300
"""Turns that are followed in one layer, those of loops inside loops included."""

_MOST_WORLDS = 8


class Loop(Struct, frozen=True):
    """A loop whose turns are known: its variable, the words that this holds in turn, the place of its body."""

    name: str
    items: Sequence[Item]
    body: Span


def run_turns(
    loop: Loop, scope: Scope, before: Scope, arms: Mapping[int, tuple[int, ...]], turn: Callable[[Scope], None]
) -> int:
    """Let a scope become what all turns of a loop leave behind; the number of turns, 0 where that grows beyond use.

    before  the variables as they were in front of the loop
    turn    carries out the body once
    """
    found = _worlds(loop.items, arms)
    turns = sum(len(items) for _, items in found)
    if not 0 < turns <= MOST_TURNS:
        return 0
    ends: list[tuple[Guard, Scope]] = []
    for guard, items in found:
        world = before.copy()
        for item in items:
            world.assign(loop.name, Scalar((Choice(item.runs),)))
            turn(world)
        ends.append((guard, world))
    names = {name for _, world in ends for name in world.appended}
    if any(_outgrown(world.variables.get(name)) for _, world in ends for name in names):
        return 0
    for _, world in ends:
        for name in names & world.variables.keys():
            world.variables[name] = _repeated(world.variables[name], loop.body) if turns > 1 else world.variables[name]
    scope.become(ends)
    return turns


def _outgrown(value: Variable | None) -> bool:
    if isinstance(value, Array):
        return bool(value.open)
    return value is not None and len(value.choices) > MOST_CHOICES // _MOST_WORLDS


def _repeated(value: Variable, body: Span) -> Variable:
    """A value in which what every turn writes again is not edited for one of them."""

    def marked(runs: Sequence[Run]) -> tuple[Run, ...]:
        return tuple(replace(run, shared=run.shared or _inside(run.origin, body)) for run in runs)

    if isinstance(value, Array):
        return Array(tuple(replace(item, runs=marked(item.runs), home=None) for item in value.items), value.open)
    return Scalar(tuple(replace(choice, runs=choice.runs and marked(choice.runs)) for choice in value.choices))


def _inside(origin: Span | None, body: Span) -> bool:
    return origin is not None and body.start <= origin.start and origin.end <= body.end


def _worlds(items: Sequence[Item], arms: Mapping[int, tuple[int, ...]]) -> list[tuple[Guard, list[Item]]]:
    """The words in each combination of the arms that they stand in; empty if there are too many."""
    branches = sorted({branch for item in items for branch, _ in item.guard})
    if any(branch not in arms for branch in branches):
        return []
    total = 1
    for branch in branches:
        total *= len(arms[branch])
        if total > _MOST_WORLDS:
            return []
    taken = (frozenset(zip(branches, chosen)) for chosen in itertools.product(*(arms[branch] for branch in branches)))
    return [(guard, [item for item in items if not exclude(item.guard, guard)]) for guard in taken]
