"""Comments beside a place in a YAML text, which may name a version."""

from __future__ import annotations

import re

from mtpconfig.launch import Hint
from mtpconfig.text import Fragment, Span

_MOST = 20
_COMMENT_LINE = re.compile(r"[ \t]*(#[^\r\n]*)(?:\r\n|[\r\n]|\Z)")
_BLANK_LINE = re.compile(r"[ \t]*(?:---[^\r\n]*|%[^\r\n]*)?(?:\r\n|[\r\n])")


def comments(fragment: Fragment, before: int) -> tuple[Hint, ...]:
    """The comments at the head of the file, then the block of comment lines right above an offset's line."""
    spans = dict.fromkeys((*_head(fragment.text, before), *_above(fragment.text, before)))
    return tuple(Hint("comment", fragment.slice(*span)) for span in spans)


def _head(text: str, before: int) -> list[Span]:
    spans: list[Span] = []
    at = int(text.startswith("\ufeff"))
    while at < before and len(spans) < _MOST:
        if match := _COMMENT_LINE.match(text, at):
            spans.append(Span(*match.span(1)))
        elif (match := _BLANK_LINE.match(text, at)) is None:
            break
        at = match.end()
    return spans


def _above(text: str, before: int) -> list[Span]:
    spans: list[Span] = []
    line = _line_start(text, before)
    while line > 0 and len(spans) < _MOST:
        previous = _line_start(text, line - 2 if text[line - 2 : line] == "\r\n" else line - 1)
        match = _COMMENT_LINE.match(text, previous)
        if match is None:
            break
        spans.append(Span(*match.span(1)))
        line = previous
    return spans[::-1]


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, max(offset, 0)), text.rfind("\r", 0, max(offset, 0))) + 1
