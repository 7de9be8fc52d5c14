"""The words of a statement: decoded, and how they are written back."""

from __future__ import annotations

import re
from itertools import groupby

from mtpconfig.launch import Known, Opaque, Word
from mtpconfig.text import Builder, Codec, Fragment, Kind, Span
from mtpconfig_ollama.modelfile.grammar import Statement, Style, is_kept

_NAME = re.compile(r"[A-Za-z0-9_]+", re.ASCII)
_COMMAND = re.compile(r"[A-Za-z]+", re.ASCII)
_UNFILLED = re.compile(
    r"\{\{(?:(?!\{\{).){0,2000}?\}\}|\$\{[^}$]{0,200}\}|\$\([^)$]{0,200}\)|\$[A-Za-z_]\w{0,80}"
    r"|@[A-Z_]{1,80}@|<[A-Za-z][\w ./-]{0,80}>|\.\.\.|\u2026"
)


class _Name:
    """Where a parameter's name is written."""

    def encode(self, text: str) -> str | None:
        return text if _NAME.fullmatch(text) else None


class _Command:
    """Where an instruction is written."""

    def encode(self, text: str) -> str | None:
        return text if _COMMAND.fullmatch(text) else None


class _Bare:
    """A value to the end of its line."""

    def encode(self, text: str) -> str | None:
        plain = text.isprintable() and text == text.strip(" \t") and not text.startswith('"')
        return text if plain else None


class _Quoted:
    """A value in quotes: nothing escapes one, and one before a line end ends it."""

    def encode(self, text: str) -> str | None:
        return text if '"' not in text and "\n" not in text and all(map(is_kept, text)) else None


NAME: Codec = _Name()
COMMAND: Codec = _Command()
_QUOTED: Codec = _Quoted()
VALUES: dict[Style, Codec] = {"bare": _Bare(), "quoted": _QUOTED, "triple": _QUOTED}


def name_of(layer: Fragment, span: Span, codec: Codec) -> Word:
    """An instruction or a parameter's name."""
    text = layer.text[slice(*span)]
    builder = Builder(layer)
    builder.add(text, span, Kind.COPY, codec)
    return Word(builder.build(), Known(text), site=span)


def value_of(layer: Fragment, statement: Statement) -> Word | None:
    """The value of a statement, without what does not print; opaque where something is still to be filled in."""
    if statement.value is None:
        return None
    builder, codec = Builder(layer), VALUES[statement.style]
    start, end = statement.value
    for shown, characters in groupby(layer.text[start:end], key=is_kept):
        size = len(list(characters))
        if shown:
            builder.add(layer.text[start : start + size], Span(start, start + size), Kind.COPY, codec)
        start += size
    fragment = builder.build()
    unfilled = _UNFILLED.search(fragment.text)
    return Word(fragment, Opaque(unfilled[0]) if unfilled else Known(fragment.text), site=statement.value)
