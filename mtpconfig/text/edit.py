"""Changes to a source's text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mtpconfig.text.source import Span


class Edit(NamedTuple):
    """Replace a span of a source's text by another text (an empty span inserts, an empty text removes)."""

    span: Span
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits that do not overlap; the same edit given twice is applied once.

    Raises ValueError when two different edits overlap.
    """
    parts: list[str] = []
    cursor = 0
    for edit in sorted(set(edits)):
        if edit.span.start < cursor:
            raise ValueError(f"edits overlap at offset {edit.span.start}")
        parts += (text[cursor : edit.span.start], edit.text)
        cursor = edit.span.end
    parts.append(text[cursor:])
    return "".join(parts)
