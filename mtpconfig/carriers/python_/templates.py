"""Texts that are filled in: `"... %s" % x`, `"... {}".format(x)`. What fills them is not followed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from mtpconfig.carriers.python_.codecs import without
from mtpconfig.carriers.python_.values import Text, opaque
from mtpconfig.carriers.shell.runs import Run
from mtpconfig.text import Kind, Span

_PERCENT = re.compile(r"(?P<twice>%%)|%(?:\(\w+\))?[-#0 +]*[\d*]*(?:\.[\d*]+)?[diouxXeEfFgGcrsa]")
_BRACES = re.compile(r"(?P<twice>\{\{|\}\})|\{[^{}]*\}")


def percent(text: Text) -> Text:
    """What the `%` operator makes of a text."""
    return _filled(text, _PERCENT, "%")


def braces(text: Text) -> Text:
    """What `format` makes of a text."""
    return _filled(text, _BRACES, "{}")


def _filled(text: Text, pattern: re.Pattern[str], marks: str) -> Text:
    return replace(text, runs=tuple(part for run in text.runs for part in _parts(run, pattern, marks)), kind="str")


def _parts(run: Run, pattern: re.Pattern[str], marks: str) -> Iterator[Run]:
    if run.kind is not Kind.COPY or run.origin is None or not run.certain:
        yield run
        return
    start, cursor, codec = run.origin.start, 0, without(run.codec, marks)
    for match in pattern.finditer(run.text):
        a, b = match.span()
        if cursor < a:
            yield replace(run, text=run.text[cursor:a], origin=Span(start + cursor, start + a), codec=codec)
        if match["twice"]:
            yield replace(run, text=match[0][0], origin=Span(start + a, start + b), kind=Kind.ESCAPE, codec=codec)
        else:
            yield from opaque(match[0], Span(start + a, start + b)).runs
        cursor = b
    if cursor < len(run.text) or not run.text:
        yield replace(run, text=run.text[cursor:], origin=Span(start + cursor, run.origin.end), codec=codec)
