"""Brace expansion: `a{b,c}` is two words, and so is an unquoted `{"method":"mtp","n":2}`, without its quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mtpconfig.carriers.shell.pieces import Literal, Piece
from mtpconfig.text import Kind, Span

_MOST_WORDS = 256
_MOST_BRACES = 64
_SPECIAL = re.compile(r"[{},]|\.\.")
_RANGE = re.compile(r"\{(?:-?[0-9]+\.\.-?[0-9]+|[A-Za-z]\.\.[A-Za-z])(?:\.\.-?[0-9]+)?\}")


class TooManyWords(Exception):
    """The braces expand to a range or to more words than anyone means."""


def expand_braces(pieces: tuple[Piece, ...]) -> list[tuple[Piece, ...]]:
    """The words that a word becomes; the word itself where no braces expand.

    Raises TooManyWords for ranges such as `{1..9}`, which are not followed.
    """
    if not any("{" in piece.text for piece in _bare(pieces)):
        return [pieces]
    if any(_RANGE.search(piece.text) for piece in _bare(pieces)):
        raise TooManyWords
    atoms = list(_atoms(pieces))
    if sum(_is(atom, "{") for atom in atoms) > _MOST_BRACES:
        raise TooManyWords
    return [tuple(_joined(word)) for word in _expand(atoms, 0)]


def _bare(pieces: Sequence[Piece]) -> Iterator[Literal]:
    return (p for p in pieces if isinstance(p, Literal) and not p.quoted)


def _atoms(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces with each unquoted brace and comma on its own."""
    for piece in pieces:
        if not isinstance(piece, Literal) or piece.quoted:
            yield piece
            continue
        cursor = 0
        for match in _SPECIAL.finditer(piece.text):
            yield from (_part(piece, a, b) for a, b in ((cursor, match.start()), match.span()) if a < b)
            cursor = match.end()
        if cursor < len(piece.text):
            yield _part(piece, cursor, len(piece.text))


def _part(piece: Literal, start: int, end: int) -> Literal:
    span = Span(piece.origin.start + start, piece.origin.start + end)
    return Literal(piece.text[start:end], span, piece.kind, piece.codec, piece.quoted)


def _is(atom: Piece, mark: str) -> bool:
    return isinstance(atom, Literal) and not atom.quoted and atom.text == mark


def _expand(atoms: list[Piece], start: int) -> list[list[Piece]]:
    """All words of a run of atoms; `start` is where to look for the first brace."""
    if len(atoms) > 1 and _is(atoms[0], "{") and _is(atoms[1], "}"):
        start = max(start, 2)  # `{}` at the beginning is left alone
    for opening in range(start, len(atoms)):
        if _is(atoms[opening], "{") and (parts := _alternatives(atoms, opening)):
            alternatives, closing = parts
            tails = _expand(atoms[closing + 1 :], 0)
            words = [
                [*atoms[:opening], *middle, *tail]
                for alternative in alternatives
                for middle in _expand(alternative, 0)
                for tail in tails
            ]
            if len(words) > _MOST_WORDS:
                raise TooManyWords
            return words
    return [atoms]


def _alternatives(atoms: list[Piece], opening: int) -> tuple[list[list[Piece]], int] | None:
    """The comma-separated parts behind an opening brace and where it closes; None if it does not expand."""
    depth, parts = 0, [opening + 1]
    for place in range(opening, len(atoms)):
        if _is(atoms[place], "{"):
            depth += 1
        elif _is(atoms[place], "}") and depth > 1:
            depth -= 1
        elif _is(atoms[place], "}") and len(parts) > 1:  # before a comma it closes nothing
            ends = [*(p - 1 for p in parts[1:]), place]
            return [atoms[a:b] for a, b in zip(parts, ends, strict=True)], place
        elif _is(atoms[place], ",") and depth == 1:
            parts.append(place + 1)
    return None


def _joined(atoms: Sequence[Piece]) -> Iterator[Piece]:
    """Neighbouring copies put together again."""
    held: Literal | None = None
    for atom in atoms:
        if (
            held is not None
            and isinstance(atom, Literal)
            and held.kind is atom.kind is Kind.COPY
            and held.quoted is atom.quoted
            and held.codec is atom.codec
            and held.origin.end == atom.origin.start
        ):
            held = Literal(
                held.text + atom.text, Span(held.origin.start, atom.origin.end), held.kind, held.codec, held.quoted
            )
            continue
        if held is not None:
            yield held
            held = None
        if isinstance(atom, Literal):
            held = atom
        else:
            yield atom
    if held is not None:
        yield held
