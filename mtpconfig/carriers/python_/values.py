"""What an expression is known to be: texts made of runs, lists, dicts, and things that have a name.

A value says nothing that the text does not: what only running the program would tell is a text with an opaque run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from mtpconfig.carriers.python_.codecs import REFUSED
from mtpconfig.carriers.shell.runs import Run
from mtpconfig.launch import ALWAYS, Guard
from mtpconfig.text import Kind, Span

MOST_ENTRIES = 600
MOST_OPTIONS = 12
MOST_RUNS = 400

TextKind = Literal["str", "number", "constant", "unknown"]


class Row(Struct, frozen=True, eq=False):
    """Elements one behind the other between brackets: a list, a dict, the arguments of a call.

    inside    from behind the opening bracket to the closing one
    elements  the elements with their `*`, keys and names
    kind      "(" for a tuple, which one element alone does not make; "*" for what must not be edited
    """

    inside: Span
    elements: tuple[Span, ...]
    kind: str = "["


class Place(Struct, frozen=True, eq=False):
    """An element of a row, or a statement that goes as a whole."""

    row: Row | None
    index: int = 0
    statement: Span | None = None


class Text(Struct, frozen=True, eq=False):
    """A string, number, `True`, `False`, `None`, or something unknown that is shown as it is written.

    site    the expression, quotes included
    value   the number or constant
    parts   the list of words that were joined into it
    """

    runs: tuple[Run, ...]
    kind: TextKind = "str"
    site: Span | None = None
    value: object = None
    parts: Items | None = None

    @property
    def text(self) -> str:
        """The text, with placeholders."""
        return "".join(run.text for run in self.runs)

    @property
    def known(self) -> str | None:
        """The text of a string that is fully known; a default counts."""
        return self.text if self.kind == "str" and all(run.certain for run in self.runs) else None

    @property
    def is_none(self) -> bool:
        """Whether it is `None`."""
        return self.kind == "constant" and self.value is None


class Entry(Struct, frozen=True, eq=False):
    """One element of a list."""

    value: Value
    guard: Guard = ALWAYS
    place: Place | None = None


class Items(Struct, frozen=True, eq=False):
    """A list or tuple.

    open    what else may be in it
    span    where it is written
    script  the text that was split into these words
    """

    entries: tuple[Entry, ...]
    open: str = ""
    span: Span | None = None
    script: Text | None = None

    def plus(self, more: Items) -> Items:
        """Both, one behind the other, up to a bound."""
        if len(self.entries) >= MOST_ENTRIES:
            return self if self.open else replace(self, open="its length")
        entries = (*self.entries, *more.entries)
        why = self.open or more.open or ("its length" if len(entries) > MOST_ENTRIES else "")
        return Items(entries[:MOST_ENTRIES], why, self.span if self.entries else more.span or self.span)


class Pair(Struct, frozen=True, eq=False):
    """One entry of a dict."""

    key: Text
    value: Value
    guard: Guard = ALWAYS
    place: Place | None = None


class Table(Struct, frozen=True, eq=False):
    """A dict; `open` says what else may be in it, `span` is where it is written.

    Later pairs replace earlier ones of the same key, as far as their guards reach.
    """

    pairs: tuple[Pair, ...]
    open: str = ""
    span: Span | None = None

    def get(self, key: str) -> Value | None:
        """The value of a key that is there in any case."""
        found = [pair for pair in self.pairs if pair.key.text == key]
        return found[-1].value if found and not found[-1].guard else None

    def having(self, pairs: Sequence[Pair]) -> Table:
        """With more pairs, which replace those of the same keys."""
        if not pairs:
            return self
        if len(self.pairs) >= MOST_ENTRIES:
            return self if self.open else replace(self, open="its length")
        last = {pair.key.text: place for place, pair in enumerate(pairs) if not pair.guard}
        own = [pair for place, pair in enumerate(pairs) if last.get(pair.key.text, -1) <= place]
        kept = (*(pair for pair in self.pairs if pair.key.text not in last), *own)
        why = self.open or ("its length" if len(kept) > MOST_ENTRIES else "")
        return Table(kept[:MOST_ENTRIES], why, self.span)

    def without(self, key: str) -> Table:
        """Without a key."""
        return replace(self, pairs=tuple(pair for pair in self.pairs if pair.key.text != key))


class Either(Struct, frozen=True, eq=False):
    """One of several values, by branch."""

    options: tuple[tuple[Guard, Value], ...]


class Ref(Struct, frozen=True, eq=False):
    """Something that has a dotted name: a module, or what is imported from one."""

    dotted: str


class Made(Struct, frozen=True, eq=False):
    """What a call of something with a dotted name gave, with the names and values that it was given."""

    dotted: str
    arguments: Table
    span: Span | None = None


class Function(Struct, frozen=True, eq=False):
    """A function of this text; `owner` is the class that it is a method of."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    owner: str = ""


class Class(Struct, frozen=True, eq=False):
    """A class of this text, with the attributes that its body sets."""

    name: str
    attributes: Mapping[str, Value] = field(default_factory=dict)


class Method(Struct, frozen=True, eq=False):
    """A method of a value that is called."""

    receiver: Value


Value = Text | Items | Table | Either | Ref | Made | Function | Class


def opaque(text: str, span: Span | None, why: str = "") -> Text:
    """Something unknown, shown as it is written."""
    shown = " ".join(text.split())[:200]
    kind = Kind.SYNTHETIC if span is None else Kind.SUBSTITUTED
    return Text((Run(shown, span, kind, REFUSED, why=why or shown or "?"),), "unknown", span)


def made_up(text: str) -> Text:
    """A string that is written nowhere."""
    return Text((Run(text, None, Kind.SYNTHETIC, REFUSED),))


def options_of(value: Value | None, guard: Guard = ALWAYS) -> Iterator[tuple[Guard, Value]]:
    """The values that a value may be, each with its guard."""
    if isinstance(value, Either):
        for own, option in value.options:
            yield from options_of(option, guard | own)
    elif value is not None:
        yield guard, value


def either(options: Sequence[tuple[Guard, Value]]) -> Value | None:
    """One of several values; None where they are too many to follow."""
    flat = [pair for guard, value in options for pair in options_of(value, guard)]
    if len(flat) == 1 and not flat[0][0]:
        return flat[0][1]
    return Either(tuple(flat)) if 0 < len(flat) <= MOST_OPTIONS else None


def shared(value: Value) -> Value:
    """A value that other places use too: it is not edited for one of them."""
    if isinstance(value, Text):
        return replace(value, runs=tuple(replace(run, shared=True) for run in value.runs))
    if isinstance(value, Either):
        return Either(tuple((guard, shared(option)) for guard, option in value.options))
    return value


def defaulted(value: Value | None, variable: str) -> Value | None:
    """A value that holds unless a variable is set; None for what is no text."""
    if not isinstance(value, Text) or value.kind == "unknown" or value.is_none:
        return None
    return replace(value, runs=tuple(run if run.why else replace(run, variable=variable) for run in value.runs))


def joined(texts: Sequence[Text], site: Span | None) -> Text:
    """Several texts as one."""
    runs = tuple(run for text in texts for run in text.runs)
    if len(runs) > MOST_RUNS:
        return opaque("", site, "its length")
    return Text(runs, "str", site)
