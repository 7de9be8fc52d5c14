"""How llama-swap takes a command apart: no shell, but most of a shell's quotes.

Lines that begin with `#` are dropped, a backslash at the end of a line becomes a blank; then words are split at blanks,
with the quotes and backslashes of POSIX (those of Windows on Windows, which this does not follow).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mtpconfig.carriers.shell.codecs import BARE, DOUBLE, SINGLE
from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.carriers.systemd.words import Runs
from mtpconfig.text import Codec, Fragment, Kind, Span

MOST_WORDS = 5000
"""Words read of one command."""

_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_CONTINUED = re.compile(r"\\[ \t\r]*(?=\n|\Z)")
_UNKNOWN = r"\$\{[A-Za-z0-9_.-]+\}|\{\{[^{}]{1,200}\}\}|\{%[^%]{1,200}%\}"
_TOKEN = re.compile(
    rf"(?P<blank>[ \t\n]+)|(?P<unknown>{_UNKNOWN})|(?P<quote>[\"'])|(?P<escape>\\(?s:.))"
    rf"|(?:[^ \t\n\"'\\${{]|(?!{_UNKNOWN})[${{])+|\\"
)
_CODECS: dict[str, Codec] = {"": BARE, '"': DOUBLE, "'": SINGLE}
_ESCAPED = {"": None, '"': '$`"\\\n', "'": ""}
_ONE = re.compile(r"\$\{PORT\}")


def split(command: Fragment) -> Iterator[Item]:
    """The words of a command whose macros are put in, on top of it.

    A quote that is never closed holds the rest; nothing can be put behind it, so that word has no site.
    """
    value = Runs(list(_lines(command.text)))
    text, position = value.text, 0
    for _ in range(MOST_WORDS):
        while position < len(text) and text[position] in " \t\n":
            position += 1
        if position >= len(text):
            return
        start = position
        runs, position, closed = _word(value, start)
        many = len(runs) == 1 and bool(runs[0].why) and not _ONE.match(runs[0].text)
        yield Item(tuple(runs), site=value.span(start, position) if closed else None, many=many)


def _lines(text: str) -> Iterator[Run]:
    """The lines that count, as runs."""
    for match in _LINE.finditer(text):
        start, end = match.span()
        if match[0].lstrip().startswith("#"):
            continue
        continued = _CONTINUED.search(text, start, end)
        if continued is not None:
            yield _copy(text, start, continued.start())
            yield Run(" ", Span(*continued.span()), Kind.FOLD, BARE)
            start = continued.end()
        yield _copy(text, start, end)


def _copy(text: str, start: int, end: int) -> Run:
    return Run(text[start:end], Span(start, end), Kind.COPY, BARE)


def _word(value: Runs, start: int) -> tuple[Sequence[Run], int, bool]:
    text, position, mark = value.text, start, ""
    parts: list[Run] = []
    while position < len(text):
        token = _TOKEN.match(text, position)
        assert token is not None
        if token["blank"] and not mark:
            break
        codec, end = _CODECS[mark], token.end()
        if token["quote"] and mark in ("", token[0]):
            mark = "" if mark else token[0]
            parts += (_in(run, _CODECS[mark]) for run in value.cut(end, end)) if mark else ()
        elif token["unknown"]:
            parts.append(Run(token[0], value.span(position, end), Kind.SUBSTITUTED, codec, why=token[0]))
        elif token["escape"] and _escapes(mark, token[0][1]):
            kept = token[0][1].replace("\n", "")
            parts.append(Run(kept, value.span(position, end), Kind.ESCAPE if kept else Kind.FOLD, codec))
        else:
            end = end if not token["escape"] else position + 1
            parts += (_in(run, codec) for run in value.cut(position, end))
        position = end
    return [run for run in parts if run.text] or parts[:1], position, not mark


def _escapes(mark: str, character: str) -> bool:
    """Whether a backslash is special before a character, inside a quote or outside of any."""
    special = _ESCAPED[mark]
    return special is None or character in special


def _in(run: Run, codec: Codec) -> Run:
    """A run in a quoting context."""
    return Run(run.text, run.origin, run.kind, codec)
