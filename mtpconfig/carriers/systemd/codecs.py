"""How text is written in a unit file: inside quotes or outside, where variables are expanded or not.

After systemd.syntax(7), QUOTING, and systemd.service(5), COMMAND LINES. `%` begins a specifier everywhere.
"""

from __future__ import annotations

import re

from msgspec import Struct

from mtpconfig.text import Codec

_PLAIN = re.compile(r"[^\s\"'\\%$;#\x00-\x1f\x7f{}@-][^\s\"'\\%$\x00-\x1f\x7f{}]*|-[^\s\"'\\%$\x00-\x1f\x7f{}]*")
_NAMED = {"\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v", "\\": r"\\"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f\\]")


class _Unit(Struct, frozen=True, eq=False):
    """Text inside `mark` (a quote, or nothing); `variables` says that `$` is special too."""

    mark: str
    variables: bool

    def encode(self, text: str) -> str | None:
        if "\0" in text:
            return None
        written = _CONTROL.sub(lambda match: _NAMED.get(match[0]) or f"\\x{ord(match[0]):02x}", text)
        # Two braces would begin a template.
        written = re.sub(r"\{(?=[{%])", r"\\x7b", written).replace("%", "%%")
        if self.variables:
            written = written.replace("$", "$$")
        if not text and not self.mark:
            return '""'  # an empty word is written
        if self.mark:
            return written.replace(self.mark, "\\" + self.mark)
        written = written.replace(" ", r"\s").replace('"', r"\"").replace("'", r"\'")
        # A line that begins so would be a comment, a lone `;` would end the command.
        return f"\\x{ord(written[0]):02x}{written[1:]}" if written[:1] in (";", "#") else written


class _Field(Struct, frozen=True, eq=False):
    """A word inside a value that is split at blanks when it is used; it must need no quotes of its own."""

    value: Codec

    def encode(self, text: str) -> str | None:
        return self.value.encode(text) if _PLAIN.fullmatch(text) else None


_CODECS: dict[tuple[str, bool], Codec] = {
    (mark, variables): _Unit(mark, variables) for mark in ("", '"', "'") for variables in (False, True)
}
BARE = _CODECS["", False]
_FIELDS: dict[int, Codec] = {id(codec): _Field(codec) for codec in _CODECS.values()}


def codec_for(mark: str, *, variables: bool) -> Codec:
    """The codec of a quoting context: `mark` is the quote around it, or empty."""
    return _CODECS[mark, variables]


def field_of(codec: Codec) -> Codec:
    """The codec of one word inside a value that is written with `codec`."""
    return _FIELDS.get(id(codec), codec)


def quote(word: str, *, variables: bool = True) -> str | None:
    """A readable spelling of a new word: bare where nothing is special, else in quotes; None where there is none."""
    if _PLAIN.fullmatch(word):
        return word
    mark = "'" if '"' in word and "'" not in word else '"'
    written = codec_for(mark, variables=variables).encode(word)
    return f"{mark}{written}{mark}" if written is not None else None
