"""From the words of a command line to the words that the program receives: specifiers, then variables.

`%%` is a percent sign, `%i` and the like are known only where the unit runs; `$X` as a word of its own becomes the
variable's words, `${X}` anywhere its text, `$$` is a dollar sign; any other dollar sign stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.carriers.systemd.words import RawWord, Runs, fields
from mtpconfig.text import Codec, Kind, Span

_SPECIFIER = re.compile(r"%[%aAbBcCdDEfgGhHiIjJlLmMnNoprPRsStTuUvVwWyY]")
_VARIABLE = re.compile(r"\$(?:\$|\{(?P<name>[^}]{0,100})\})")


Variables = Mapping[str, tuple[Run, ...]]
"""What the variables of a unit's environment hold, as runs on the unit's text; without an origin from elsewhere."""


def specifiers(word: RawWord) -> RawWord:
    """The word with its specifiers resolved as far as they can be."""

    def resolve(match: re.Match[str], origin: Span | None, codec: Codec) -> Iterator[Run]:
        yield _stands(match[0], "%" if match[0] == "%%" else None, origin, codec)

    return replace(word, runs=tuple(_rewritten(word.runs, _SPECIFIER, resolve)))


def items(word: RawWord, variables: Variables | None) -> Iterator[Item]:
    """The words that one word becomes; with `variables` None, dollar signs stand for themselves."""
    runs, text = word.runs, word.text
    if len(runs) == 1 and runs[0].why:
        yield Item(runs, site=word.site, many=text.startswith("{"))
    elif variables is None:
        yield Item(runs, site=word.site)
    elif text.startswith("$") and not text.startswith(("${", "$$")) and runs[0].certain:
        yield from _fields(word, variables)
    else:
        yield Item(tuple(_substituted(runs, variables)), site=word.site)


def _fields(word: RawWord, variables: Variables) -> Iterator[Item]:
    """`$X` as a word of its own."""
    variable, origin = variables.get(word.text[1:]), Runs(word.runs).span(0, len(word.text))
    if variable is None:
        unknown = Run(word.text, origin, Kind.SUBSTITUTED, word.runs[0].codec, why=word.text)
        yield Item((unknown,), site=word.site, many=True)
        return
    for part in fields(variable):
        yield Item(tuple(_used(part.runs, origin)), site=word.site)


def _used(runs: Sequence[Run], where: Span | None) -> Iterator[Run]:
    """A variable's text at the place where it is used; what another file defines has no other place."""
    return (run if run.origin is not None else replace(run, origin=where, kind=Kind.SUBSTITUTED) for run in runs)


def _substituted(runs: Sequence[Run], variables: Variables) -> Iterator[Run]:
    """`${X}` and `$$` within a word."""

    def resolve(match: re.Match[str], origin: Span | None, codec: Codec) -> Iterator[Run]:
        known = variables.get(match["name"] or "")
        if known is not None:
            yield from _used(known, origin)
        else:
            yield _stands(match[0], "$" if match[0] == "$$" else None, origin, codec)

    return _rewritten(runs, _VARIABLE, resolve)


def _stands(written: str, text: str | None, origin: Span | None, codec: Codec) -> Run:
    """What stands for a known text, or for one that only the running system knows."""
    if text is not None:
        return Run(text, origin, Kind.ESCAPE, codec)
    return Run(written, origin, Kind.SUBSTITUTED, codec, why=written)


_Resolve = Callable[[re.Match[str], Span | None, Codec], Iterator[Run]]


def _rewritten(runs: Sequence[Run], pattern: re.Pattern[str], resolve: _Resolve) -> Iterator[Run]:
    """Runs in which every match of a pattern that is no placeholder's is replaced."""
    value, cursor = Runs(runs), 0
    for match in pattern.finditer(value.text):
        parts = value.cut(*match.span())
        if any(not run.certain for run in parts):
            continue
        if match.start() > cursor:
            yield from value.cut(cursor, match.start())
        yield from resolve(match, value.span(*match.span()), parts[0].codec)
        cursor = match.end()
    if not cursor:
        yield from runs
    elif cursor < len(value.text):
        yield from value.cut(cursor, len(value.text))
