"""The launches of a Compose file: one for each service that runs something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.compose.containers import Containers, string_container
from mtpconfig.carriers.compose.environment import given_to
from mtpconfig.carriers.compose.interpolation import OUTSIDE, Lookup, interpolate
from mtpconfig.carriers.compose.services import MOST_SERVICES, Project, Service, closed_to_edits
from mtpconfig.carriers.compose.splitting import MOST_WORDS, split
from mtpconfig.carriers.dotenv import values_of, variables
from mtpconfig.carriers.shell.listed import launches_of
from mtpconfig.carriers.yaml_ import Entries, Items, ListContainer, Node, Scalar, comments, documents, report_faults
from mtpconfig.launch import Container, Given, Hint, Launch, Opaque, Word
from mtpconfig.text import Fragment, Span


class _Words(Struct, frozen=True, eq=False):
    """The words of a `command` or an `entrypoint`, what may add to them, and what edits them."""

    words: tuple[Word, ...] = ()
    why_open: str = ""
    container: Container | None = None


class ComposeReader:
    """Reads one Compose file."""

    def __init__(self, layer: Fragment, opener: Opener, around: Surroundings) -> None:
        self._layer = layer
        self._opener = opener
        self._around = around
        self._variables = lru_cache(maxsize=64)(self._read_variables)

    def launches(self) -> Iterator[Launch]:
        """Every service's launch, and those in the files that it carries along."""
        found = documents(self._layer)
        report_faults(found, self._layer, self._opener)
        for document in found:
            project = Project(document.root, self._opener.files)
            for service in project.services():
                yield from self._service(service)
            if project.unread is not None:
                self._opener.miss(self._layer, project.unread.start, f"it holds more than {MOST_SERVICES} services")
            yield from self._carried(document.root)

    @cached_property
    def _lookup(self) -> Lookup:
        """The variables of the file that Compose reads by itself."""
        return values_of(self._variables(".env")).get

    def _read_variables(self, name: str) -> tuple[Given, ...]:
        source = self._opener.files.read(name)
        return variables(closed_to_edits(source)) if source is not None else ()

    # One service

    def _service(self, service: Service) -> Iterator[Launch]:
        entrypoint = self._words(service.fields.get("entrypoint"))
        command = self._words(service.fields.get("command"))
        words = (*entrypoint.words, *command.words)
        given = given_to(service, self._lookup, self._variables)
        image = self._image(service)
        if not words and image is None and not given:
            return
        container = self._container(service, (entrypoint, command))
        around = Surroundings(
            (*self._around.given, *given),
            image,
            None,
            (*self._around.hints, *self._hints(service)),
            service.name.text,
            "docker compose",
            container,
        )
        whole = self._whole(service, words, image)
        why = entrypoint.why_open or command.why_open
        if not words:
            yield _bare(whole, around, container, why)
            return
        for launch in launches_of(words, whole, self._opener, around, container, why):
            started = replace(launch, label=service.name.text, carrier="docker compose")
            yield _entered(started, entrypoint.words, image)

    def _words(self, node: Node | None) -> _Words:
        if isinstance(node, Items):
            words = tuple(self._item(item) for item in node.items[:MOST_WORDS])
            why = node.why_open or ("more items than are read" if len(node.items) > MOST_WORDS else "")
            return _Words(words, why, ListContainer(self._layer, [node], codec=OUTSIDE) if not node.shared else None)
        if isinstance(node, Scalar) and not node.null:
            read = interpolate(node.fragment, self._lookup)
            found = split(read, node.guard)
            editable = found.accepted and not node.shared
            container = string_container(node.fragment, found.words) if editable else None
            many = next((word.text for word in found.words if word.many), "")
            return _Words(tuple(found.words), found.fault or many, container)
        return _Words()

    def _item(self, node: Node) -> Word:
        """One list item is one word, whatever stands in it."""
        if not isinstance(node, Scalar):
            kind = "map" if isinstance(node, Entries) else "list"
            return Word(self._layer.slice(*node.span), Opaque(f"a YAML {kind}, not a string"), node.guard, node.span)
        read = interpolate(node.fragment, self._lookup)
        return read.word(read.fragment, 0, len(read.text), node.guard, node.span)

    def _image(self, service: Service) -> Word | None:
        node = service.fields.get("image")
        return self._item(node) if isinstance(node, Scalar) and not node.null else None

    def _container(self, service: Service, parts: Sequence[_Words]) -> Container:
        own = [node for node in service.environment if _belongs(node, self._layer)]
        owners = [(part.words, part.container) for part in parts if part.container is not None]
        return Containers(owners, ListContainer(self._layer, (), own))

    def _whole(self, service: Service, words: Sequence[Word], image: Word | None) -> Fragment:
        """The launch's own text: from its first word to its last, where they stand in this file."""
        for word in (*words, image):
            if word is not None and word.fragment.source is self._layer.source and word.fragment.locate_all():
                return word.fragment
        return service.name.fragment

    def _hints(self, service: Service) -> tuple[Hint, ...]:
        """Comments at the head of the file, above the service, above and behind its image and its command."""
        found = list(comments(self._layer, service.name.span.start)) if service.name.layer is self._layer else []
        for name in ("image", "entrypoint", "command"):
            node = service.fields.get(name)
            if node is None or not _belongs(node, self._layer):
                continue
            found += comments(self._layer, node.span.start)
            if isinstance(node, Scalar) and node.comment is not None:
                found.append(node.comment)
        told: dict[tuple[Span, ...], Hint] = {}
        for hint in found:
            told.setdefault(hint.fragment.locate_all(), hint)
        return tuple(told.values())

    # Files within the file

    def _carried(self, root: Node | None) -> Iterator[Launch]:
        """`configs` with inline content, as the files that they become, and Dockerfiles that stand in a service."""
        for name, key, config in _entries(root, "configs"):
            yield from self._inside(config.get("content"), name, key)
        for _, key, service in _entries(root, "services"):
            build = service.get("build")
            if isinstance(build, Entries):
                yield from self._inside(build.get("dockerfile_inline"), "Dockerfile", key)

    def _inside(self, text: Node | None, name: str, key: Scalar) -> Iterator[Launch]:
        if isinstance(text, Scalar):
            read = interpolate(text.fragment, self._lookup).fragment
            yield from self._opener.open(read, name, Surroundings(label=key.text))


