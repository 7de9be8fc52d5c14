"""Decoded text that remembers where each of its characters was written.

Opening a layer (a shell word, a YAML scalar, a JSON string ...) turns a range of a parent's text into a child fragment.
The child's segments say how: copied, unescaped, folded, substituted, or made up. `locate` walks the stack down to the
source; `replace` walks it down too and lets each layer encode what the one inside asks for.
"""

from __future__ import annotations

import enum
import itertools
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from msgspec import Struct

from mtpconfig.text.edit import Edit
from mtpconfig.text.source import Source, Span


class Kind(enum.Enum):
    """How a piece of decoded text came to be."""

    COPY = "copy"  # the same characters, one for one
    ESCAPE = "escape"  # other characters stand for it: \n, \", ''
    FOLD = "fold"  # line ends and indentation stand for it, or for nothing
    SUBSTITUTED = "substituted"  # the value of something else that other places may share
    SYNTHETIC = "synthetic"  # written nowhere: a default, a placeholder


class Codec(Protocol):
    """How a layer writes decoded text at one place, e.g. inside double quotes.

    One with `trims = True` loses blanks at the beginning of its whole text.
    """

    def encode(self, text: str) -> str | None:
        """The parent's spelling of `text`, or None when this place cannot hold it."""
        ...


class _Verbatim:
    """Text is written as it is."""

    def encode(self, text: str) -> str | None:
        return text


VERBATIM: Codec = _Verbatim()


class Segment(Struct, frozen=True):
    """A run of decoded text `[start, end)` and the range of the parent that it stands for."""

    start: int
    end: int
    origin: Span | None
    kind: Kind = Kind.COPY
    codec: Codec = VERBATIM

    def parent_range(self, start: int, end: int) -> Span | None:
        """The parent's range for the part of it inside `[start, end)`; a segment that is no copy is indivisible."""
        if self.origin is None or self.kind is not Kind.COPY:
            return self.origin
        shift = self.origin.start - self.start
        return Span(max(start, self.start) + shift, min(end, self.end) + shift)


