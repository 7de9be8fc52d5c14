"""Dicts and lists as JSON, each character with its place in the Python literal."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from mtpconfig.carriers.python_.codecs import JSON_VALUE, REFUSED, closing, json_string
from mtpconfig.carriers.python_.values import Either, Items, Table, Text, Value, opaque
from mtpconfig.carriers.shell.runs import Run
from mtpconfig.launch import ALWAYS, Guard
from mtpconfig.text import Kind, Span

_MOST_VARIANTS = 8
_DEEPEST = 12
_SPECIAL = re.compile(r'["\\\x00-\x1f]')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_COMMA = re.compile(r"\s*,")

Arms = Mapping[int, tuple[int, ...]]


def variants(value: Value, arms: Arms) -> list[tuple[Guard, Value]]:
    """A value in each of the ways that the branches inside it can go; empty when these are too many."""
    branches = sorted({branch for guard in guards_in(value) for branch, _ in guard})
    if not branches:
        return [(ALWAYS, value)]
    choices = [[(branch, arm) for arm in arms.get(branch, (0, 1))] for branch in branches]
    size = 1
    for choice in choices:
        size *= len(choice)
    if size > _MOST_VARIANTS:
        return []
    worlds = (frozenset(world) for world in itertools.product(*choices))
    settled = ((world, _settled(value, world)) for world in worlds)
    return [(world, found) for world, found in settled if found is not None]


def guards_in(value: Value, depth: int = 0) -> Iterator[Guard]:
    """The guards inside a value."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Either):
        for guard, option in value.options:
            yield guard
            yield from guards_in(option, depth + 1)
    elif isinstance(value, Table):
        for pair in value.pairs:
            yield pair.guard
            yield from guards_in(pair.value, depth + 1)
    elif isinstance(value, Items):
        for entry in value.entries:
            yield entry.guard
            yield from guards_in(entry.value, depth + 1)


def _settled(value: Value, world: Guard) -> Value | None:
    if isinstance(value, Either):
        return next((_settled(option, world) for guard, option in value.options if guard <= world), None)
    if isinstance(value, Table):
        pairs = ((pair, _settled(pair.value, world)) for pair in value.pairs if pair.guard <= world)
        table = Table((), value.open, value.span)
        for pair, found in pairs:
            if found is not None:
                table = table.having([replace(pair, value=found, guard=ALWAYS)])
        return table
    if isinstance(value, Items):
        entries = ((entry, _settled(entry.value, world)) for entry in value.entries if entry.guard <= world)
        return replace(
            value, entries=tuple(replace(e, value=found, guard=ALWAYS) for e, found in entries if found is not None)
        )
    return value


def json_runs(value: Value, source: str, depth: int = 0) -> tuple[Run, ...]:
    """A value without branches as JSON; `source` is the text that it was read from."""
    if isinstance(value, Text):
        return _text(value)
    span = value.span if isinstance(value, (Items, Table)) else None
    if depth > _DEEPEST or not isinstance(value, (Items, Table)) or value.open:
        return opaque(source[slice(*span)] if span else "?", span).runs
    runs: list[Run] = []
    if isinstance(value, Table):
        for pair in value.pairs:
            runs += (_made(", "),) if runs else ()
            runs += (*_key(pair.key), _made(": "), *json_runs(pair.value, source, depth + 1))
    else:
        for entry in value.entries:
            runs += (_made(", "),) if runs else ()
            runs += json_runs(entry.value, source, depth + 1)
    brackets = "{}" if isinstance(value, Table) else "[]"
    return (_made(brackets[0]), *runs, _closing(brackets, span, source, runs))


def _made(text: str) -> Run:
    return Run(text, None, Kind.SYNTHETIC, REFUSED)


def _closing(brackets: str, span: Span | None, source: str, runs: Sequence[Run]) -> Run:
    """The closing bracket, in front of which members can be put where the literal has it too."""
    if span is None or source[span.start] != brackets[0] or source[span.end - 1] != brackets[1]:
        return _made(brackets[1])
    ends = [run.origin.end for run in runs if run.origin is not None and span.start < run.origin.end < span.end]
    behind = source[max(ends, default=span.start) : span.end - 1].lstrip("\"'")
    if "#" in behind:
        return _made(brackets[1])
    parted = not ends or bool(_COMMA.match(behind))
    return Run(brackets[1], Span(span.end - 1, span.end), Kind.COPY, closing(parted))


def _key(key: Text) -> tuple[Run, ...]:
    if key.kind in ("number", "constant"):
        written = json.dumps({key.value: 0}) if isinstance(key.value, (bool, int, float, type(None))) else '{"?": 0}'
        return (Run(written[1:-4], key.site, Kind.SUBSTITUTED, REFUSED),)
    return _text(key)


def _text(text: Text) -> tuple[Run, ...]:
    if text.kind == "str":
        return (_made('"'), *(part for run in text.runs for part in _inside(run)), _made('"'))
    if text.kind == "unknown" or len(text.runs) != 1:
        return text.runs
    run = text.runs[0]
    if _NUMBER.fullmatch(run.text) and run.kind is Kind.COPY:
        return (replace(run, codec=JSON_VALUE),)
    kind = run.kind if run.kind in (Kind.SUBSTITUTED, Kind.SYNTHETIC) else Kind.ESCAPE
    return (replace(run, text=json.dumps(text.value), kind=kind, codec=JSON_VALUE),)


def _inside(run: Run) -> Iterator[Run]:
    """A run of a string as it stands between the quotes of JSON."""
    codec = json_string(run.codec)
    if run.kind is not Kind.COPY or run.origin is None:
        yield replace(run, text=_escaped(run.text), codec=codec, texts=tuple(map(_escaped, run.texts)))
        return
    start, cursor = run.origin.start, 0
    for match in _SPECIAL.finditer(run.text):
        if match.start() > cursor:
            yield _part(run, start, cursor, match.start(), codec)
        at = match.start()
        yield replace(
            run, text=_escaped(match[0]), origin=Span(start + at, start + at + 1), kind=Kind.ESCAPE, codec=codec
        )
        cursor = match.end()
    if cursor < len(run.text) or not run.text:
        yield _part(run, start, cursor, len(run.text), codec)


def _part(run: Run, start: int, a: int, b: int, codec: object) -> Run:
    return replace(run, text=run.text[a:b], origin=Span(start + a, start + b), codec=codec)


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
