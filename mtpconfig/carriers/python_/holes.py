"""Texts with holes, read as something else: what fills the holes of an f-string is hidden from the shell."""

from __future__ import annotations

from collections.abc import Sequence

from mtpconfig.carriers.generic_yaml.templates import Templates
from mtpconfig.text import Builder, Fragment, Kind, Span


class Holes(Templates):
    """Hides holes as template tags are hidden: in the launches found they are opaque."""

    def hidden(self, fragment: Fragment, holes: Sequence[tuple[int, int]]) -> Fragment:
        """A layer in which each hole is one character."""
        builder, cursor, text = Builder(fragment), 0, fragment.text
        for start, end in holes:
            character = self._character(text[start:end])
            if character is None:
                break
            if start > cursor:
                builder.add(text[cursor:start], Span(cursor, start))
            builder.add(character, Span(start, end), Kind.SUBSTITUTED)
            cursor = end
        if not cursor:
            return fragment
        if cursor < len(text):
            builder.add(text[cursor:], Span(cursor, len(text)))
        return builder.build()
