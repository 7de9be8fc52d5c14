"""Edits of YAML lists and maps: whole items go and come, in the style of their neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from mtpconfig.carriers.yaml_.codecs import quote
from mtpconfig.carriers.yaml_.nodes import Entries, Items, Node, Scalar
from mtpconfig.launch import Container, Given, Word
from mtpconfig.text import VERBATIM, Codec, Edit, Fragment, Span

_DASH = re.compile(r"([ \t]*)-[ \t]+(?:[&!]\S*[ \t]+)*")
_LINE_END = re.compile(r"\r\n|[\r\n]")
_REST = re.compile(r"[ \t]*(,?)[ \t]*(?:#[^\r\n]*)?(\r\n|[\r\n]|\Z)")
_REST_OF_LINE = re.compile(r"[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?=[\r\n]|\Z)")


class _Row(Struct, frozen=True, eq=False):
    """The places of the items of a list, or of the entries of a map; None for what stands elsewhere (an alias)."""

    node: Items | Entries
    places: tuple[Span | None, ...]
    reaches: tuple[Span | None, ...]

    @classmethod
    def of(cls, node: Items | Entries) -> _Row:
        """The row of a node; a reach also covers the line ends that belong to a block scalar."""
        if isinstance(node, Items):
            parts: list[tuple[Node, Node]] = [(item, item) for item in node.items]
        else:
            parts = [(key, value) for key, value in node.entries]
        own = [None if first.shared or last.shared else (first, last) for first, last in parts]
        return cls(
            node,
            tuple(pair and Span(pair[0].span.start, max(node.span.end for node in pair)) for pair in own),
            tuple(pair and Span(pair[0].span.start, max(map(_reach, pair))) for pair in own),
        )


def _reach(node: Node) -> int:
    if isinstance(node, Scalar):
        return max(node.span.end, node.written.end)
    last = node.items[-1:] if isinstance(node, Items) else node.entries[-1][1:] if node.entries else ()
    return max([node.span.end, *(_reach(each) for each in last if not each.shared)])


class ListContainer:
    """Inserts and removes words that are items of YAML lists, and assignments that are items or entries.

    layer  the text that the nodes were read from
    words  the lists that hold the words, e.g. `command` and `args`
    given  the lists and maps that hold assignments
    outer  the container of what stands outside, for assignments that are not here
    codec  how a word is written in the text of an item, before YAML's own quoting

    Words are matched to items by where they stand. Nodes that other places share are not edited.
    """

    def __init__(
        self,
        layer: Fragment,
        words: Sequence[Node | None],
        given: Sequence[Node | None] = (),
        outer: Container | None = None,
        codec: Codec = VERBATIM,
    ) -> None:
        self._layer = layer
        self._codec = codec
        self._rows = [_Row.of(node) for node in words if isinstance(node, Items) and not node.shared]
        self._given = [_Row.of(node) for node in given if isinstance(node, (Items, Entries)) and not node.shared]
        self._outer = outer

    def is_item(self, word: Word) -> bool:
        """Every word here is an item of a list."""
        return True

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """Put words right behind a word, as items of their own."""
        found = self._find(self._rows, after.fragment)
        if found is None or not words:
            return None
        row, index = found
        item = row.node.items[index] if isinstance(row.node, Items) else None
        if not isinstance(item, Scalar):
            return None
        style = item.style if item.style in ("single", "double") else "plain"
        written = [self._codec.encode(word) for word in words]
        quoted = [quote(word, style, flow=item.flow) if word is not None else None for word in written]
        if any(text is None for text in quoted):
            return None
        texts = [text for text in quoted if text is not None]
        if item.flow:
            return self._layer.replace(item.span.end, item.span.end, "".join(f", {text}" for text in texts))
        dash = self._dash(item.span.start)
        rest = _REST_OF_LINE.match(self._layer.text, item.span.end)
        if dash is None or rest is None:
            return None
        new = "".join(f"{self._line_end(rest.end())}{dash[1]}- {text}" for text in texts)
        return self._layer.replace(rest.end(), rest.end(), new)

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        """Take items out; None when nothing would be left of a list, which would then mean something else."""
        chosen: dict[_Row, set[int]] = {}
        for word in words:
            found = self._find(self._rows, word.fragment)
            if found is None:
                return None
            chosen.setdefault(found[0], set()).add(found[1])
        if any(len(indices) == len(row.places) for row, indices in chosen.items()):
            return None
        return self._deletions([span for row, indices in chosen.items() for span in self._spans(row, sorted(indices))])

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        """Take an assignment out."""
        found = self._find(self._given, given.name.fragment)
        if found is None:
            return self._outer.remove_given(given) if self._outer else None
        return self._deletions(self._spans(found[0], [found[1]]))

    # Where things stand

    def _find(self, rows: Sequence[_Row], fragment: Fragment) -> tuple[_Row, int] | None:
        """The row and place of the item that a text stands in."""
        spans = fragment.locate_all()
        if not spans or fragment.source is not self._layer.source:
            return None
        for row in rows:
            for index, place in enumerate(row.reaches):
                around = self._layer.locate(*place) if place is not None else ()
                if all(any(a.start <= span.start and span.end <= a.end for a in around) for span in spans):
                    return row, index
        return None

    def _dash(self, start: int) -> re.Match[str] | None:
        """The indentation and dash in front of a block list's item, when they begin its line."""
        text = self._layer.text
        line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        return _DASH.fullmatch(text, line, start)

    def _line_end(self, at: int) -> str:
        """The line end of the line that ends at an offset, or of the line before."""
        text = self._layer.text
        if match := _LINE_END.match(text, at):
            return match[0]
        newline = text.rfind("\n", 0, at)
        return "\r\n" if newline > 0 and text[newline - 1] == "\r" else "\n"

    def _spans(self, row: _Row, indices: Sequence[int]) -> list[Span | None]:
        """What to delete so that these items go."""
        spans: list[Span | None] = []
        for index in indices:
            line = self._whole_lines(row, index)
            spans.append(line if line is not None or not row.node.flow else self._among(row, index, indices))
        return _joined(spans)

    def _whole_lines(self, row: _Row, index: int) -> Span | None:
        """The lines of an item that stands alone on them, with the comment behind it."""
        text, place = self._layer.text, row.places[index]
        if place is None:
            return None
        start = max(text.rfind("\n", 0, place.start), text.rfind("\r", 0, place.start)) + 1
        if isinstance(row.node, Items) and not row.node.flow:
            if self._dash(place.start) is None:
                return None
        elif text[start : place.start].strip(" \t"):
            return None
        rest = _REST.match(text, place.end)
        if rest is None or (rest[1] and not row.node.flow):
            return None
        if rest[2]:
            return Span(start, rest.end())
        end = start - 2 if text[max(start - 2, 0) : start] == "\r\n" else max(start - 1, 0)
        return Span(end, rest.end())

    def _among(self, row: _Row, index: int, indices: Sequence[int]) -> Span | None:
        """An item of a flow list on one line, with the comma that it needed."""
        places, text = row.places, self._layer.text
        own = places[index]
        last = index + 1 == len(places)
        kept = next((i for i in range(index - 1, -1, -1) if i not in indices), None) if last else index + 1
        other = places[kept] if kept is not None else own
        if own is None or other is None:
            return None
        span = Span(other.end, own.end) if last and kept is not None else Span(own.start, other.start)
        if kept is None:
            return own
        return span if not re.search(r"[\r\n#]", text[own.end : span.end]) else None

    def _deletions(self, spans: Sequence[Span | None]) -> tuple[Edit, ...] | None:
        edits = [self._layer.replace(span.start, span.end, "") if span is not None else None for span in spans]
        found = tuple(edit for edit in edits if edit is not None)
        return found if len(found) == len(edits) and found else None


def _joined(spans: Sequence[Span | None]) -> list[Span | None]:
    """Spans that touch or overlap as one."""
    joined: list[Span | None] = []
    for span in spans:
        last = joined[-1] if joined else None
        if span is not None and last is not None and span.start <= last.end:
            joined[-1] = Span(min(last.start, span.start), max(last.end, span.end))
        else:
            joined.append(span)
    return joined
