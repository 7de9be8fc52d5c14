"""How text is written in the places of a Python program."""

from __future__ import annotations

import functools
import json
import keyword
import math
import re

from msgspec import Struct

from mtpconfig.text import Codec

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff]")
_PLAIN_VALUE = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|True|False|None", re.ASCII | re.IGNORECASE)
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def literal(text: str, quote: str = '"') -> str | None:
    """A string literal on one line, in these quotes where the text holds none of them; None for lone surrogates."""
    if quote in text and _other(quote) not in text:
        quote = _other(quote)
    inside = string(quote).encode(text)
    return f"{quote}{inside}{quote}" if inside is not None else None


def _other(quote: str) -> str:
    return "'" if quote == '"' else '"'


class _Refused:
    """Text that must not be edited here."""

    def encode(self, text: str) -> str | None:
        return None


class _String(Struct, frozen=True):
    """Inside a string literal.

    quote      what it opens and closes with
    raw        backslashes stand for themselves
    formatted  braces are doubled (`f"..."`)
    line_end   how a line ends in a literal of several lines
    """

    quote: str
    raw: bool = False
    formatted: bool = False
    line_end: str = "\n"

    def encode(self, text: str) -> str | None:
        if _SURROGATE.search(text):
            return None
        if self.raw:
            return self._braced(text) if self._stands(text) else None
        lines = len(self.quote) == 3
        written = text.replace("\\", "\\\\").replace(self.quote[0], "\\" + self.quote[0])
        written = _UNPRINTABLE.sub(lambda match: self._escaped(match[0], lines=lines), written)
        return self._braced(written)

    def _stands(self, text: str) -> bool:
        """Whether a raw literal can hold the text: what would need an escape has none there."""
        return not (self.quote[0] in text or _UNPRINTABLE.search(text) or text.endswith("\\"))

    def _braced(self, text: str) -> str:
        return text.replace("{", "{{").replace("}", "}}") if self.formatted else text

    def _escaped(self, character: str, *, lines: bool) -> str:
        if character == "\n" and lines:
            return self.line_end
        code = ord(character)
        return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


class _JsonString(Struct, frozen=True):
    """Inside a string literal whose text stands inside a JSON string, `"` and `\\` escaped as JSON has it."""

    inner: Codec

    def encode(self, text: str) -> str | None:
        try:
            decoded = json.loads(f'"{text}"', strict=False)
        except ValueError:
            return None
        return self.inner.encode(decoded)


class _Without(Struct, frozen=True):
    """Inside a template: marks that it would fill in are refused."""

    inner: Codec
    marks: str

    def encode(self, text: str) -> str | None:
        return None if any(mark in text for mark in self.marks) else self.inner.encode(text)


class _Value:
    """A number, `True`, `False` or `None`."""

    def encode(self, text: str) -> str | None:
        return text if _PLAIN_VALUE.fullmatch(text) and text[:1] not in "tfn" else None


class _JsonValue:
    """A value that stands bare in JSON; members may follow it: `3, "key": true`."""

    def encode(self, text: str) -> str | None:
        value, comma, members = text.partition(",")
        try:
            first = python(json.loads(value)) if value.strip() else ""
        except (ValueError, RecursionError):
            return None
        more = _members(members) if comma else ""
        return None if first is None or more is None else first + (f", {more}" if comma else "")


class _Closing(Struct, frozen=True):
    """The end of a list or dict: what is put before it are members, a comma in front; `parted` if one stands there."""

    parted: bool

    def encode(self, text: str) -> str | None:
        written = _members(text.strip().removeprefix(","))
        if written is None:
            return None
        return f" {written}" if self.parted else f", {written}"


class _Name:
    """An identifier."""

    def encode(self, text: str) -> str | None:
        return text if text.isidentifier() and not keyword.iskeyword(text) else None


def _members(text: str) -> str | None:
    """Members of a JSON object or items of an array as Python."""
    for brackets in ("{}", "[]"):
        try:
            value = json.loads(f"{brackets[0]}{text}{brackets[1]}")
        except (ValueError, RecursionError):
            continue
        written = python(value)
        return written[1:-1] if written else None
    return None


def python(value: object) -> str | None:
    """A JSON value as Python writes it; None for what it has no literal for."""
    if isinstance(value, str):
        return literal(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        items = [python(item) for item in value]
        return None if None in items else f"[{', '.join(item or '' for item in items)}]"
    if isinstance(value, dict):
        pairs = [(literal(key), python(item)) for key, item in value.items()]
        if any(key is None or item is None for key, item in pairs):
            return None
        return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
    return repr(value)


REFUSED: Codec = _Refused()
VALUE: Codec = _Value()
JSON_VALUE: Codec = _JsonValue()
NAME: Codec = _Name()


@functools.lru_cache(maxsize=64)
def string(quote: str, raw: bool = False, formatted: bool = False, line_end: str = "\n") -> Codec:
    """The inside of a string literal; one object for each kind, so that neighbouring pieces are one."""
    return _String(quote, raw, formatted, line_end)


@functools.lru_cache(maxsize=2)
def closing(parted: bool) -> Codec:
    """The place before a closing bracket."""
    return _Closing(parted)


def json_string(inner: Codec) -> Codec:
    """The inside of a JSON string inside of a string literal."""
    return _once(_JsonString(inner))


def without(inner: Codec, marks: str) -> Codec:
    """The inside of a template in a string literal."""
    return _once(_Without(inner, marks))


@functools.lru_cache(maxsize=256)
def _once(codec: _JsonString | _Without) -> Codec:
    """The one object among equal ones."""
    return codec
