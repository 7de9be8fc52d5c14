"""How decoded text is written inside each style of a YAML scalar, and how a word is written as a new scalar."""

from __future__ import annotations

import functools
import re
from typing import ClassVar

from msgspec import Struct

from mtpconfig.text import Codec

_UNPRINTABLE = re.compile(r"[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]")
_BREAKS_PLAIN = re.compile(r"[\n\t]|:(?=\s|$)|(?:^|\s)#|^[!&*|>@`\"'%\[\]{},]|^\?|^-(?=\s|$)|\s$")
_FLOW_MARKS = re.compile(r"[,\[\]{}]|^:|:(?=[:?\"'])")
_NOT_TEXT = re.compile(
    r"""(?: ~ | null | true | false | yes | no | on | off | y | n
        | [-+]?(?:0b[01_]+ | 0x[0-9a-f_]+ | 0o?[0-7_]+ | \.?[0-9][0-9_.:]*(?:e[-+]?[0-9]+)?)
        | [-+]?\.inf | \.nan | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.* | = | << )""",
    re.VERBOSE | re.IGNORECASE,
)
_ESCAPED = {"\0": r"\0", "\a": r"\a", "\b": r"\b", "\t": r"\t", "\n": r"\n", "\v": r"\v", "\f": r"\f", "\r": r"\r"}
_ESCAPED |= {"\x1b": r"\e", '"': r"\"", "\\": "\\\\", "\x85": r"\N", "\u2028": r"\L", "\u2029": r"\P"}


def is_text(plain: str) -> bool:
    """Whether every loader reads this plain scalar as a string (YAML 1.1 is the stricter in this)."""
    return bool(plain) and not _NOT_TEXT.fullmatch(plain)


def quote(word: str, style: str = "plain", *, flow: bool = False) -> str | None:
    """A word as a scalar on one line, in this style where it can be; None for what YAML cannot hold.

    A plain scalar that would not be read back as the same string is quoted.
    """
    if any(0xD800 <= ord(c) <= 0xDFFF for c in word):
        return None
    if style == "double" or _UNPRINTABLE.search(word) or re.search(r"[\n\t]", word):
        return f'"{_double(word)}"'
    marked = _BREAKS_PLAIN.search(word) or word[:1] == " " or (flow and _FLOW_MARKS.search(word))
    if style != "single" and not marked and is_text(word):
        return word
    if style == "single" or '"' in word or "\\" in word:
        return "'" + word.replace("'", "''") + "'"
    return f'"{word}"'


def _double(text: str) -> str:
    return "".join(_ESCAPED.get(c) or (_numbered(c) if _UNPRINTABLE.match(c) else c) for c in text)


def _numbered(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class _Refused:
    """Text that must not be edited here."""

    def encode(self, text: str) -> str | None:
        return None


class _Plain(Struct, frozen=True):
    """Inside a plain scalar: only what cannot end it, start another construct, or change its type.

    `lone` if the scalar is one word that is read as a string: it must not become a number, nor nothing.
    """

    flow: bool
    lone: bool
    trims: ClassVar[bool] = True

    def encode(self, text: str) -> str | None:
        if _UNPRINTABLE.search(text) or _BREAKS_PLAIN.search(text) or (self.flow and _FLOW_MARKS.search(text)):
            return None
        return None if self.lone and not is_text(text) else text


class _Single(Struct, frozen=True):
    """Inside `'...'`; in one that spans lines, blanks before a line end would be lost."""

    folded: bool

    def encode(self, text: str) -> str | None:
        if _UNPRINTABLE.search(text) or "\n" in text or (self.folded and text[-1:] in (" ", "\t")):
            return None
        return text.replace("'", "''")


class _Double(Struct, frozen=True):
    """Inside `"..."`, which can hold everything."""

    folded: bool

    def encode(self, text: str) -> str | None:
        if any(0xD800 <= ord(c) <= 0xDFFF for c in text) or (self.folded and text[-1:] == " "):
            return None
        return _double(text)


class _Block(Struct, frozen=True):
    """Inside `|` and `>`; a literal one takes new lines, with its own indentation and line ends."""

    indent: int
    line_end: str
    folded: bool

    def encode(self, text: str) -> str | None:
        if _UNPRINTABLE.search(text) or (self.folded and "\n" in text):
            return None
        return text.replace("\n", self.line_end + " " * self.indent)


REFUSED: Codec = _Refused()
single: functools._lru_cache_wrapper[Codec] = functools.lru_cache(_Single)
double: functools._lru_cache_wrapper[Codec] = functools.lru_cache(_Double)
plain: functools._lru_cache_wrapper[Codec] = functools.lru_cache(_Plain)
block: functools._lru_cache_wrapper[Codec] = functools.lru_cache(_Block)
