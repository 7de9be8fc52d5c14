"""One YAML text on its way to launches: its words, its scripts, and the launches of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.generic_yaml.joining import fixed, joined
from mtpconfig.carriers.generic_yaml.templates import Templates
from mtpconfig.carriers.shell.listed import launches_of
from mtpconfig.carriers.yaml_ import (
    Document,
    Entries,
    Items,
    ListContainer,
    Node,
    Scalar,
    comments,
    documents,
    report_faults,
    word_of,
)
from mtpconfig.launch import ALWAYS, Given, Guard, Hint, Known, Launch, Opaque, Word
from mtpconfig.text import Fragment, Span


class Page(Struct, frozen=True, eq=False):
    """A YAML text with what stands around it; `carrier` is the format that its launches are reported under."""

    layer: Fragment
    opener: Opener
    around: Surroundings
    templates: Templates
    carrier: str

    @classmethod
    def of(cls, fragment: Fragment, opener: Opener, around: Surroundings, carrier: str) -> Page:
        """The page of a text."""
        return cls(fragment, opener, around, Templates(fragment.text), carrier)

    def documents(self) -> tuple[Document, ...]:
        """The documents of the text."""
        found = documents(self.layer)
        report_faults(found, self.layer, self.opener)
        return found

    # Words

    def word(self, node: Node) -> Word:
        """A node as one word; a list or a map where a string should be is opaque."""
        if not isinstance(node, Scalar):
            return Word(self.layer.slice(*node.span), Opaque("a list or a map"), node.guard, node.span)
        word = word_of(node)
        return replace(word, fragment=self.templates.hide(word.fragment), holes=()) if node.template else word

    def words(self, node: Node | None) -> list[Word]:
        """The items of a list as words; none for anything else."""
        return [self.word(item) for item in node.items] if isinstance(node, Items) else []

    def given(self, name: Scalar, value: Node | None, site: Span) -> Given:
        """An environment variable."""
        word = self.word(value) if value is not None else None
        return Given("env", self.word(name), word, name.guard, site)

    def variables(self, node: Node | None) -> Iterator[Given]:
        """Environment variables: a map, or a list of `NAME=value` or of maps with `name` and `value`.

        A value that comes from elsewhere (`valueFrom`) is opaque.
        """
        if isinstance(node, Entries):
            for key, value in node.entries:
                yield self.given(key, value, Span(key.span.start, value.span.end))
        for item in node.items if isinstance(node, Items) else ():
            name = item.get("name") if isinstance(item, Entries) else None
            if isinstance(item, Entries) and isinstance(name, Scalar):
                yield self.given(name, item.get("value") or item.get("valueFrom"), item.span)
            elif isinstance(item, Scalar) and (pair := self._pair(item)) is not None:
                yield pair

    def _pair(self, item: Scalar) -> Given | None:
        word = self.word(item)
        name, equals, value = word.text.partition("=")
        if not equals or not name.isidentifier():
            return None
        spelled, rest = word.fragment.slice(0, len(name)), word.fragment.slice(len(name) + 1, len(word.text))
        known = word.value if isinstance(word.value, Opaque) else Known(value)
        return Given("env", Word(spelled, Known(name)), Word(rest, known, word.guard), word.guard, item.span)

    # What stands around a launch

    def surroundings(
        self,
        label: str = "",
        given: Sequence[Given] = (),
        image: Word | None = None,
        beside: Sequence[Node | None] = (),
        holders: Sequence[Node | None] = (),
    ) -> Surroundings:
        """What the page says of a launch.

        beside   nodes whose comments may name a version
        holders  the lists and maps that hold the assignments in `given`
        """
        return Surroundings(
            given=(*self.around.given, *given),
            image=image,
            hints=(*self.around.hints, *self._comments(beside)),
            label=label,
            carrier=self.around.carrier or self.carrier,
            container=ListContainer(self.layer, (), holders, self.around.container),
        )

    def beside(self, around: Surroundings, nodes: Sequence[Node | None]) -> Surroundings:
        """The same with the comments at some nodes, which may name a version."""
        return replace(around, hints=(*around.hints, *self._comments(nodes)))

    def _comments(self, nodes: Sequence[Node | None]) -> Iterator[Hint]:
        told: set[Span] = set()
        for node in nodes:
            if node is None:
                continue
            behind = [node.comment] if isinstance(node, Scalar) and node.comment is not None else []
            for hint in (*comments(self.layer, node.span.start), *behind):
                span = hint.fragment.segments[0].origin
                if span is not None and span not in told:
                    told.add(span)
                    yield hint

    # Launches

    def script(self, text: Fragment, around: Surroundings, name: str = "command.sh") -> Iterator[Launch]:
        """The launches in a text of another format, shell text unless `name` is another file's."""
        found = self.opener.open(self.templates.hide(text), name, around)
        yield from self.templates.revealed(found)

    def lines(
        self, nodes: Sequence[Node | None], around: Surroundings, shared: Sequence[Node] = ()
    ) -> Iterator[Launch]:
        """The launches in strings and lists of strings that one shell reads, one behind the other.

        Those among `shared` stand in front of other scripts too, and are not edited.
        """
        parts: list[Fragment | str] = []
        for node in nodes:
            for scalar in scalars_of(node):
                text = fixed(scalar.fragment) if node in shared else scalar.fragment
                parts += [text] if text.text.endswith("\n") else [text, "\n"]
        if parts:
            yield from self.script(joined(self.layer, parts), around)

    def listed(
        self,
        words: Sequence[Word],
        around: Surroundings,
        lists: Sequence[Node | None],
        holders: Sequence[Node | None] = (),
        why_open: str = "",
    ) -> Iterator[Launch]:
        """The launch of the words of `lists`; templates that may add words to them make it open."""
        spans = [word.site for word in words if word.site is not None]
        if not spans:
            return
        whole = self.layer.slice(spans[0].start, max(span.end for span in spans))
        why_open = why_open or next((node.why_open for node in lists if isinstance(node, Items) and node.why_open), "")
        container = ListContainer(self.layer, lists, holders, self.around.container)
        found = launches_of(_told_apart(words), whole, self.opener, around, container, why_open)
        yield from self.templates.revealed(found)

    def started(self, place: Node, around: Surroundings, holders: Sequence[Node | None] = ()) -> Iterator[Launch]:
        """The launch of an image as it is, without a word; `place` names it."""
        container = ListContainer(self.layer, (), holders, self.around.container)
        found = launches_of((), self.layer.slice(*place.span), self.opener, around, container)
        yield from self.templates.revealed(found)


