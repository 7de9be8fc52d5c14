"""What the variables of a script hold at one place, as far as the text tells.

Each variable keeps its alternatives with the branch that each was assigned in. Entering a branch copies the scope,
leaving it merges the copies, and what only some arms assigned comes back with a guard.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from mtpconfig.carriers.shell.rows import Home
from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.launch import ALWAYS, Guard, exclude
from mtpconfig.text import Span

MOST_CHOICES = 32
MOST_RUNS = 500
MOST_ITEMS = 2000


class Binding(Struct, frozen=True):
    """Where a variable was assigned: its name, the whole assignment, and its place in its statement."""

    name: Span
    whole: Span
    home: Home | None = None


class Choice(Struct, frozen=True):
    """One alternative of a scalar; `runs` is None when the variable is not assigned in that branch."""

    runs: tuple[Run, ...] | None
    guard: Guard = ALWAYS
    binding: Binding | None = None


class Scalar(Struct, frozen=True):
    """A variable with one text, or one of several."""

    choices: tuple[Choice, ...]


class Array(Struct, frozen=True):
    """A list of words; `open` says what else may be in it."""

    items: tuple[Item, ...]
    open: str = ""

    def bounded(self) -> Array:
        """The array, cut where a script makes it grow beyond all use."""
        return self if len(self.items) <= MOST_ITEMS else Array(self.items[:MOST_ITEMS], "its length")


Variable = Scalar | Array

UNSET = Scalar((Choice(None),))


class Scope(Struct):
    """Variables, exports and positional parameters at one place of the script.

    appended  names that were added to since the innermost loop began
    ended     whether the script cannot get past this place
    place     the folder that the last `cd` went to
    """

    variables: dict[str, Variable] = field(default_factory=dict)
    exported: dict[str, None] = field(default_factory=dict)
    positional: Array | None = None
    export_all: bool = False
    appended: set[str] = field(default_factory=set)
    ended: bool = False
    place: str = ""

    def copy(self) -> Scope:
        """An independent scope with the same contents."""
        return Scope(
            dict(self.variables),
            dict(self.exported),
            self.positional,
            self.export_all,
            set(self.appended),
            self.ended,
            self.place,
        )

    def assign(self, name: str, value: Variable) -> None:
        """Give a variable a value; with `set -a`, export it too."""
        self.variables[name] = value
        if self.export_all:
            self.exported[name] = None

    def join(self, branch: int, arms: Sequence[Scope]) -> list[int]:
        """Become what the arms of a branch leave behind; the numbers of those that do not end the script."""
        living = [(number, arm) for number, arm in enumerate(arms) if not arm.ended]
        if not living:
            self.ended = True
            living = list(enumerate(arms))
        self.become([(frozenset({(branch, number)}), arm) for number, arm in living])
        return [number for number, _ in living]

    def become(self, arms: Sequence[tuple[Guard, Scope]]) -> None:
        """Become one of several scopes, each under its own conditions."""
        names = {name for _, arm in arms for name in arm.variables}
        self.variables = {
            name: _merge([(guard, arm.variables.get(name, UNSET)) for guard, arm in arms]) for name in names
        }
        self.exported = {name: None for _, arm in arms for name in arm.exported}
        self.positional = arms[0][1].positional if len({id(arm.positional) for _, arm in arms}) == 1 else None
        self.export_all = any(arm.export_all for _, arm in arms)
        self.appended = {name for _, arm in arms for name in arm.appended}
        self.place = arms[0][1].place


def _merge(values: Sequence[tuple[Guard, Variable]]) -> Variable:
    first = values[0][1]
    if all(value is first for _, value in values):
        return first
    if any(isinstance(value, Array) for _, value in values):
        return _merge_arrays([(guard, as_array(value)) for guard, value in values])
    scalars = [(guard, value) for guard, value in values if isinstance(value, Scalar)]
    choices = [
        replace(c, guard=c.guard | guard)
        for guard, value in scalars
        for c in value.choices
        if not exclude(c.guard, guard)
    ]
    return Scalar(tuple(choices)) if len(choices) <= MOST_CHOICES else UNSET


def _merge_arrays(values: Sequence[tuple[Guard, Array]]) -> Array:
    """The words that all arms begin with, then what each arm holds beyond them, guarded."""
    lists = [value.items for _, value in values]
    common = 0
    while all(len(items) > common for items in lists) and all(items[common] is lists[0][common] for items in lists):
        common += 1
    own = [item.guarded(guard) for guard, value in values for item in value.items[common:]]
    return Array((*lists[0][:common], *own), next((value.open for _, value in values if value.open), ""))


def as_array(value: Variable) -> Array:
    """A variable seen as an array: a scalar is its first element, an unset variable is empty."""
    if isinstance(value, Array):
        return value
    return Array(tuple(Item(choice.runs, choice.guard) for choice in value.choices if choice.runs is not None))