class Fragment(Struct, frozen=True, eq=False):
    """Decoded text on top of a parent fragment or a source. Segments are in decoded order and cover the text."""

    text: str
    segments: tuple[Segment, ...]
    parent: Fragment | Source

    @classmethod
    def of(cls, source: Source) -> Fragment:
        """The whole text of a source as the bottom fragment."""
        size = len(source.text)
        return cls(source.text, (Segment(0, size, Span(0, size)),), source)

    @classmethod
    def synthetic(cls, text: str, parent: Fragment | Source) -> Fragment:
        """Text that stands nowhere in the parent, such as a default."""
        return cls(text, (Segment(0, len(text), None, Kind.SYNTHETIC),), parent)

    @property
    def source(self) -> Source:
        """The source at the bottom of the stack."""
        node: Fragment | Source = self
        while isinstance(node, Fragment):
            node = node.parent
        return node

    def slice(self, start: int, end: int) -> Fragment:
        """A part of this fragment as a child layer that copies it."""
        return Fragment(self.text[start:end], (Segment(0, end - start, Span(start, end)),), self)

    def showing(self, start: int, end: int) -> tuple[int, int] | None:
        """The range of the text that a range of the parent became; None where nothing of it is shown."""
        found: list[int] = []
        for segment in self.segments:
            origin = segment.origin
            if origin is None or origin.end <= start or end <= origin.start or segment.start == segment.end:
                continue
            if segment.kind is Kind.COPY:
                shift = segment.start - origin.start
                found += (max(start, origin.start) + shift, min(end, origin.end) + shift)
            else:
                found += (segment.start, segment.end)
        return (min(found), max(found)) if found else None

    def _touching(self, start: int, end: int) -> Iterator[Segment]:
        """The segments that overlap a range; for an empty range, those that begin, end or hold it."""
        first = bisect_left(self.segments, start, key=lambda segment: segment.end)
        for segment in islice(self.segments, first, None):
            if segment.start > end:
                break
            if start == end or (segment.start < end and start < segment.end):
                yield segment

    def locate(self, start: int, end: int) -> tuple[Span, ...]:
        """Source spans that `text[start:end]` was written at, in decoded order, adjacent ones joined.

        Empty when the text was written nowhere.
        """
        spans: list[Span] = []
        for segment in self._touching(start, end):
            below = segment.parent_range(start, end)
            for span in self.parent.locate(*below) if below is not None else ():
                if spans and spans[-1].end == span.start:
                    spans[-1] = Span(spans[-1].start, span.end)
                elif not spans or spans[-1] != span:
                    spans.append(span)
        return tuple(spans)

    def locate_all(self) -> tuple[Span, ...]:
        """Source spans of the whole fragment."""
        return self.locate(0, len(self.text))

    def range_in(self, below: Fragment) -> Span | None:
        """The range of a fragment further down that this one stands for; None where it does not stand on it."""
        node, start, end = self, 0, len(self.text)
        while node is not below:
            ranges = [span for s in node._touching(start, end) if (span := s.parent_range(start, end)) is not None]
            if not ranges or not isinstance(node.parent, Fragment):
                return None
            start, end = min(span.start for span in ranges), max(span.end for span in ranges)
            node = node.parent
        return Span(start, end)

    def replace(self, start: int, end: int, text: str) -> Edit | None:
        """The source edit that makes `self.text[start:end]` read `text`, or None when no layer can write it safely.

        Only copied and escaped text can be replaced, whole escapes at a time, within one quoting context. A deletion
        may take whole folds along.
        """
        if start == end:
            return self._insert(start, text)
        touched = list(self._touching(start, end))
        writable = (Kind.COPY, Kind.ESCAPE) if text else (Kind.COPY, Kind.ESCAPE, Kind.FOLD)
        if not touched or any(s.kind not in writable or s.origin is None for s in touched):
            return None
        if any(s.kind is not Kind.COPY and (s.start < start or s.end > end) for s in touched):
            return None
        codec = touched[0].codec
        ranges = [below for s in touched if (below := s.parent_range(start, end)) is not None]
        if any(s.codec is not codec and s.kind is not Kind.FOLD for s in touched) or any(
            a.end != b.start for a, b in itertools.pairwise(ranges)
        ):
            return None
        encoded = codec.encode(text)
        if encoded is None or (start == 0 and text[:1].isspace() and getattr(codec, "trims", False)):
            return None
        return self._write(Span(ranges[0].start, ranges[-1].end), encoded)

    def _insert(self, at: int, text: str) -> Edit | None:
        """The edit that puts text at an offset: into or behind what ends there, else before what begins."""
        touched = [s for s in self._touching(at, at) if s.kind in (Kind.COPY, Kind.ESCAPE) and s.origin is not None]
        ending = [s for s in touched if s.start < at and (s.end == at or s.kind is Kind.COPY)]
        beginning = [s for s in touched if s.start == at]
        for segment in (*ending, *beginning):
            below = segment.parent_range(at, at)
            encoded = segment.codec.encode(text)
            if below is None or encoded is None:
                return None
            point = below.end if segment.start < at else below.start
            return self._write(Span(point, point), encoded)
        return None

    def _write(self, below: Span, encoded: str) -> Edit | None:
        if isinstance(self.parent, Source):
            return Edit(below, encoded)
        return self.parent.replace(below.start, below.end, encoded)


class Builder:
    """Collects segments of a child fragment in decoded order."""

    def __init__(self, parent: Fragment | Source) -> None:
        self._parent = parent
        self._parts: list[str] = []
        self._segments: list[Segment] = []
        self._size = 0

    def add(self, text: str, origin: Span | None, kind: Kind = Kind.COPY, codec: Codec = VERBATIM) -> None:
        """Append decoded text; a copy that continues the last copy extends it."""
        start, end = self._size, self._size + len(text)
        last = self._segments[-1] if self._segments else None
        if (
            last is not None
            and kind is Kind.COPY is last.kind
            and last.codec is codec
            and last.origin is not None
            and origin is not None
            and last.origin.end == origin.start
        ):
            self._segments[-1] = Segment(last.start, end, Span(last.origin.start, origin.end), kind, codec)
        else:
            self._segments.append(Segment(start, end, origin, kind, codec))
        self._parts.append(text)
        self._size = end

    def build(self) -> Fragment:
        """The fragment collected so far."""
        return Fragment("".join(self._parts), tuple(self._segments), self._parent)
