"""Decodes a scalar into pieces that know where they were written.

The loader gives one value and one span for a scalar; which character stands where is worked out here, style by style,
by the rules of YAML 1.1 as the loader applies them. A decoded text that is not the loader's own value is not trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from mtpconfig.carriers.yaml_ import codecs
from mtpconfig.text import Builder, Codec, Fragment, Kind, Span

Style = Literal["plain", "single", "double", "literal", "folded"]

_BREAK = r"(?:\r\n|[\r\n\x85])"
_FOLD = rf"(?<![ \t])[ \t]*{_BREAK}(?:[ \t]*{_BREAK})*[ \t]*"
_PLAIN = re.compile(rf"(?P<fold>{_FOLD})")
_SINGLE = re.compile(rf"(?P<quote>'')|(?P<fold>{_FOLD})")
_DOUBLE = re.compile(
    rf"\\{_BREAK}[ \t]*(?P<joined>(?:{_BREAK}[ \t]*)*)"
    r"|\\(?:x(?P<byte>[0-9A-Fa-f]{2})|u(?P<short>[0-9A-Fa-f]{4})|U(?P<long>[0-9A-Fa-f]{8})|(?P<letter>.))"
    rf"|(?P<fold>{_FOLD})"
)
_LETTERS = dict(zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029'))
_HEADER = re.compile(rf"[|>]([+-]?[1-9]?[+-]?)[ \t]*(#[^\r\n\x85]*)?{_BREAK}")
_LINE = re.compile(rf"([^\r\n\x85]*)({_BREAK}|\Z)")
_DEEPEST_INDENT = 20
_LINE_END = re.compile(_BREAK)


class Piece(NamedTuple):
    """A run of decoded text and where it stands."""

    text: str
    origin: Span
    kind: Kind


def decode(layer: Fragment, masked: str, span: Span, style: Style, value: str, *, flow: bool, shared: bool) -> Fragment:
    """The text of a scalar as a child layer; `masked` is the layer's text as the loader saw it, of the same length.

    Text that other places share can be located, not edited.
    """
    if style in ("literal", "folded"):
        pieces, codec = _block(masked, span, value, folded=style == "folded")
    elif style == "plain":
        pieces = list(_flow(masked, span, _PLAIN))
        lone = not re.search(r"[\s=]", value) and codecs.is_text(value)
        codec = codecs.plain(flow, lone) if value else codecs.REFUSED
    else:
        inside = Span(span.start + 1, span.end - 1)
        pieces = list(_flow(masked, inside, _SINGLE if style == "single" else _DOUBLE))
        several = _LINE_END.search(masked, *inside) is not None
        codec = codecs.single(several) if style == "single" else codecs.double(several)
    if "".join(piece.text for piece in pieces) != value:
        pieces = [Piece(value, span, Kind.SUBSTITUTED)]
    builder = Builder(layer)
    codec = codecs.REFUSED if shared else codec
    for text, origin, kind in pieces or [Piece("", _empty(span, style), Kind.COPY)]:
        builder.add(layer.text[slice(*origin)] if kind is Kind.COPY else text, origin, kind, codec)
    return builder.build()


def _empty(span: Span, style: Style) -> Span:
    """Where an empty text stands: between its quotes."""
    at = span.start + (style in ("single", "double"))
    return Span(at, at)


def _flow(text: str, inside: Span, specials: re.Pattern[str]) -> Iterator[Piece]:
    """The pieces of a plain or quoted scalar."""
    cursor = inside.start
    for match in specials.finditer(text, *inside):
        if cursor < match.start():
            yield Piece(text[cursor : match.start()], Span(cursor, match.start()), Kind.COPY)
        cursor = match.end()
        if match.lastgroup == "fold":
            breaks = len(_LINE_END.findall(match["fold"]))
            yield Piece("\n" * (breaks - 1) or " ", Span(*match.span()), Kind.FOLD)
        elif match.lastgroup == "joined":
            yield Piece("\n" * len(_LINE_END.findall(match["joined"])), Span(*match.span()), Kind.FOLD)
        elif match.lastgroup == "quote":
            yield Piece("'", Span(*match.span()), Kind.ESCAPE)
        elif match.lastgroup == "letter":
            yield Piece(_LETTERS.get(match["letter"], match[0]), Span(*match.span()), Kind.ESCAPE)
        else:
            code = int(match[match.lastgroup or 0], 16)
            yield Piece(chr(code) if code <= 0x10FFFF else match[0], Span(*match.span()), Kind.ESCAPE)
    if cursor < inside.end:
        yield Piece(text[cursor : inside.end], Span(cursor, inside.end), Kind.COPY)


def _block(text: str, span: Span, value: str, *, folded: bool) -> tuple[list[Piece], Codec]:
    """The pieces of a literal or folded scalar, by the indentation that makes them the loader's value."""
    header = _HEADER.match(text, span.start)
    if header is None:
        return [], codecs.REFUSED
    lines = list(_lines(text, header.end(), span.end))
    first = next((text[a:b] for a, b, _ in lines if text[a:b].strip(" ")), "")
    spare = len(first) - len(first.lstrip(" ")) if first else max((b - a for a, b, _ in lines), default=0)
    own = value.lstrip("\n") if first else ""
    likely = max(spare - (len(own) - len(own.lstrip(" "))), 0)
    line_end = header[0][len(header[0].rstrip("\r\n\x85")) :]
    for indent in (likely, *range(min(spare, _DEEPEST_INDENT) + 1)):
        pieces = list(_content(text, lines, indent, folded=folded))
        ended = next((line for line in lines if pieces and line[1] == pieces[-1].origin.end), None)
        ending = value[len(value.rstrip("\n")) :] if pieces else value
        if ending:
            start = ended[1] if ended else header.end()
            end = ended[2] if ended and "+" not in header[1] else span.end
            pieces.append(Piece(ending, Span(start, end), Kind.FOLD))
        if "".join(piece.text for piece in pieces) == value:
            return pieces, codecs.block(indent, line_end, folded)
    return [], codecs.REFUSED


def _content(text: str, lines: list[tuple[int, int, int]], indent: int, *, folded: bool) -> Iterator[Piece]:
    """The lines of a block scalar and what joins them; more-indented lines of a folded one are not folded."""
    breaks, fold_from, last_flush, begun = 0, lines[0][0] if lines else 0, False, False
    for start, end, following in lines:
        if end - start <= indent and not text[start:end].strip(" "):
            breaks += end < following
            continue
        if text[start : start + indent].strip(" "):
            return
        content = Span(start + indent, end)
        flush = text[content.start] not in " \t"
        if not begun:
            between = "\n" * breaks
        elif folded and flush and last_flush:
            between = "\n" * breaks or " "
        else:
            between = "\n" * (breaks + 1)
        if between:
            yield Piece(between, Span(fold_from, content.start), Kind.FOLD)
        yield Piece(text[slice(*content)], content, Kind.COPY)
        breaks, fold_from, last_flush, begun = 0, end, flush, True


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Start, end, and start of the next line, for each line of a range."""
    while start < end:
        match = _LINE.match(text, start, end)
        if match is None:
            return
        yield start, match.end(1), match.end()
        start = match.end()
