"""Words that Docker itself reads, in ENV, ARG, FROM and ADD: quotes, escapes and `$NAME`.

After docs.docker.com/reference/dockerfile, "Environment replacement" and "ENV". Quotes may stand in the middle of a
word; single quotes keep everything; of the operators `${NAME:-text}` is understood, the others are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from mtpconfig.carriers.dockerfile.codecs import BARE, DOUBLE, SINGLE
from mtpconfig.carriers.dockerfile.grammar import continuation
from mtpconfig.carriers.shell.runs import marked
from mtpconfig.launch import Default, Known, Opaque, Value, Word
from mtpconfig.text import Builder, Codec, Fragment, Kind, Span

_PARAMETER = re.compile(r"\$(?:(?P<name>[A-Za-z_]\w*)|\{(?P<braced>[A-Za-z_]\w*)(?P<rest>[^}\n]*)\})", re.ASCII)
_DEFAULT = re.compile(r":?-(?P<text>[^$\"'\\`]*)")
_MOST_TEXT = 65536


class Variable(Struct, frozen=True):
    """What ARG or ENV gave a name.

    span      where the value is written, in the Dockerfile's text
    variable  the build argument that may replace the value, or empty
    why       what the value depends on, where it is not known
    """

    text: str
    span: Span | None
    variable: str = ""
    why: str = ""


class Piece(Struct, frozen=True):
    """A run of a word's text with one origin in the Dockerfile's text."""

    text: str
    origin: Span
    kind: Kind
    codec: Codec
    variable: str = ""
    why: str = ""


class Reader:
    """Reads words of one Dockerfile's text."""

    def __init__(self, layer: Fragment, escape: str) -> None:
        self._layer = layer
        self._text = layer.text
        self._escape = escape
        mark = re.escape(escape)
        self._tokens = re.compile(
            rf"(?P<fold>{continuation(escape).pattern})|(?P<blank>[ \t\r\n]+)|(?P<quote>[\"'])"
            rf"|(?P<escape>{mark}[^\n])|(?P<dollar>\$)|(?P<plain>[^ \t\r\n\"'${mark}]+)|(?P<other>.)",
            re.DOTALL,
        )
        plain = rf"[^;&|\n{mark}]+"
        self._command = re.compile(rf"(?:{plain}|{continuation(escape).pattern}|{mark}[^\n])+")

    def commands(self, place: Span) -> Iterator[Span]:
        """The places of the commands of shell text, told apart by `;`, `&`, `|` and line ends, quoted ones included."""
        return (Span(*match.span()) for match in self._command.finditer(self._text, *place))

    def split(self, arguments: Span) -> list[Span]:
        """The places of the words that blanks part, quotes and escapes included."""
        words: list[Span] = []
        start: int | None = None
        end = arguments.start
        quote = ""
        for token in self._tokens.finditer(self._text, *arguments):
            if token["fold"] is not None:
                continue
            if token["blank"] is not None and not quote:
                if start is not None:
                    words.append(Span(start, end))
                start = None
                continue
            start = token.start() if start is None else start
            end = token.end()
            if token["quote"] is not None and quote in ("", token[0]):
                quote = "" if quote else token[0]
        if start is not None:
            words.append(Span(start, end))
        return words

    def word(self, place: Span, variables: Mapping[str, Variable]) -> Word:
        """What a place stands for once quotes are gone and variables are replaced."""
        pieces = list(self._pieces(place, variables))
        builder = Builder(self._layer)
        for piece in pieces:
            builder.add(piece.text, piece.origin, piece.kind, piece.codec)
        if not pieces:
            mark = self._text[place.start : place.end][:1]
            at = place.start + (mark in ("'", '"') and bool(mark))
            builder.add("", Span(at, at), Kind.COPY, {"'": SINGLE, '"': DOUBLE}.get(mark, BARE))
        holes, defaults = marked((piece.text, bool(piece.why), piece.variable) for piece in pieces)
        return Word(builder.build(), value_of(pieces), site=place, holes=holes, defaults=defaults)

    def _pieces(self, place: Span, variables: Mapping[str, Variable]) -> Iterator[Piece]:
        text, quote = self._text, ""
        position, end = place
        while position < end:
            token = self._tokens.match(text, position, end)
            assert token is not None
            position = token.end()
            origin = Span(*token.span())
            codec = {"": BARE, "'": SINGLE, '"': DOUBLE}[quote]
            if token["fold"] is not None:
                yield Piece("", origin, Kind.FOLD, codec)
            elif token["quote"] is not None and quote in ("", token[0]):
                quote = "" if quote else token[0]
            elif token["escape"] is not None and quote != "'":
                if quote and token[0][1] not in ('"', "$", self._escape):
                    yield Piece(token[0], origin, Kind.COPY, codec)
                else:
                    yield Piece(token[0][1], origin, Kind.ESCAPE, codec)
            elif token["dollar"] is not None and quote != "'":
                match = _PARAMETER.match(text, origin.start, end)
                if match is None:
                    yield Piece("$", origin, Kind.COPY, codec)
                else:
                    position = match.end()
                    yield from self._parameter(match, variables, codec)
            else:
                yield Piece(token[0], origin, Kind.COPY, codec)

    def _parameter(self, match: re.Match[str], variables: Mapping[str, Variable], codec: Codec) -> Iterator[Piece]:
        name, rest = match["name"] or match["braced"], match["rest"] or ""
        known = variables.get(name)
        whole = Span(*match.span())
        fallback = _DEFAULT.fullmatch(rest)
        if known is not None and not known.why and (not rest or (fallback and known.text)):
            yield Piece(known.text, known.span or whole, Kind.SUBSTITUTED, codec, known.variable)
        elif known is None and fallback is not None:
            start = match.start("rest") + fallback.start("text")
            origin = Span(start, start + len(fallback["text"]))
            yield Piece(fallback["text"], origin, Kind.COPY, codec, name)
        else:
            yield Piece(match[0], whole, Kind.SUBSTITUTED, codec, why=f"${name}")


def value_of(pieces: Sequence[Piece]) -> Value:
    """What is known of a text made of pieces."""
    text = "".join(piece.text for piece in pieces)
    if why := next((piece.why for piece in pieces if piece.why), ""):
        return Opaque(why)
    if len(text) > _MOST_TEXT:
        return Opaque("its length")
    if variable := next((piece.variable for piece in pieces if piece.variable), ""):
        return Default(text, variable)
    return Known(text)


def variable_of(word: Word, place: Span) -> Variable:
    """A variable that holds a word."""
    match word.value:
        case Known(text) if len(text) <= _MOST_TEXT:
            return Variable(text, place)
        case Default(text, variable) if len(text) <= _MOST_TEXT:
            return Variable(text, place, variable)
        case Opaque(why):
            return Variable(word.text[:80], place, why=why)
        case _:
            return Variable(word.text[:80], place, why="its length")
