"""How decoded text is written inside each of the shell's quoting contexts."""

from __future__ import annotations

import re

from msgspec import Struct

from mtpconfig.text import Codec

_SPLITS = re.compile(r"[\s*?\[]")

_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
_CONTROL = {"\a": r"\a", "\b": r"\b", "\x1b": r"\e", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v"}


def quote(word: str) -> str:
    """The shortest readable shell spelling of a word: bare where nothing is special, else in single or double quotes.

    Double quotes are taken only for text that holds a single quote and nothing that is special inside double quotes.
    """
    if _PLAIN.fullmatch(word):
        return word
    if "'" in word and not re.search(r'["$`\\!]', word):
        return f'"{word}"'
    return "'" + word.replace("'", r"'\''") + "'"


class _Bare:
    """Outside of quotes: special text brings its own quotes, which concatenate."""

    def encode(self, text: str) -> str | None:
        return None if "\0" in text else quote(text)


class _Single:
    """Inside `'...'`; a single quote closes, stands escaped and opens again."""

    def encode(self, text: str) -> str | None:
        return None if "\0" in text else text.replace("'", r"'\''")


class _Double:
    """Inside `"..."`."""

    def encode(self, text: str) -> str | None:
        return None if "\0" in text else re.sub(r'([\\"$`])', r"\\\1", text)


class _AnsiC:
    """Inside `$'...'`."""

    def encode(self, text: str) -> str | None:
        if "\0" in text:
            return None
        return "".join(_CONTROL.get(c, "\\" + c if c in "\\'" else c) for c in text)


class _Heredoc:
    """In the body of a here-document whose delimiter is not quoted."""

    def encode(self, text: str) -> str | None:
        return None if "\0" in text else re.sub(r"([\\$`])", r"\\\1", text)


class _Field(Struct, frozen=True):
    """In a variable that is used without quotes: what the shell would split or match with files cannot be written."""

    inner: Codec

    def encode(self, text: str) -> str | None:
        return self.inner.encode(text) if text and not _SPLITS.search(text) else None


_fields: dict[int, Codec] = {}


def field_of(inner: Codec) -> Codec:
    """How a word is written inside of the value of a variable that is used without quotes; one object for each."""
    return _fields.setdefault(id(inner), _Field(inner))


BARE: Codec = _Bare()
SINGLE: Codec = _Single()
DOUBLE: Codec = _Double()
ANSI_C: Codec = _AnsiC()
HEREDOC: Codec = _Heredoc()

_ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,3})|x(?P<byte>[0-9A-Fa-f]{1,2})|u(?P<short>[0-9A-Fa-f]{1,4})|U(?P<long>[0-9A-Fa-f]{1,8})"
    r"|c(?P<control>.)|(?P<letter>.))",
    re.DOTALL,
)
_LETTERS = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ITSELF = "\\'\"?"


def ansi_c_escape(text: str, position: int) -> tuple[str, int]:
    """Decode the backslash sequence of `$'...'` at a position: the text it stands for and where it ends.

    As bash(1), section QUOTING; a sequence that bash does not know stands for itself.
    """
    match = _ESCAPE.match(text, position)
    if match is None:
        return "\\", position + 1
    code = None
    if match["octal"]:
        code = int(match["octal"], 8) & 0xFF
    elif hexadecimal := match["byte"] or match["short"] or match["long"]:
        code = int(hexadecimal, 16)
    elif match["control"]:
        code = ord(match["control"].upper()) ^ 0x40
    if code is not None:
        return (chr(code) if code <= 0x10FFFF else match[0]), match.end()
    letter = match["letter"]
    return _LETTERS.get(letter) or (letter if letter in _ITSELF else match[0]), match.end()
