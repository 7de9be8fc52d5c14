"""One file as text, with its encoding kept so that it can be written back byte for byte."""

from __future__ import annotations

import bisect
import codecs
import re
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from mtpconfig.errors import UnreadableFile

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CODING = re.compile(rb"\A(?:[^\r\n]*(?:\r\n|[\r\n]))?[ \t\f]*#[^\r\n]{0,80}?coding[:=][ \t]*(?P<name>[-\w.]{1,20})")
_CODINGS = re.compile(rb"latin|l[1-9]|iso-?8859|cp\d|windows-|koi8|gb|big5|shift|sjis|euc|mac", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\n|\r")


class _Said(NamedTuple):
    text: str
    encoding: str


def _said(body: bytes) -> _Said | None:
    """The text in the encoding that a comment in the first two lines names, as editors and Python read it."""
    found = _CODING.match(body)
    if found is None or not _CODINGS.match(found["name"]):
        return None
    encoding = found["name"].decode("ascii")
    try:
        return _Said(body.decode(encoding), encoding)
    except (LookupError, UnicodeDecodeError):
        return None


class Span(NamedTuple):
    """A half-open range of code points, in the text of a source or of a parent fragment."""

    start: int
    end: int


class Position(NamedTuple):
    """A place as people name it: both 1-based, the column in code points."""

    line: int
    column: int


class Source(Struct, frozen=True, eq=False, dict=True):
    """A file's text. Offsets count code points; line ends stand in the text as they were written."""

    path: str
    text: str
    encoding: str = "utf-8"
    bom: bytes = b""

    @classmethod
    def from_bytes(cls, path: str, data: bytes) -> Source:
        """Decode a file's bytes: UTF-8, UTF-16 when it has a byte order mark, or what its first lines say (PEP 263).

        Raises UnreadableFile for binary data and for bytes that are not valid in the encoding.
        """
        bom, encoding = next(((b, e) for b, e in _BOMS if data.startswith(b)), (b"", "utf-8"))
        body = data[len(bom) :]
        if encoding == "utf-8" and b"\0" in body:
            raise UnreadableFile("it is a binary file (it holds NUL bytes)")
        try:
            return cls(path, body.decode(encoding), encoding, bom)
        except UnicodeDecodeError as error:
            if not bom and (said := _said(body)) is not None:
                return cls(path, said.text, said.encoding)
            line = body.count(b"\n", 0, error.start) + 1
            raise UnreadableFile(
                f"line {line} is not valid {encoding.upper()} (byte 0x{body[error.start]:02x}); save the file as UTF-8"
            ) from None

    def to_bytes(self, text: str | None = None) -> bytes:
        """Encode this text (or its replacement) as the file was encoded."""
        return self.bom + (self.text if text is None else text).encode(self.encoding)

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first character of each line."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def position(self, offset: int) -> Position:
        """Line and column of an offset."""
        row = bisect.bisect_right(self.line_starts, offset) - 1
        return Position(row + 1, offset - self.line_starts[row] + 1)

    def line(self, number: int) -> str:
        """The text of a 1-based line, without its line end; empty past the end of the file."""
        if not 1 <= number <= len(self.line_starts):
            return ""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    # A source is the ground on which a stack of fragments stands.

    def locate(self, start: int, end: int) -> tuple[Span, ...]:
        """The range itself: nothing lies below a source."""
        return (Span(start, end),)
