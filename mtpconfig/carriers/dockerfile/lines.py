"""An instruction's text as one line: continued line ends vanish, with the comments and empty lines below them."""

from __future__ import annotations

from mtpconfig.carriers.dockerfile.codecs import ONE_LINE
from mtpconfig.carriers.dockerfile.grammar import continuation
from mtpconfig.text import Builder, Fragment, Kind, Span


def folded(layer: Fragment, place: Span, escape: str) -> Fragment:
    """The one line that a place stands for."""
    builder = Builder(layer)
    cursor = place.start
    for match in continuation(escape).finditer(layer.text, *place):
        builder.add(layer.text[cursor : match.start()], Span(cursor, match.start()), Kind.COPY, ONE_LINE)
        builder.add("", Span(*match.span()), Kind.FOLD, ONE_LINE)
        cursor = match.end()
    builder.add(layer.text[cursor : place.end], Span(cursor, place.end), Kind.COPY, ONE_LINE)
    return builder.build()
