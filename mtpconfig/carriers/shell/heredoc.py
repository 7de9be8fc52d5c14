"""Here-documents: text of another file, or input of another program, inside a script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec.structs import replace

from mtpconfig.carriers.shell.codecs import BARE, HEREDOC
from mtpconfig.carriers.shell.content import Alternatives, Part, content
from mtpconfig.carriers.shell.pieces import Parameter
from mtpconfig.carriers.shell.runs import Run
from mtpconfig.text import VERBATIM, Codec, Fragment, Kind, Span

_MARK = re.compile(r"\\\r?\n|\\[\\$`]|\$\{?[A-Za-z_]\w*\}?", re.ASCII)


_CAPTURED = re.compile(r"\$\(\s*cat\s+<<\s*(['\"]?)(\w+)\1[ \t]*\r?\n((?:.*\n)??)\2[ \t]*\r?\n?\s*\)", re.DOTALL)


def captured(text: str, substitution: Span) -> Span | None:
    """The body of `$(cat <<'END' ...)`, without its last line ends, when nothing in it is special; else None."""
    match = _CAPTURED.fullmatch(text, *substitution)
    if match is None or (not match[1] and re.search(r"[$`\\]", match[3])):
        return None
    return Span(match.start(3), match.start(3) + len(match[3].rstrip("\r\n")))


class Resolve(Protocol):
    """What a parameter holds where the here-document stands."""

    def __call__(self, parameter: Parameter) -> Sequence[Part]:
        """The parameter's text; a run that is not certain where it is not known."""
        ...


def decode(layer: Fragment, body: Span, *, quoted: bool, tabs: bool, resolve: Resolve) -> Fragment:
    """The text that the body of a here-document stands for; see `parts`."""
    return content(layer, list(parts(layer.text, body, quoted=quoted, tabs=tabs, resolve=resolve))).fragment


def parts(text: str, body: Span, *, quoted: bool, tabs: bool, resolve: Resolve) -> Iterator[Part]:
    """The text that the body of a here-document stands for.

    quoted   the delimiter is quoted: nothing in the body is special
    tabs     `<<-`: leading tabs are dropped
    resolve  gives known variables their text; the others stay as they are written
    """
    codec = VERBATIM if quoted else HEREDOC
    position = body.start
    for line in re.findall(r"[^\n]*\n|[^\n]+", text[body.start : body.end]):
        start, end = position, position + len(line)
        position = end
        if tabs:
            start += len(line) - len(line.lstrip("\t"))
        if quoted:
            yield Run(text[start:end], Span(start, end), Kind.COPY, codec)
        else:
            yield from _line(text, Span(start, end), codec, resolve)


def _line(text: str, line: Span, codec: Codec, resolve: Resolve) -> Iterator[Part]:
    cursor = line.start
    for mark in _MARK.finditer(text, line.start, line.end):
        if mark.start() > cursor:
            yield Run(text[cursor : mark.start()], Span(cursor, mark.start()), Kind.COPY, codec)
        cursor = mark.end()
        origin = Span(*mark.span())
        if not mark[0].startswith("\\"):
            yield from _substituted(mark[0], origin, resolve)
        elif mark[0][1] in "\\$`":
            yield Run(mark[0][1], origin, Kind.ESCAPE, codec)
    if cursor < line.end:
        yield Run(text[cursor : line.end], Span(cursor, line.end), Kind.COPY, codec)


def _substituted(written: str, origin: Span, resolve: Resolve) -> Sequence[Part]:
    as_written = (Run(written, origin, Kind.SUBSTITUTED, BARE, why=written),)
    if written.startswith("${") != written.endswith("}"):
        return as_written
    found = resolve(Parameter(written.strip("${}"), "", "", (), origin, True))
    if any(isinstance(part, Run) and not part.certain for part in found):
        return as_written
    return [_elsewhere(part, origin) if isinstance(part, Run) else _arms(part, origin) for part in found]


def _elsewhere(run: Run, origin: Span) -> Run:
    """Text of a variable: to be seen, not to be edited."""
    return replace(run, origin=run.origin or origin, kind=Kind.SUBSTITUTED)


def _arms(part: Alternatives, origin: Span) -> Alternatives:
    arms = tuple((guard, tuple(_elsewhere(run, origin) for run in runs)) for guard, runs in part.arms)
    return Alternatives(arms, part.written)
