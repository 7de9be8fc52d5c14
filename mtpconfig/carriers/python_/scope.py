"""What the names of a program stand for at one place, as far as the text tells.

Entering a branch copies the scope, leaving it merges the copies: what only some arms did comes back with a guard.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from mtpconfig.carriers.python_.values import Items, Table, Value, either
from mtpconfig.launch import Guard


class Branches:
    """Numbers for branches; `if` has two arms, always one of them is taken."""

    def __init__(self, depth: int) -> None:
        # A shell's own are numbered upward, a template's downward from -1: texts inside texts stay apart.
        self._numbers = itertools.count(-(depth + 1) << 20, -1)
        self._arms: dict[int, tuple[int, ...]] = {}

    def new(self, arms: int = 2) -> int:
        """A branch that takes one of so many arms."""
        number = next(self._numbers)
        self._arms[number] = tuple(range(arms))
        return number

    def arms(self, guards: Sequence[Guard]) -> Mapping[int, tuple[int, ...]]:
        """The arms of the branches in some guards."""
        return {branch: self._arms[branch] for guard in guards for branch, _ in guard if branch in self._arms}


class Scope(Struct):
    """Names (dotted ones for attributes) and the environment.

    changed  names that were set since this copy was made
    ended    whether the program does not get past this place
    """

    names: dict[str, Value] = field(default_factory=dict)
    environ: Table = field(default_factory=lambda: Table(()))
    changed: set[str] = field(default_factory=set)
    ended: bool = False
    returned: list[Value] = field(default_factory=list)

    def copy(self) -> Scope:
        """An independent scope with the same contents."""
        return Scope(dict(self.names), self.environ, set(), self.ended, self.returned)

    def set(self, name: str, value: Value) -> None:
        """Give a name a value; attributes of what it was before are forgotten."""
        self.names[name] = value
        self.changed.add(name)

    def forget(self, name: str) -> None:
        """Nothing is known of a name from here on."""
        self.names.pop(name, None)
        self.changed.add(name)

    def join(self, branch: int, arms: Sequence[Scope]) -> None:
        """Become what the arms of a branch leave behind."""
        living = [(number, arm) for number, arm in enumerate(arms) if not arm.ended]
        if not living:
            self.ended = True
            living = list(enumerate(arms))
        for name in set().union(*(arm.changed for _, arm in living)):
            values = [(number, arm.names.get(name)) for number, arm in living]
            merged = _merged(branch, values)
            self.changed.add(name)
            if merged is None:
                self.names.pop(name, None)
            else:
                self.names[name] = merged
        environ = _merged(branch, [(number, arm.environ) for number, arm in living])
        self.environ = environ if isinstance(environ, Table) else Table((), "a branch")


def _merged(branch: int, values: Sequence[tuple[int, Value | None]]) -> Value | None:
    first = values[0][1]
    if all(value is first for _, value in values):
        return first
    lists = [(arm, value) for arm, value in values if isinstance(value, Items)]
    if len(lists) == len(values):
        return _merged_items(branch, lists)
    tables = [(arm, value) for arm, value in values if isinstance(value, Table)]
    if len(tables) == len(values):
        return _merged_tables(branch, tables)
    if any(value is None for _, value in values):
        return None  # not set on every way: what is set may still be unknown
    return either([(frozenset({(branch, arm)}), value) for arm, value in values if value is not None])


def _merged_items(branch: int, lists: Sequence[tuple[int, Items]]) -> Items:
    """What all arms begin with, then what each arm holds beyond it."""
    entries = [value.entries for _, value in lists]
    common = 0
    while all(len(each) > common and each[common] is entries[0][common] for each in entries):
        common += 1
    own = [
        replace(entry, guard=entry.guard | {(branch, arm)}) for arm, value in lists for entry in value.entries[common:]
    ]
    why = next((value.open for _, value in lists if value.open), "")
    base = Items(entries[0][:common], why, lists[0][1].span)
    return base.plus(Items(tuple(own)))


def _merged_tables(branch: int, tables: Sequence[tuple[int, Table]]) -> Table:
    """The pairs that all arms hold, and those of some arms with their guards."""
    held = [{id(pair) for pair in value.pairs} for _, value in tables]
    common = set.intersection(*held)
    pairs = [pair for pair in tables[0][1].pairs if id(pair) in common]
    pairs += [
        replace(pair, guard=pair.guard | {(branch, arm)})
        for arm, value in tables
        for pair in value.pairs
        if id(pair) not in common
    ]
    why = next((value.open for _, value in tables if value.open), "")
    return Table(tuple(pairs), why, tables[0][1].span)
