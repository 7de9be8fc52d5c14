"""Texts that a program splits into words itself: `shlex.split(...)`, `"...".split()`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carriers.python_.codecs import REFUSED
from mtpconfig.carriers.python_.values import MOST_ENTRIES, Entry, Items, Text
from mtpconfig.carriers.shell.runs import Run, cut
from mtpconfig.text import Codec

_FIELD = re.compile(r"\S+")
_WORD = re.compile(r"(?:[^\s\"'\\]|\\[\s\S]|\"(?:[^\"\\]|\\[\s\S])*\"|'[^']*')+")
_PART = re.compile(r"\\(?P<escaped>[\s\S])|\"(?P<double>(?:[^\"\\]|\\[\s\S])*)\"|'(?P<single>[^']*)'|[^\"'\\]+")
_IN_DOUBLE = re.compile(r"\\([\"\\])|[^\\]+|\\")


class _Field(Struct, frozen=True):
    """A word among blanks: what would be split again, or read as a quote, is refused."""

    inner: Codec

    def encode(self, text: str) -> str | None:
        return None if re.search(r"[\s\"'\\]", text) else self.inner.encode(text)


def fields(text: Text) -> Items:
    """The words between the blanks of a text."""
    found = (_field(text, *match.span()) for match in _FIELD.finditer(text.text))
    return _items(found, text, None)


def shell_words(text: Text) -> Items:
    """The words that `shlex.split` makes of a text; `script` keeps the text, which a shell would read the same."""
    found = (_word(text, match) for match in _WORD.finditer(text.text))
    return _items(found, text, text)


def _items(found: Iterator[Text], text: Text, script: Text | None) -> Items:
    entries = tuple(Entry(word) for word, _ in zip(found, range(MOST_ENTRIES)))
    return Items(entries, "" if entries or text.known == "" else text.text, text.site, script)


def _field(text: Text, start: int, end: int) -> Text:
    return Text(tuple(replace(run, codec=_Field(run.codec)) for run in cut(text.runs, start, end)))


def _word(text: Text, match: re.Match[str]) -> Text:
    if not re.search(r"[\"'\\]", match[0]):
        return _field(text, *match.span())
    runs: list[Run] = []
    for part in _PART.finditer(text.text, *match.span()):
        if part["double"] is not None:
            for inner in _IN_DOUBLE.finditer(text.text, *part.span("double")):
                runs += cut(text.runs, *(inner.span(1) if inner[1] else inner.span()))
        else:
            group = "escaped" if part["escaped"] is not None else "single" if part["single"] is not None else 0
            start, end = part.span(group)
            runs += cut(text.runs, start, end) if start < end else ()
    return Text(tuple(replace(run, codec=REFUSED) for run in runs) or cut(text.runs, match.start(), match.start()))
