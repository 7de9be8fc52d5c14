"""What the lexer hands over: commands as tokens, and words as pieces that are not expanded yet."""

from __future__ import annotations

from msgspec import Struct

from mtpconfig.text import Codec, Kind, Span


class Literal(Struct, frozen=True):
    """Text that stands for itself once its quotes and escapes are gone."""

    text: str
    origin: Span
    kind: Kind
    codec: Codec
    quoted: bool


class Parameter(Struct, frozen=True):
    """`$name` or `${name[index] operator argument}`; an operator that is not understood is `?!`."""

    name: str
    index: str
    operator: str
    argument: tuple[Piece, ...]
    origin: Span
    quoted: bool


class Substitution(Struct, frozen=True):
    """`$(...)`, a backquoted command, `$((...))`, `<(...)`: text that only running something tells."""

    origin: Span
    quoted: bool


Piece = Literal | Parameter | Substitution


class RawWord(Struct, frozen=True):
    """One word as written."""

    pieces: tuple[Piece, ...]
    span: Span

    @property
    def plain(self) -> str | None:
        """The word's text when nothing in it needs an expansion."""
        if all(isinstance(piece, Literal) for piece in self.pieces):
            return "".join(piece.text for piece in self.pieces if isinstance(piece, Literal))
        return None


class RawArray(Struct, frozen=True):
    """`( word ... )` behind an equals sign; `comments` keep their place among the words."""

    words: tuple[RawWord, ...]
    comments: tuple[Span, ...]
    span: Span


class Assignment(Struct, frozen=True):
    """`NAME=value`, `NAME+=value`, `NAME[index]=value`."""

    name: str
    name_span: Span
    index: str
    append: bool
    value: RawWord | RawArray
    span: Span


class Redirect(Struct, frozen=True):
    """`> file`, `2>&1`, `<<EOF` ..."""

    operator: str
    target: RawWord | None
    span: Span


Token = RawWord | Assignment | Redirect


class Command(Struct, frozen=True):
    """One simple command: its tokens in order, where it ends, and the comment behind it on the same line."""

    tokens: tuple[Token, ...]
    span: Span
    comment: Span | None

    @property
    def words(self) -> tuple[RawWord, ...]:
        """The command's words, the program first."""
        return tuple(token for token in self.tokens if isinstance(token, RawWord))

    @property
    def assignments(self) -> tuple[Assignment, ...]:
        """The assignments before the program, or after a declaring builtin."""
        return tuple(token for token in self.tokens if isinstance(token, Assignment))

    @property
    def redirects(self) -> tuple[Redirect, ...]:
        """The redirections, wherever they stand."""
        return tuple(token for token in self.tokens if isinstance(token, Redirect))
