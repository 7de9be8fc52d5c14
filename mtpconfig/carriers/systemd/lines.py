"""The lines of a unit file: sections, assignments with their continuation lines joined, comments.

After systemd.syntax(7), and systemd's own reader where the manual says less: a comment line between continued lines is
skipped, a line ends at a carriage return too, and only an odd number of backslashes continues.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mtpconfig.carriers.shell.runs import Run, cut
from mtpconfig.text import VERBATIM, Fragment, Kind, Span

LONGEST = 64 * 1024
"""Characters of the longest assignment that is read (systemd itself stops at a million)."""

MOST_LINES = 10_000
"""Lines read of one file."""

_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
_BLANKS = " \t\r\n"


class Line(Struct, frozen=True, eq=False):
    """One logical line.

    layer     the text that it stands in: a unit's own, or that of a drop-in
    section   the section that it stands in
    key       what stands before the `=`; empty for a line without one, which systemd ignores
    runs      the value (or the whole line) with continuations joined, on top of the layer
    span      all its lines, the last line end included
    """

    layer: Fragment
    section: str
    key: str
    runs: tuple[Run, ...]
    span: Span

    @property
    def text(self) -> str:
        """The value."""
        return "".join(run.text for run in self.runs)


class Unit(Struct, frozen=True, eq=False):
    """A unit taken apart: its lines, and the spans of the comment lines of its own file, from their mark on.

    unread  where the lines begin that are too many, and why
    """

    lines: tuple[Line, ...]
    comments: tuple[Span, ...]
    unread: tuple[int, str] | None = None

    def values(self, section: str, *keys: str) -> list[Line]:
        """The lines of some keys in force: an empty value takes back what was said before it with the same key."""
        found: list[Line] = []
        wanted = set(keys)
        for line in reversed(self.lines):
            if line.section == section and line.key in wanted:
                if line.text:
                    found.append(line)
                else:
                    wanted.discard(line.key)
        return found[::-1]


def within(lines: Sequence[Line]) -> Iterator[Line]:
    """The first lines whose values together are not longer than the longest one may be."""
    room = LONGEST
    for line in lines:
        room -= len(line.text)
        if room < 0:
            return
        yield line


def parse(layer: Fragment) -> Unit:
    """Take a unit file apart; never fails: what systemd would refuse is left out."""
    text = layer.text
    lines: list[Line] = []
    comments: list[Span] = []
    section = ""
    runs: list[Run] = []
    start = 0
    begin = int(text.startswith("\ufeff"))
    unread: tuple[int, str] | None = None
    for count, match in enumerate(_LINE.finditer(text, begin)):
        if count >= MOST_LINES:
            unread = match.start(), f"it has more than {MOST_LINES} lines"
            break
        first, last = match.span(1)
        if first == last == match.end() == len(text) and not runs:
            break
        content = match[1].lstrip(_BLANKS)
        if content[:1] in ("#", ";") and content:
            comments.append(Span(last - len(content), last))
            continue
        if not runs:
            start = last - len(content)
        if (len(match[1]) - len(match[1].rstrip("\\"))) % 2:
            runs.append(Run(text[first : last - 1], Span(first, last - 1), Kind.COPY, VERBATIM))
            runs.append(Run(" ", Span(last - 1, match.end()), Kind.FOLD, VERBATIM))
            continue
        runs.append(Run(match[1], Span(first, last), Kind.COPY, VERBATIM))
        whole, runs = tuple(runs), []
        logical = "".join(run.text for run in whole)
        if logical.strip(_BLANKS).startswith("["):
            section = logical.strip(_BLANKS).strip("[]")
        elif len(logical) > LONGEST:
            unread = unread or (start, f"an assignment is longer than {LONGEST} characters")
        elif logical.strip(_BLANKS):
            lines.append(_line(layer, section, logical, whole, Span(start, match.end())))
    return Unit(tuple(lines), tuple(comments), unread)


def _line(layer: Fragment, section: str, logical: str, whole: tuple[Run, ...], span: Span) -> Line:
    before, equals, after = logical.partition("=")
    key = before.strip(_BLANKS) if equals else ""
    value = after if equals else logical
    begin = len(logical) - len(value.lstrip(_BLANKS))
    return Line(layer, section, key, cut(whole, begin, begin + len(value.strip(_BLANKS))), span)
