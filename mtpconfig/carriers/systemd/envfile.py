"""The file that `EnvironmentFile=` names, after systemd.exec(5) and, where that says less, systemd's own reader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mtpconfig.text import Span

_LINE = re.compile(r"[ \t\r\n]*(?:(?P<comment>[#;])|(?P<name>[^\r\n][^=\r\n]*)(?P<equals>=)?)?")
_COMMENT = re.compile(r"(?:\\.|[^\\\r\n])*", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Entry(NamedTuple):
    """One assignment: the name's place, the text of its value, and the value's place."""

    name: Span
    text: str
    value: Span


def parse(text: str) -> Iterator[Entry]:
    """The assignments of a file in order; a name that no environment can hold is left out."""
    position = 0
    while position < len(text):
        line = _LINE.match(text, position)
        assert line is not None
        position = line.end()
        if line["comment"]:
            comment = _COMMENT.match(text, position)
            position = comment.end() if comment else position
        elif line["equals"]:
            name = line["name"].rstrip(" \t")
            value, start, end, position = _value(text, position)
            if _NAME.fullmatch(name):
                yield Entry(Span(line.start("name"), line.start("name") + len(name)), value, Span(start, end))
        else:
            position += position == line.start()


def _value(text: str, position: int) -> tuple[str, int, int, int]:
    """The value from behind the equals sign on: its text, its place, and where the next line begins."""
    parts: list[str] = []
    kept = 0  # so many parts are not trailing blanks
    start = end = -1
    mark = ""
    opening = True  # a quote opens here; behind other text it is text
    while position < len(text):
        char = text[position]
        following = text[position + 1 : position + 2]
        if not mark and char in "\r\n":
            break
        begun = position
        position += 1
        if not mark and char in " \t" and opening:
            continue
        if not mark and opening and char in "'\"":
            mark = char
        elif mark == char:
            mark, opening, kept = "", True, len(parts)
        elif char == "\\" and mark != "'":
            position += 1
            if following != "\n" and (mark or following != "\r"):
                parts.append(following if not mark or following in '"\\`$' else char + following)
            kept, opening = len(parts), bool(mark)
        else:
            parts.append(char)
            opening = bool(mark)
            kept = len(parts) if mark or char not in " \t" else kept
        start = begun if start < 0 else start
        end = position
    value = "".join(parts[:kept])
    return (value, start, end, position) if start >= 0 else ("", position, position, position)
