"""The grammar of llama.cpp's INI files (common/preset.cpp): what a section says, and where.

A value ends at the end of its line or at a `;` or `#`, blanks before that left out; nothing is quoted or escaped. A key
begins its line with a letter; an indented one, or one with dashes, makes llama-server refuse the file, and is read here
all the same.
"""

from __future__ import annotations

import re

from msgspec import Struct, field

from mtpconfig.text import Codec, Span

MOST_LINES = 20_000
"""Lines read of one file."""

SHARED = "*"
"""The section whose keys hold for every model."""

_LINE = re.compile(
    r"[ \t\ufeff]*(?:\[[ \t]*(?P<section>[^\]\r\n]+)\][^\r\n]*"
    r"|(?P<comment>[;#][^\r\n]*)"
    r"|(?P<key>-{0,2}[A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?P<value>[^;#\r\n]*)(?P<note>[;#][^\r\n]*)?"
    r"|[^\r\n]*)(?:\r\n|\n|\r|\Z)",
    re.ASCII,
)
_KEY = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


class Entry(Struct, frozen=True):
    """One `key = value`; `line` is all of it, its line end included."""

    key: Span
    value: Span
    line: Span


class Section(Struct, eq=False):
    """A section: its name, the place of its header, and its entries in the order of the file."""

    name: str
    header: Span
    entries: list[Entry] = field(default_factory=list)


class Document(Struct, frozen=True, eq=False):
    """A whole file; of sections with the same name only the last one counts. `comments` are places of comments.

    unread  where the lines begin that are too many
    """

    sections: tuple[Section, ...]
    comments: tuple[Span, ...]
    unread: int | None = None


def parse(text: str) -> Document:
    """Take a file apart; lines that are none of the grammar's are left out."""
    sections: dict[str, Section] = {}
    comments: list[Span] = []
    current: Section | None = None
    unread: int | None = None
    for count, match in enumerate(_LINE.finditer(text)):
        if count >= MOST_LINES:
            unread = match.start()
            break
        if match["section"] is not None:
            name = match["section"].rstrip(" \t")
            sections.pop(name, None)
            current = sections[name] = Section(name, Span(*match.span("section")))
        elif match["comment"] is not None:
            comments.append(Span(*match.span("comment")))
        elif match["key"] is not None:
            if current is None:
                current = sections[""] = Section("", Span(*match.span("key")))
            start, end = match.span("value")
            end = start + len(text[start:end].rstrip(" \t"))
            current.entries.append(Entry(Span(*match.span("key")), Span(start, end), Span(*match.span())))
            if match["note"] is not None:
                comments.append(Span(*match.span("note")))
    return Document(tuple(sections.values()), tuple(comments), unread)


class _Key:
    """Where a key is written."""

    def encode(self, text: str) -> str | None:
        return text if _KEY.fullmatch(text) else None


class _Value:
    """Where a value is written: what would end it cannot stand in it."""

    def encode(self, text: str) -> str | None:
        return None if text != text.strip(" \t") or re.search(r"[;#\r\n\0]", text) else text


KEY: Codec = _Key()
VALUE: Codec = _Value()
