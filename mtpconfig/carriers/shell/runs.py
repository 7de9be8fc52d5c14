"""Expanded words, before they become the words of a launch.

A `Run` is a stretch of expanded text with one origin; an `Item` is one word made of runs. Items stay what they are
while variables, arrays and prefixes move them about; only a launch turns them into `Word`s.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carriers.shell.codecs import field_of
from mtpconfig.carriers.shell.rows import Home
from mtpconfig.launch import ALWAYS, Default, Guard, Known, OneOf, Opaque, Value, Word
from mtpconfig.text import Builder, Codec, Fragment, Kind, Span

_MOST_TEXTS = 16
_BLANKS = re.compile(r"[ \t\n]+")


class Run(Struct, frozen=True):
    """Expanded text with one origin in the layer.

    split     an unquoted expansion, which the shell splits at blanks
    shared    other places expand the same text, so it must not be edited for one of them
    variable  the text holds unless this variable is set
    why       the text is a placeholder for what cannot be known
    texts     the text is a placeholder for one of these
    """

    text: str
    origin: Span | None
    kind: Kind
    codec: Codec
    split: bool = False
    shared: bool = False
    variable: str = ""
    why: str = ""
    texts: tuple[str, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether the text is what the program sees, at least by default."""
        return not self.why and not self.texts


class Item(Struct, frozen=True):
    """One expanded word.

    home  where it can be edited
    site  where it is used: the written word that it came out of
    many  it is an unquoted placeholder that may stand for several words or none
    """

    runs: tuple[Run, ...]
    guard: Guard = ALWAYS
    home: Home | None = None
    site: Span | None = None
    many: bool = False

    @property
    def text(self) -> str:
        """The word's text, with placeholders."""
        return "".join(run.text for run in self.runs)

    @property
    def known(self) -> str | None:
        """The word's text if no part of it is a placeholder."""
        return self.text if all(run.certain for run in self.runs) else None

    def guarded(self, guard: Guard) -> Item:
        """The same word under more conditions."""
        return replace(self, guard=self.guard | guard) if guard - self.guard else self

    def after(self, mark: str) -> tuple[Item, Item] | None:
        """The word cut in two at the first `mark`, or None where it is not written out."""
        offset = 0
        for run in self.runs:
            place = run.text.find(mark) if run.certain else -1
            if place >= 0:
                left, right = (
                    cut(self.runs, 0, offset + place),
                    cut(self.runs, offset + place + len(mark), len(self.text)),
                )
                return replace(self, runs=left), replace(self, runs=right)
            offset += len(run.text)
        return None

    def word(self, layer: Fragment) -> Word:
        """The word as a launch has it, on top of the layer that it was read from."""
        builder = Builder(layer)
        for run in self.runs:
            kind = Kind.SUBSTITUTED if run.shared and run.origin is not None else run.kind
            builder.add(run.text, run.origin, kind, field_of(run.codec) if run.split and run.text else run.codec)
        holes, defaults = marked((run.text, not run.certain, run.variable) for run in self.runs)
        return Word(builder.build(), value_of(self.runs), self.guard, self.site, self.many, holes, defaults)


def value_of(runs: Sequence[Run]) -> Value:
    """What is known of a text made of runs."""
    if why := next((run.why for run in runs if run.why), ""):
        return Opaque(why)
    text = "".join(run.text for run in runs)
    if any(run.texts for run in runs):
        texts = joined_texts(runs)
        return OneOf(texts) if texts else Opaque("too many alternatives")
    if variable := next((run.variable for run in runs if run.variable), ""):
        return Default(text, variable)
    return Known(text)


def marked(
    parts: Iterable[tuple[str, bool, str]],
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, str], ...]]:
    """The holes and defaults of a word made of parts: text, whether it is a placeholder, the variable it rests on."""
    holes, defaults, at = [], [], 0
    for text, placeholder, variable in parts:
        end = at + len(text)
        if placeholder:
            holes.append((at, end))
        elif variable:
            defaults.append((at, end, variable))
        at = end
    return tuple(holes), tuple(defaults)


def joined_texts(runs: Sequence[Run]) -> tuple[str, ...]:
    """All texts that runs may be, in the order met; empty when they are too many to name."""
    choices = [run.texts or (run.text,) for run in runs]
    total = 1
    for choice in choices:
        total *= len(choice)
    if total > _MOST_TEXTS:
        return ()
    return tuple(dict.fromkeys("".join(parts) for parts in itertools.product(*choices)))


def cut(runs: Iterable[Run], start: int, end: int) -> tuple[Run, ...]:
    """The runs of a part of the text; copied text is cut with its origin, anything else keeps its whole origin."""
    parts: list[Run] = []
    offset = 0
    for run in runs:
        a, b = max(start - offset, 0), min(end - offset, len(run.text))
        if a < b:
            origin = run.origin
            if run.kind is Kind.COPY and origin is not None:
                origin = Span(origin.start + a, origin.start + b)
            parts.append(run if b - a == len(run.text) else replace(run, text=run.text[a:b], origin=origin))
        offset += len(run.text)
    if not parts:
        # An empty text still stands somewhere: at the cut, if that is in copied text.
        parts = list(_empty(runs, start))[:1]
    return tuple(parts)


class Cutter:
    """Cuts many parts out of the same runs, as `cut` does; none of them empty."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self._runs = tuple(runs)
        self._ends = list(accumulate(len(run.text) for run in self._runs))

    def __call__(self, start: int, end: int) -> tuple[Run, ...]:
        """The runs of the part from `start` to `end`."""
        first, last = bisect_right(self._ends, start), bisect_left(self._ends, end) + 1
        base = self._ends[first - 1] if first else 0
        return cut(self._runs[first:last], start - base, end - base)


def _empty(runs: Iterable[Run], at: int) -> Iterator[Run]:
    offset = 0
    for run in runs:
        if run.kind is Kind.COPY and run.origin is not None and offset <= at <= offset + len(run.text):
            place = run.origin.start + at - offset
            yield replace(run, text="", origin=Span(place, place))
        offset += len(run.text)


def fields(runs: Sequence[Run]) -> list[tuple[Run, ...]]:
    """Word splitting: the words that runs become, after bash(1), section "Word Splitting", with the default IFS."""
    words: list[tuple[Run, ...]] = []
    held: list[Run] = []
    exists = False
    for run in runs:
        if not run.split or not run.certain:
            held.append(run)
            exists = True
            continue
        cursor = 0
        for blank in _BLANKS.finditer(run.text):
            held += cut((run,), cursor, blank.start()) if blank.start() > cursor else ()
            if held or exists:
                words.append(tuple(held))
            held, exists, cursor = [], False, blank.end()
        if cursor < len(run.text):
            held += cut((run,), cursor, len(run.text))
    if held or exists:
        words.append(tuple(held))
    return words
