"""What a program starts, as it is met, before it is made into launches: which words are shared is known at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from mtpconfig.carriers.python_.values import Items, Pair, Table, Text, Value, options_of
from mtpconfig.launch import Hint
from mtpconfig.text import Span

_PROGRAM = re.compile(r"[\w./~+${}\\:-]*[\w}]")
_MOST = 2000


class Arguments(Struct, frozen=True, eq=False):
    """What a call is given: its positional arguments, its keywords, and why there may be more."""

    items: Items
    keywords: Table

    @property
    def open(self) -> str:
        """What else may be given."""
        return self.items.open or self.keywords.open

    def get(self, place: int | None, name: str = "") -> Value | None:
        """An argument by its name or its place."""
        named = self.keywords.get(name) if name else None
        if named is not None or place is None or place >= len(self.items.entries):
            return named
        return self.items.entries[place].value


class Draft(Struct, frozen=True, eq=False):
    """One start.

    whole     where it stands
    words     a program and its words
    script    a text in another format; `name` is the file name by which it is told
    call      a function by its dotted name, with what it is given
    given     the environment
    """

    whole: Span
    words: Items | None = None
    script: Text | None = None
    name: str = ""
    call: Text | None = None
    arguments: Arguments | None = None
    given: tuple[Pair, ...] = ()
    image: Text | None = None
    place: str = ""
    hints: tuple[Hint, ...] = ()

    def texts(self) -> Iterator[Text]:
        """All texts in it."""
        values: list[Value | None] = [self.words, self.script, self.image]
        if self.arguments is not None:
            values += (self.arguments.items, self.arguments.keywords)
        yield from (text for value in values for text in texts_in(value))
        yield from (text for pair in self.given for text in texts_in(pair.value))


def texts_in(value: Value | None, depth: int = 0) -> Iterator[Text]:
    """The texts in a value."""
    if depth > 12:
        return
    for _, option in options_of(value):
        if isinstance(option, Text):
            yield option
        elif isinstance(option, Items):
            yield from (text for entry in option.entries for text in texts_in(entry.value, depth + 1))
        elif isinstance(option, Table):
            yield from (text for pair in option.pairs for text in (pair.key, *texts_in(pair.value, depth + 1)))


class Drafts:
    """The starts of one text, and the lists that nothing starts as far as is seen.

    silent   above 0, what is met is compared or expected to fail: it starts nothing
    """

    def __init__(self, *, samples: bool) -> None:
        self._samples = samples
        self._found: list[Draft] = []
        self._lists: dict[Span, tuple[Items, tuple[Pair, ...]]] = {}
        self.silent = 0

    def add(self, draft: Draft) -> None:
        """Note a start."""
        if not self.silent and len(self._found) < _MOST:
            self._found.append(draft)

    def note(self, value: Value | None, environ: Table) -> None:
        """Note a list that may be a program and its words; of its states the last one counts."""
        if self.silent or self._samples or not isinstance(value, Items) or len(self._lists) > _MOST:
            return
        head = _head(value)
        if head is not None:
            self._lists[head] = value, environ.pairs

    def settle(self, items: Items) -> None:
        """Say that a list is started, though another word stands for its program."""
        head = _head(items)
        if head is not None:
            self._lists.pop(head, None)

    def all(self) -> list[Draft]:
        """All starts in the order in which they are written; lists that nothing is seen to start among them."""
        taken = {span for draft in self._found for text in draft.texts() for span in _origins(text)}
        found = list(self._found)
        for head, (items, given) in sorted(self._lists.items(), key=lambda item: -len(item[1][0].entries)):
            if head not in taken and _looks_started(items):
                found.append(Draft(items.span or head, words=items, given=given))
                taken |= {span for text in texts_in(items) for span in _origins(text)}
        return sorted(_distinct(found), key=lambda draft: draft.whole)


def _origins(text: Text) -> Iterator[Span]:
    yield from (run.origin for run in text.runs if run.origin is not None)


def _head(items: Items) -> Span | None:
    """Where the first word of a list stands."""
    first = next((option for _, option in options_of(items.entries[0].value)), None) if items.entries else None
    if not isinstance(first, Text) or first.kind in ("number", "constant"):
        return None
    return next(_origins(first), None)


def _looks_started(items: Items) -> bool:
    """Whether a list is a program with options."""
    texts = [text for entry in items.entries for text in texts_in(entry.value)]
    if not texts:
        return False
    first, *rest = texts
    if (first.kind == "str" and not _PROGRAM.fullmatch(first.text)) or first.text.startswith("-"):
        return False
    return any(text.kind == "str" and text.text.startswith("-") and len(text.text) > 1 for text in rest)


def _distinct(drafts: list[Draft]) -> Iterator[Draft]:
    """Drafts that differ: a function that starts the same twice is one start."""
    seen: set[tuple[object, ...]] = set()
    for draft in drafts:
        words = tuple((id(entry.value), entry.guard) for entry in draft.words.entries) if draft.words else ()
        script = tuple((run.text, run.origin) for run in draft.script.runs) if draft.script else ()
        given = tuple((pair.key.text, id(pair.value), pair.guard) for pair in draft.given)
        key = (draft.whole, words, script, given)
        if key not in seen:
            seen.add(key)
            yield draft
