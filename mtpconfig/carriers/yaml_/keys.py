"""The keys of a YAML file as settings of a surface; what is nested below one is handed on as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mtpconfig.carriers.yaml_.nodes import Entries, Items, Node, Scalar
from mtpconfig.carriers.yaml_.words import word_of
from mtpconfig.launch import Given, Opaque, Word
from mtpconfig.text import Builder, Codec, Fragment, Kind, Span

DEEPEST = 20


class _InJson:
    """A YAML scalar inside JSON that is made of it: what JSON escapes is taken back before YAML writes it."""

    def __init__(self, inner: Codec) -> None:
        self._inner = inner

    def encode(self, text: str) -> str | None:
        try:
            return self._inner.encode(json.loads(f'"{text}"'))
        except ValueError:
            return None


class _Plain:
    """A number or constant that is made of a YAML scalar: another one is written as it is, text without its quotes."""

    def __init__(self, inner: Codec) -> None:
        self._inner = inner

    def encode(self, text: str) -> str | None:
        try:
            value = json.loads(text)
        except ValueError:
            return None
        return self._inner.encode(value if isinstance(value, str) else text)


def givens(entries: Entries, layer: Fragment, surface: str) -> Iterator[Given]:
    """The entries of a map of keys; `layer` is the text that they were read from."""
    for key, value in entries.entries:
        site = Span(key.span.start, value.span.end)
        yield Given(surface, word_of(key), word_for(value, layer), key.guard, site, not isinstance(value, Scalar))


def word_for(node: Node, layer: Fragment) -> Word:
    """A value as one word: a scalar's text, or the JSON of a list or a map, whose parts know where they stand."""
    if isinstance(node, Scalar):
        return word_of(node)
    work = _Json(layer)
    work.add(node, 0)
    fragment = work.builder.build()
    value = Opaque(work.why) if work.why else None
    from mtpconfig.launch import Known

    return Word(fragment, value or Known(fragment.text), node.guard, node.span, holes=tuple(work.holes))


class _Json:
    """Writes nodes as JSON."""

    def __init__(self, layer: Fragment) -> None:
        self.builder = Builder(layer)
        self.holes: list[tuple[int, int]] = []
        self.why = ""
        self._size = 0

    def add(self, node: Node, depth: int) -> None:
        """Write one node."""
        if depth > DEEPEST:
            self._hole("...", node.span, "what is nested too deeply")
        elif isinstance(node, Scalar):
            self._scalar(node)
        elif isinstance(node, Items):
            self._made("[")
            for place, item in enumerate(node.items):
                self._made(", " if place else "")
                self.add(item, depth + 1)
            self._made("]")
        else:
            self._made("{")
            for place, (key, value) in enumerate(node.entries):
                self._made(", " if place else "")
                self._text(key)
                self._made(": ")
                self.add(value, depth + 1)
            self._made("}")
        if not isinstance(node, Scalar) and node.why_open:
            self.why = self.why or node.why_open

    def _made(self, text: str) -> None:
        if text:
            self._add(text, None, Kind.SYNTHETIC)

    def _add(self, text: str, origin: Span | None, kind: Kind, codec: Codec | None = None) -> None:
        if codec is None:
            self.builder.add(text, origin, kind)
        else:
            self.builder.add(text, origin, kind, codec)
        self._size += len(text)

    def _hole(self, text: str, span: Span, why: str) -> None:
        self.holes.append((self._size, self._size + len(text)))
        self.why = self.why or why
        self._add(text, span, Kind.SUBSTITUTED)

    def _scalar(self, node: Scalar) -> None:
        if node.template:
            self._hole(node.text, node.span, node.template)
            return
        bare = _bare(node)
        if bare is None:
            self._text(node)
        elif bare == node.text and len(node.fragment.segments) == 1:
            segment = node.fragment.segments[0]
            self._add(bare, segment.origin, segment.kind, _Plain(segment.codec))
        else:
            self._add(bare, node.span, Kind.SUBSTITUTED)

    def _text(self, node: Scalar) -> None:
        self._made('"')
        text = node.text
        for segment in node.fragment.segments:
            part = text[segment.start : segment.end]
            written = json.dumps(part, ensure_ascii=False)[1:-1]
            kind = segment.kind if written == part or segment.kind is not Kind.COPY else Kind.ESCAPE
            self._add(written, segment.origin, kind, _InJson(segment.codec))
        self._made('"')


def _bare(node: Scalar) -> str | None:
    """A scalar that is no string, as JSON; None for a string."""
    kind = node.tag.rpartition(":")[2]
    if kind == "null":
        return "null"
    if kind == "bool":
        return "true" if node.text.lower() in ("true", "yes", "on") else "false"
    if kind in ("int", "float"):
        try:
            json.loads(node.text)
        except ValueError:
            return None
        return node.text
    return None
