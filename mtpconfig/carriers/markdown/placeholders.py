"""Places that a reader of documentation fills in: `<gamma>`, and `N` or `YOUR_VALUE` behind an option."""

from __future__ import annotations

import re

from mtpconfig.carriers.generic_yaml.templates import Templates
from mtpconfig.text import Builder, Fragment, Kind, Span

_PLACEHOLDER = re.compile(
    r"(?<!<)<[A-Za-z](?:[\w ./|:-]{0,60}\w)?>(?!\w)"
    r"|(?:(?<=\s)|(?<=[\"'`]))(?!-e\b|--env\b)--?[A-Za-z][\w-]{0,60}(?:=|[ \t]{1,20})"
    r"(?!(?:ON|OFF|TRUE|FALSE|YES|NO|AUTO|NONE)\b)(?P<value>[A-Z][A-Z_]{0,60})(?=[\s\"'`;)]|$)"
)


class Placeholders(Templates):
    """Hides placeholders of a code block as template tags are hidden: in the launches found they are opaque.

    In shell text `<N>` would be two redirections.
    """

    def hide(self, fragment: Fragment) -> Fragment:
        """A layer in which each placeholder is one character."""
        builder, cursor, text = Builder(fragment), 0, fragment.text
        for match in _PLACEHOLDER.finditer(text):
            span = Span(*match.span("value" if match["value"] else 0))
            hidden = self._character(text[slice(*span)])
            if hidden is None:
                break
            if span.start > cursor:
                builder.add(text[cursor : span.start], Span(cursor, span.start))
            builder.add(hidden, span, Kind.SUBSTITUTED)
            cursor = span.end
        if not cursor:
            return fragment
        if cursor < len(text):
            builder.add(text[cursor:], Span(cursor, len(text)))
        return builder.build()
