"""Runs of many executions, and smaller inputs for the faults that they find."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from mtpconfig.launch import Launch

from .checks import HANG, Fault, examine, examine_growth
from .mutate import Mutator
from .targets import Target

_EDITED = 8  # one in so many inputs is mutated once only, and then a word of it is edited too
_MOST_KEPT = 60
_FLOODS = (2_000, 16_000)  # characters; one pair for each batch
_LONGEST_KEPT = 800
_LONGEST_REDUCTION = 20.0  # seconds of CPU time


@dataclass(frozen=True)
class Batch:
    """Some executions of one carrier; the same batch does the same."""

    target: Target
    seed: str
    executions: int


@dataclass(frozen=True)
class Find:
    """A fault and the input that shows it; `edit` seeds the choice of the edit."""

    fault: Fault
    text: str
    edit: str | None


@dataclass
class Result:
    """What was found: the shortest input for each place of a fault, how often each came, how many had launches."""

    target: Target
    executions: int = 0
    launches: int = 0
    finds: dict[tuple[str, str], Find] = field(default_factory=dict)
    counts: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, find: Find, count: int = 1) -> bool:
        """Take a find in; whether it is the first at its place."""
        key = (find.fault.kind, find.fault.place)
        known = self.finds.get(key)
        if known is None or len(find.text) < len(known.text):
            self.finds[key] = find
        self.counts[key] = self.counts.get(key, 0) + count
        return known is None

    def join(self, other: Result) -> list[Find]:
        """Take another result of the same target in; the finds at places that are new."""
        self.executions += other.executions
        self.launches += other.launches
        return [find for key, find in other.finds.items() if self.add(find, other.counts[key])]


def run(batch: Batch) -> Result:
    """Execute a batch, up to the first hang. Inputs whose launches have a new shape are mutated further."""
    target, rng = batch.target, Random(batch.seed)
    mutator, pool, shapes = Mutator(target.tokens), list(target.seeds), set[tuple[int, ...]]()
    most = len(pool) + _MOST_KEPT
    result = Result(target)
    token, floods = mutator.flooded(rng.choice(target.seeds), rng, _FLOODS)
    if (growth := examine_growth(target, *floods)) is not None:
        result.add(Find(Fault(growth.kind, f"growth with {token!r}", growth.detail), floods[-1], None))
    for number in range(batch.executions):
        edit = f"{batch.seed}/{number}" if number % _EDITED == 0 else None
        text = mutator.mutated(rng.choice(target.seeds if edit else pool), target.seeds, rng, 1 if edit else 8)
        launches, fault = examine(target, text, Random(edit) if edit else None)
        result.executions += 1
        result.launches += bool(launches)
        if fault is not None:
            result.add(Find(fault, text, edit))
            if fault.place == HANG:
                break
        elif len(pool) < most and len(text) < _LONGEST_KEPT and (shape := _shape(launches)) not in shapes:
            shapes.add(shape)
            pool.append(text)
    return result


def _shape(launches: list[Launch]) -> tuple[int, ...]:
    return tuple(
        number
        for launch in launches
        for number in (len(launch.argv), len(launch.given), sum(len(word.fragment.segments) for word in launch.argv))
    )


def smaller(target: Target, find: Find) -> Find:
    """The same fault with less text: parts are deleted, from large to small, as long as it stays.

    An unproved edit is given back as it is, as no more than a broken text would be left; so is a text that is long.
    """
    if find.fault.kind == "edit" or find.fault.place.startswith("growth"):
        return find

    def fault_of(text: str) -> Fault | None:
        fault = examine(target, text, Random(find.edit) if find.edit else None)[1]
        same = fault is not None and (fault.kind, fault.place) == (find.fault.kind, find.fault.place)
        return fault if same else None

    text = _reduced(find.text, lambda text: fault_of(text) is not None)
    return Find(fault_of(text) or find.fault, text, find.edit)


def _reduced(text: str, shows: Callable[[str], bool]) -> str:
    size, end = len(text) // 2, time.process_time() + _LONGEST_REDUCTION
    while size and time.process_time() < end:
        start, before = 0, text
        while start < len(text) and time.process_time() < end:
            shorter = text[:start] + text[start + size :]
            if shows(shorter):
                text = shorter
            else:
                start += size
        if text == before or size > 1:
            size //= 2
    return text