def _told_apart(words: Sequence[Word]) -> list[Word]:
    """Words without the guards that all of them share: where the launch is not there at all, nothing is asked of it."""
    shared: Guard = frozenset.intersection(*(word.guard for word in words)) if words else ALWAYS
    return [replace(word, guard=word.guard - shared) if shared else word for word in words]


def text_of(node: Node | None) -> str:
    """The text of a scalar; empty for anything else and for null."""
    return node.text if isinstance(node, Scalar) and not node.null else ""


def scalars_of(node: Node | None) -> list[Scalar]:
    """A scalar itself, or the scalars in a list, nested lists included (as GitLab flattens them)."""
    if isinstance(node, Scalar):
        return [] if node.null else [node]
    return [scalar for item in node.items for scalar in scalars_of(item)] if isinstance(node, Items) else []


def in_place(launches: Iterator[Launch], image: Word | None) -> Iterator[Launch]:
    """The launches in an image whose own entrypoint does not run: the program that runs stands in its place."""
    place = image.fragment.locate_all() if image is not None else None
    for launch in launches:
        program = launch.argv[0] if launch.argv else None
        inside = launch.image is not None and launch.image.fragment.locate_all() == place
        if program is None or not inside or launch.entrypoint is not None or program.text.startswith("-"):
            yield launch
        else:
            yield replace(launch, entrypoint=program, argv=launch.argv[1:])
