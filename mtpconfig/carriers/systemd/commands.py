"""The command lines of `ExecStart=` and its sisters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.carriers.systemd.container import Row, UnitContainer
from mtpconfig.carriers.systemd.expand import Variables, items, specifiers
from mtpconfig.carriers.systemd.lines import Line
from mtpconfig.carriers.systemd.words import MOST_WORDS, RawWord, Runs, split
from mtpconfig.launch import Word
from mtpconfig.text import Fragment

_ONCE = "-@:"
_PRIVILEGES = "+!|"


class Command(Struct, frozen=True, eq=False):
    """One command line: its words, the program first, and its place."""

    words: tuple[Word, ...]
    whole: Fragment
    why_open: str


def commands(
    line: Line, variables: Variables, container: UnitContainer, *, arguments: bool = False
) -> Iterator[Command]:
    """The commands of one line, which lone semicolons part; `arguments`: there is no program in front of them."""
    marks = "" if arguments else _prefix(line.text)
    raws = list(split(line.runs, variables=":" not in marks))
    unread = len(raws) >= MOST_WORDS or any(not raw.closed for raw in raws)
    why_open = f"the rest of {line.key}=" if unread else ""
    for part in [raws] if arguments else _parted(raws):
        words = _words(part, line, variables, container, arguments=arguments)
        sites = [raw.site for raw in part if raw.site is not None]
        if words and sites:
            yield Command(words, line.layer.slice(sites[0].start, sites[-1].end), why_open)


def _words(
    raws: Sequence[RawWord],
    line: Line,
    variables: Variables,
    container: UnitContainer,
    *,
    arguments: bool,
) -> tuple[Word, ...]:
    marks = "" if arguments or not raws else _prefix(raws[0].text)
    expanded = None if ":" in marks else variables
    row = Row(line, variables=expanded is not None)
    words: list[Word] = []
    for place, raw in enumerate(raws):
        written = replace(raw, runs=Runs(raw.runs).cut(len(marks), len(raw.text))) if not place and marks else raw
        found = list(_items(specifiers(written), expanded))
        if raw.site is not None:
            row.tokens.append(raw.site)
        if place == 1 and "@" in marks:
            continue  # what the program is told to be called
        made = [item.word(line.layer) for item in found]
        words += made
        firm = raw.closed and not raw.text.rstrip(" ").endswith("\\")
        if firm and len(made) == 1 and not made[0].many and raw.site is not None:
            container.settle(made[0], row, raw.site)
    return tuple(words)


def _items(word: RawWord, variables: Variables | None) -> Iterator[Item]:
    if word.text == "\\;" and word.site is not None and word.site.end - word.site.start == 2:
        yield Item((Run(";", word.site, word.runs[0].kind, word.runs[0].codec),), site=word.site)
    else:
        yield from items(word, variables)


def _parted(raws: Sequence[RawWord]) -> Iterator[list[RawWord]]:
    part: list[RawWord] = []
    for raw in raws:
        if raw.text == ";" and raw.bare:
            yield part
            part = []
        else:
            part.append(raw)
    yield part


def _prefix(text: str) -> str:
    """The marks in front of a program: each of `-@:` once, then those that change its privileges."""
    end = 0
    while end < len(text) and (text[end] in _PRIVILEGES or (text[end] in _ONCE and text[end] not in text[:end])):
        end += 1
    return text[:end]
