"""The text that a script writes somewhere: put together of runs, with alternatives where branches differ.

Alternatives become one text that holds the words of all arms one after the other, where whole words differ; the words
that are read out of it get their guards back. Where only parts of words differ, the text is not known there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carriers.shell.codecs import BARE
from mtpconfig.carriers.shell.layers import Branches
from mtpconfig.carriers.shell.runs import Run
from mtpconfig.launch import ALWAYS, Container, Default, Given, Guard, Known, Launch, Opaque, Word
from mtpconfig.text import Builder, Edit, Fragment, Kind

_BRANCH = "a branch"
_QUOTES = ("'", '"')


class Alternatives(Struct, frozen=True):
    """Text that depends on a branch: each arm's runs under its guard, and how it is written where it is used."""

    arms: tuple[tuple[Guard, tuple[Run, ...]], ...]
    written: str


Part: TypeAlias = Run | Alternatives


class Stretch(Struct, frozen=True):
    """A range of the text that words take something from: a guard, what they depend on, a variable with a default."""

    start: int
    end: int
    guard: Guard = ALWAYS
    why: str = ""
    variable: str = ""


class Content(Struct, frozen=True, eq=False):
    """A text that a script writes; `unseen` names what may add to it."""

    fragment: Fragment
    stretches: tuple[Stretch, ...] = ()
    unseen: str = ""

    def settled(self, launch: Launch, branches: Branches) -> Launch:
        """A launch that was read out of the text, with what only the script around it knows."""
        if not self.stretches and not self.unseen:
            return launch
        made: dict[Word, Word] = {}
        argv = tuple(self._word(word, made) for word in launch.argv)
        given = tuple(self._entry(entry, made) for entry in launch.given)
        container = launch.container
        if made and container is not None:
            container = _Renamed(container, {new: old for old, new in made.items()}, dict(zip(given, launch.given)))
        guards = [*(word.guard for word in argv), *(entry.guard for entry in given)]
        why = launch.why_open or self.unseen or next((word.text for word in made.values() if word.many), "")
        return replace(
            launch,
            argv=argv,
            given=given,
            container=container,
            closed=not why,
            why_open=why,
            exhaustive={**launch.exhaustive, **branches.arms(branch for guard in guards for branch, _ in guard)},
        )

    def _word(self, word: Word, made: dict[Word, Word]) -> Word:
        place = word.fragment.range_in(self.fragment)
        touching = list(self._touching(*place)) if place is not None else []
        if place is None or not touching:
            return word
        guard, value, many = word.guard, word.value, word.many
        quoted = self.fragment.text[place.start - 1 : place.start] in _QUOTES
        for one in touching:
            inside = one.start <= place.start and place.end <= one.end
            if one.why or (one.guard and not inside):
                value = Opaque(one.why or _BRANCH)
                many = bool(one.why) and inside and not quoted
            elif one.variable and isinstance(value, Known):
                value = Default(value.text, one.variable)
            if inside:
                guard |= one.guard
        made[word] = replace(word, guard=guard, value=value, many=many)
        return made[word]

    def _touching(self, start: int, end: int) -> Iterator[Stretch]:
        """The stretches that overlap a range; they are in order and apart."""
        first = bisect_right(self.stretches, start, key=lambda stretch: stretch.end)
        return takewhile(lambda stretch: stretch.start < end, islice(self.stretches, first, None))

    def _entry(self, entry: Given, made: dict[Word, Word]) -> Given:
        value = self._word(entry.value, made) if entry.value is not None else None
        return entry if value is entry.value or value is None else replace(entry, value=value, guard=value.guard)


class _Renamed:
    """A container that is asked with other words than it knows."""

    def __init__(self, container: Container, words: dict[Word, Word], given: dict[Given, Given]) -> None:
        self._container = container
        self._words = words
        self._given = given

    def is_item(self, word: Word) -> bool:
        return self._container.is_item(self._words.get(word, word))

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        return self._container.insert(self._words.get(after, after), words)

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        return self._container.remove([self._words.get(word, word) for word in words])

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        return self._container.remove_given(self._given.get(given, given))


class _Assembly:
    """Collects the runs of a text, and the ranges that say more than the text does."""

    def __init__(self, layer: Fragment) -> None:
        self._builder = Builder(layer)
        self._stretches: list[Stretch] = []
        self._size = 0
        self.last = "\n"

    def add(self, runs: Iterable[Run], guard: Guard = ALWAYS) -> None:
        """Append runs that are there under a guard."""
        for run in runs:
            kind = Kind.SUBSTITUTED if run.shared and run.origin is not None else run.kind
            self._builder.add(run.text, run.origin, kind, run.codec)
            end = self._size + len(run.text)
            why = run.why or (_BRANCH if run.texts else "")
            if (guard or why or run.variable) and run.text:
                self._stretches.append(Stretch(self._size, end, guard, why, run.variable))
            self._size, self.last = end, run.text[-1:] or self.last

    def alternatives(self, part: Alternatives, following: str) -> None:
        """Append the words of all arms, those that all begin with once; `following` is the character behind them."""
        common = _common(part)
        arms = [(guard, runs[len(common) :]) for guard, runs in part.arms]
        texts = ["".join(run.text for run in runs) for _, runs in arms]
        last = next((run.text[-1] for run in reversed(common) if run.text), self.last)
        if not _whole_words(last, texts, following):
            self.add([Run(part.written, None, Kind.SYNTHETIC, BARE, why=_BRANCH)])
            return
        self.add(common)
        for (guard, runs), text in zip(arms, texts):
            if text and not (self.last.isspace() or text[0].isspace()):
                self.add([Run(" ", None, Kind.SYNTHETIC, BARE)])
            self.add(runs, guard)

    def content(self, unseen: str) -> Content:
        """What has been collected."""
        joined: list[Stretch] = []
        for one in self._stretches:
            before = joined[-1] if joined else None
            if before and before.end == one.start and replace(before, start=0, end=0) == replace(one, start=0, end=0):
                joined[-1] = replace(before, end=one.end)
            else:
                joined.append(one)
        return Content(self._builder.build(), tuple(joined), unseen)


def content(layer: Fragment, parts: Sequence[Part], unseen: str = "") -> Content:
    """The text made of parts, on top of the layer that they are written in."""
    assembly = _Assembly(layer)
    following = "\n"
    ahead: list[str] = []
    for part in reversed(parts):
        ahead.append(following)
        following = (part.text[:1] if isinstance(part, Run) else "?") or following
    for part, behind in zip(parts, reversed(ahead)):
        if isinstance(part, Run):
            assembly.add([part])
        else:
            assembly.alternatives(part, behind)
    return assembly.content(unseen)


def _common(part: Alternatives) -> tuple[Run, ...]:
    """The runs that all arms begin with, whether or not there may be other arms."""
    lists = [runs for _, runs in part.arms]
    if len(lists) < 2:
        return ()
    same = takewhile(lambda runs: all(run == runs[0] for run in runs), zip(*lists))
    return tuple(runs[0] for runs in same)


def _whole_words(last: str, texts: Sequence[str], following: str) -> bool:
    """Whether arms differ in whole words of one line."""
    return all(
        "\n" not in text and (last.isspace() or text[0].isspace()) and (following.isspace() or text[-1].isspace())
        for text in texts
        if text
    )
