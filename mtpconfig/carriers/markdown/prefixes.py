"""The layer between a code block and the text around it: each line stands behind the prefix of its lists and quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtpconfig.text import Builder, Fragment, Kind, Span

_LINE_END = re.compile(r"\r?\n")
_FENCE = re.compile(r"^[ \t]*(?:`{3}|~{3})", re.MULTILINE)


class _Prefixed:
    """Every line begins with the prefix; a line that might close a fence cannot be written."""

    def __init__(self, line_end: str, prefix: str) -> None:
        self._line_end = line_end
        self._prefix = prefix

    def encode(self, text: str) -> str | None:
        if "\n" not in text:
            return text
        return None if _FENCE.search(text) else _LINE_END.sub(self._line_end + self._prefix.replace("\\", r"\\"), text)


def without_prefixes(layer: Fragment, block: Span, prefixes: Sequence[Span], indent: int, closing: int = 0) -> Fragment:
    """The lines of a block without what stands in front of them.

    `prefixes` are those of lists and quotes, empty ones included, for the lines behind the first. Of each line up to
    `indent` more blanks are dropped, and the last line end takes along that many (`closing`) of the closing fence's.

    A line end stands for itself and the prefix of the next line, so that whole lines can go.
    """
    text = layer.text
    ends = {prefix.start: prefix.end for prefix in prefixes}

    def content_of(line: int) -> int:
        start = ends.get(line, line)
        stop = min(start + indent, block.end)
        while start < stop and text[start] == " ":
            start += 1
        return start

    begin = content_of(block.start)
    breaks = [Span(*match.span()) for match in _LINE_END.finditer(text, begin, block.end)]
    starts = [content_of(line_end.end) for line_end in breaks]
    if begin == block.start and not closing and all(b.end == start for b, start in zip(breaks, starts)):
        return layer.slice(*block)
    widest = max((text[b.end : start] for b, start in zip(breaks, starts)), key=len, default="")
    own = text[text.rfind("\n", 0, begin) + 1 : begin]
    codec = _Prefixed(text[slice(*breaks[0])] if breaks else "\n", own if not own.strip("> \t") else widest)
    builder = Builder(layer)
    cursor = begin
    for place, (line_end, start) in enumerate(zip(breaks, starts)):
        builder.add(text[cursor : line_end.start], Span(cursor, line_end.start), Kind.COPY, codec)
        stop = start + (closing if place == len(breaks) - 1 and start == block.end else 0)
        builder.add(text[slice(*line_end)], Span(line_end.start, stop), Kind.ESCAPE, codec)
        cursor = start
    if cursor < block.end:
        builder.add(text[cursor : block.end], Span(cursor, block.end), Kind.COPY, codec)
    return builder.build()
