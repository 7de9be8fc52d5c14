"""From text to nodes. The loader's events are taken, not its tree: they do not recurse, and marks come with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml
from msgspec import Struct, field

from mtpconfig.carrier import Opener
from mtpconfig.carriers.yaml_.nodes import Document, Entries, Items, Node, Scalar
from mtpconfig.carriers.yaml_.scalars import Style
from mtpconfig.carriers.yaml_.templates import Masks, mask
from mtpconfig.text import Fragment, Span

MOST_CHARACTERS = 2_000_000
MOST_EVENTS = 50_000
MOST_NODES = 50_000
DEEPEST = 60
_MOST_RESTARTS = 30
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVER: Any = yaml.resolver.Resolver()
_STYLES: dict[str | None, Style] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_NEXT_DOCUMENT = re.compile(r"^---(?=\s|$)", re.MULTILINE)
_ALIAS = re.compile(r"\*([^\s,\[\]{}]+)")
_UNSEEN = "the rest of the file, behind its fault,"


def documents(fragment: Fragment) -> tuple[Document, ...]:
    """The documents of a YAML text. Nothing is raised: a document with a fault holds what stands before it."""
    text = fragment.text
    if len(text) > MOST_CHARACTERS:
        return (Document(None, fault=(0, f"it is longer than {MOST_CHARACTERS} characters")),)
    start = len(text) - len(text.lstrip("\ufeff"))  # the loader passes over these without counting them
    masks = mask(" " * start + text[start:])
    found: list[Document] = []
    events = 0
    for _ in range(_MOST_RESTARTS):
        read = _Reader(fragment, masks, start, events)
        found += read.documents()
        following = _NEXT_DOCUMENT.search(masks.text, max(read.reached, start + 1)) if read.fault else None
        if following is None or read.events >= MOST_EVENTS:
            break
        start, events = following.start(), read.events
    return tuple(found)


def report_faults(found: Iterable[Document], layer: Fragment, opener: Opener) -> None:
    """Say where documents end early. Templates are left out: what they become may be valid."""
    for document in found:
        if document.fault is not None and not document.templated:
            opener.miss(layer, *document.fault)


class _Open(Struct):
    """A list or map whose end has not come yet."""

    kind: str
    start: int
    flow: bool
    shared: bool
    anchor: str | None
    nodes: list[Node] = field(default_factory=list)
    weight: int = 1
    height: int = 1


class _Reader:
    """Reads the documents from an offset on, up to the first fault."""

    def __init__(self, layer: Fragment, masks: Masks, start: int, events: int) -> None:
        self._layer = layer
        self._masks = masks
        self._start = start  # an offset in the text: marks count from here
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Node, int, int]] = {}
        self._aliased = set(_ALIAS.findall(masks.text)) if "&" in masks.text else set()
        self._nodes = 0
        self.events = events
        self.fault = ""
        self.reached = start

    def documents(self) -> Iterator[Document]:
        """One document after the other."""
        inside = False
        for event in self._events():
            if isinstance(event, yaml.DocumentStartEvent):
                self._stack, self._anchors, self._nodes, inside = [self._root()], {}, 0, True
            elif isinstance(event, yaml.DocumentEndEvent):
                yield self._document()
                self._stack, inside = [], False
            elif inside:
                self._take(event)
        if self.fault:
            while len(self._stack) > 1:
                self._close(self.reached, why_open=_UNSEEN)
            yield self._document((self.reached, self.fault))

    def _events(self) -> Iterator[Any]:
        """The loader's events up to a fault, or to more than anyone reads."""
        try:
            event: Any
            for event in yaml.parse(self._masks.text[self._start :], Loader=_LOADER):
                self.reached = self._start + event.end_mark.index
                self.events += 1
                yield event
                if self.events >= MOST_EVENTS:
                    self.fault = f"it holds more than {MOST_EVENTS} items"
                    return
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            problem = getattr(error, "problem", None) or "nested too deeply"
            self.fault = f"it is no valid YAML from here on: {problem}"
            mark = getattr(error, "problem_mark", None)
            self.reached = max(self.reached, self._start + (mark.index if mark is not None else 0))

    def _root(self) -> _Open:
        return _Open("root", self._start, False, False, None)

    def _document(self, fault: tuple[int, str] | None = None) -> Document:
        nodes = self._stack[0].nodes if self._stack else []
        return Document(nodes[0] if nodes else None, self._masks.found, fault)

    # Events

    def _take(self, event: Any) -> None:
        start, end = self._start + event.start_mark.index, self._start + event.end_mark.index
        if isinstance(event, yaml.ScalarEvent):
            self._put(self._scalar(event, Span(start, end)), event.anchor)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(str(event.anchor), start, end)
        elif isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            shared = self._stack[-1].shared or event.anchor in self._aliased
            kind = "list" if isinstance(event, yaml.SequenceStartEvent) else "map"
            self._stack.append(_Open(kind, start, bool(event.flow_style), shared, event.anchor))
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            self._close(end)

    def _scalar(self, event: Any, written: Span) -> Scalar:
        style = _STYLES.get(event.style, "plain")
        span = written
        if style in ("literal", "folded"):
            span = Span(written.start, written.start + len(self._masks.text[slice(*written)].rstrip()))
        tag = event.tag
        if not tag or tag == "!":
            tag = _RESOLVER.resolve(yaml.ScalarNode, event.value, (style == "plain" and not tag, True))
        return Scalar(
            self._layer,
            span,
            style,
            event.value,
            tag,
            flow=self._stack[-1].flow,
            shared=self._stack[-1].shared or event.anchor in self._aliased,
            guard=self._masks.guard(written.start),
            masked=self._masks.text,
            written=written,
        )

    def _alias(self, name: str, start: int, end: int) -> None:
        """The very node that the name stands for; nothing where it would grow without bound."""
        node, weight, height = self._anchors.get(name, (None, 0, 0))
        if node is None or self._nodes + weight > MOST_NODES or len(self._stack) + height > DEEPEST:
            node, weight, height = Items((), True, Span(start, end), True, why_open=f"*{name}"), 1, 1
        self._put(node, None, weight, height)

    def _put(self, node: Node, anchor: str | None, weight: int = 1, height: int = 1) -> None:
        holder = self._stack[-1]
        if anchor is not None:
            self._anchors[anchor] = (node, weight, height)
        self._nodes += weight
        if self._nodes <= 2 * MOST_NODES and len(self._stack) <= DEEPEST:
            holder.nodes.append(node)
            holder.weight += weight
            holder.height = max(holder.height, height + 1)

    def _close(self, end: int, why_open: str = "") -> None:
        frame = self._stack.pop()
        span = Span(frame.start, self._trimmed(frame.start, end))
        guard = self._masks.guard(frame.start)
        why_open = why_open or self._why_open(frame, end)
        node: Node
        if frame.kind == "list":
            node = Items(tuple(frame.nodes), frame.flow, span, frame.shared, guard, why_open)
        else:
            pairs = list(zip(frame.nodes[::2], frame.nodes[1::2]))
            node = Entries(tuple(_merged(pairs)), span, frame.shared, frame.flow, guard, why_open)
        self._put(node, frame.anchor, frame.weight, frame.height)

    def _trimmed(self, start: int, end: int) -> int:
        """The end without the empty lines and comments that the loader counts in."""
        last = self._masks.text[start:end]
        return start + len(last.rstrip())

    def _why_open(self, frame: _Open, end: int) -> str:
        """The template lines that may put something into a list or map."""
        before = self._stack[-1].nodes[-1].span.end if self._stack[-1].nodes else frame.start
        lines = self._masks.within(min(before, frame.start), end)
        if not lines:
            return ""
        last = frame.nodes[-1].span.end if frame.nodes else frame.start
        column = frame.start - (self._masks.text.rfind("\n", 0, frame.start) + 1)
        for line in lines:
            if line.span.start < last or (not line.verb and line.column >= column):
                return self._layer.text[slice(*line.span)]
        return ""


def _merged(pairs: list[tuple[Node, Node]]) -> Iterator[tuple[Scalar, Node]]:
    """A map's own entries, then those of its merge keys that it does not have; the first of several maps wins."""
    own = [(key, value) for key, value in pairs if isinstance(key, Scalar)]
    merges = [value for key, value in own if key.style == "plain" and key.loaded == "<<"]
    own = [(key, value) for key, value in own if not (key.style == "plain" and key.loaded == "<<")]
    yield from own
    if not merges:
        return
    names = {key.text for key, _ in own}
    for merge in merges:
        for each in merge.items if isinstance(merge, Items) else (merge,):
            taken: set[str] = set()
            for key, value in each.entries if isinstance(each, Entries) else ():
                if key.text not in names:
                    taken.add(key.text)
                    yield key, value
            names |= taken
