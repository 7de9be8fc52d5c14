"""Here-documents: text of another file, or input of another program, inside a script."""

from __future__ import annotations

import re
from typing import Protocol

from msgspec.structs import replace

from mtpconfig.carriers.shell.codecs import BARE, HEREDOC
from mtpconfig.carriers.shell.pieces import Parameter
from mtpconfig.carriers.shell.runs import Run
from mtpconfig.text import VERBATIM, Builder, Codec, Fragment, Kind, Span

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

    def __call__(self, parameter: Parameter) -> tuple[Run, ...]:
        """The parameter's text as runs."""
        ...


def decode(layer: Fragment, body: Span, *, quoted: bool, tabs: bool, resolve: Resolve) -> Fragment:
    """The text that the body of a here-document stands for.

    quoted   the delimiter is quoted: nothing in the body is special
    tabs     `<<-`: leading tabs are dropped
    resolve  gives known variables their text; the others stay as they are written
    """
    builder = Builder(layer)
    codec = VERBATIM if quoted else HEREDOC
    position = body.start
    for line in layer.text[body.start : body.end].splitlines(keepends=True):
        start, end = position, position + len(line)
        position = end
        if tabs:
            start += len(line) - len(line.lstrip("\t"))
        if quoted:
            builder.add(layer.text[start:end], Span(start, end), Kind.COPY, codec)
        else:
            _line(builder, layer.text, Span(start, end), codec, resolve)
    return builder.build()


def _line(builder: Builder, text: str, line: Span, codec: Codec, resolve: Resolve) -> None:
    cursor = line.start
    for mark in _MARK.finditer(text, line.start, line.end):
        if mark.start() > cursor:
            builder.add(text[cursor : mark.start()], Span(cursor, mark.start()), Kind.COPY, codec)
        cursor = mark.end()
        origin = Span(*mark.span())
        if mark[0].startswith("\\"):
            if mark[0][1] in "\\$`":
                builder.add(mark[0][1], origin, Kind.ESCAPE, codec)
            continue
        for run in _substituted(mark[0], origin, resolve):
            builder.add(run.text, run.origin, Kind.SUBSTITUTED, run.codec)
    if cursor < line.end:
        builder.add(text[cursor : line.end], Span(cursor, line.end), Kind.COPY, codec)


def _substituted(written: str, origin: Span, resolve: Resolve) -> tuple[Run, ...]:
    as_written = (Run(written, origin, Kind.SUBSTITUTED, BARE),)
    if written.startswith("${") != written.endswith("}"):
        return as_written
    runs = resolve(Parameter(written.strip("${}"), "", "", (), origin, True))
    return (
        tuple(replace(run, origin=run.origin or origin) for run in runs) if all(r.certain for r in runs) else as_written
    )