def _entries(root: Node | None, part: str) -> Iterator[tuple[str, Scalar, Entries]]:
    """The maps in a part of the file, by name."""
    found = root.get(part) if isinstance(root, Entries) else None
    for key, node in found.entries if isinstance(found, Entries) else ():
        if isinstance(node, Entries):
            yield key.text, key, node


def _bare(whole: Fragment, around: Surroundings, container: Container, why_open: str) -> Launch:
    """What runs by its image and environment alone."""
    return Launch(
        argv=(),
        fragment=whole,
        given=around.given,
        image=around.image,
        container=container,
        closed=not why_open,
        why_open=why_open,
        hints=around.hints,
        carrier=around.carrier,
        label=around.label,
    )


def _entered(launch: Launch, entrypoint: Sequence[Word], image: Word | None) -> Launch:
    """A launch whose first word stands in the place of the image's own entrypoint, told so."""
    if image is None or launch.image is not image or not launch.argv or launch.argv[0] not in entrypoint:
        return launch
    return replace(launch, entrypoint=launch.argv[0], argv=launch.argv[1:])


def _belongs(node: Node, layer: Fragment) -> bool:
    """Whether a node was read from this layer."""
    if isinstance(node, Scalar):
        return node.layer is layer
    inner: Iterable[Node] = node.items if isinstance(node, Items) else (key for key, _ in node.entries)
    return all(_belongs(each, layer) for each in inner)
