"""The services of a Compose file, with what they extend."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carrier import Files
from mtpconfig.carriers.yaml_ import Entries, Items, Node, Scalar, documents
from mtpconfig.carriers.yaml_.codecs import REFUSED
from mtpconfig.text import Fragment, Kind, Segment, Source, Span

_MOST_EXTENDS = 8
MOST_SERVICES = 2000
_INHERITED = ("image", "command", "entrypoint")


class Service(Struct, frozen=True, eq=False):
    """One service.

    fields       what it says itself or inherits, by key
    environment  the maps and lists of its environment, weakest first
    env_files    the names of its files of variables, relative to the project, weakest first
    """

    name: Scalar
    fields: Mapping[str, Node]
    environment: tuple[Entries | Items, ...] = ()
    env_files: tuple[str, ...] = ()


def closed_to_edits(source: Source) -> Fragment:
    """Another file's text: it can be located, not edited."""
    size = len(source.text)
    return Fragment(source.text, (Segment(0, size, Span(0, size), Kind.COPY, REFUSED),), source)


class Project:
    """A Compose file among the files that it names."""

    def __init__(self, root: Node | None, files: Files, folder: str = "") -> None:
        services = root.get("services") if isinstance(root, Entries) else None
        self._services = services if isinstance(services, Entries) else None
        self._files = files
        self._folder = folder
        self._others: dict[str, Project] = {}
        self._bases: dict[str, Service] = {}
        self._extended = set(self._extended_names())

    def services(self) -> Iterator[Service]:
        """Every service, in the order written."""
        for key, node in self._services.entries[:MOST_SERVICES] if self._services else ():
            if isinstance(node, Entries):
                yield self._service(key, node, 0)

    @property
    def unread(self) -> Span | None:
        """Where the first service stands that is one too many; None if all are read."""
        rest = self._services.entries[MOST_SERVICES : MOST_SERVICES + 1] if self._services else ()
        return next((key.span for key, _ in rest), None)

    def _service(self, key: Scalar, node: Entries, depth: int) -> Service:
        own = {name.text: value for name, value in node.entries}
        if key.text in self._extended:
            own = {name: shared(value) for name, value in own.items()}
        base = self._base(own.get("extends"), depth)
        environment = own.get("environment")
        fields = {**({name: base.fields[name] for name in _INHERITED if name in base.fields} if base else {}), **own}
        return Service(
            key,
            fields,
            (
                *(base.environment if base else ()),
                *((environment,) if isinstance(environment, (Entries, Items)) else ()),
            ),
            (*(base.env_files if base else ()), *self._env_files(own.get("env_file"))),
        )

    def _base(self, extends: Node | None, depth: int) -> Service | None:
        """The service that another one extends, closed to edits: it is not that other one's own."""
        if extends is None or depth >= _MOST_EXTENDS:
            return None
        file = extends.get("file") if isinstance(extends, Entries) else None
        name = extends.get("service") if isinstance(extends, Entries) else extends
        if not isinstance(name, Scalar):
            return None
        project = self._other(file.text) if isinstance(file, Scalar) else self
        services = project._services if project else None
        key, node = (services.key(name.text), services.get(name.text)) if services else (None, None)
        if project is None or key is None or not isinstance(node, Entries):
            return None
        if name.text not in project._bases:
            project._bases[name.text] = project._service(key, node, depth + 1)
        return project._bases[name.text]

    def _other(self, name: str) -> Project | None:
        path = posixpath.join(self._folder, name)
        if path not in self._others:
            source = self._files.read(path)
            read = documents(closed_to_edits(source)) if source else ()
            self._others[path] = Project(read[0].root if read else None, self._files, posixpath.dirname(path))
        return self._others[path]

    def _env_files(self, node: Node | None) -> Iterator[str]:
        """`env_file: name`, a list of names, or a list of maps with a `path`."""
        for each in node.items if isinstance(node, Items) else (node,) if node is not None else ():
            path = each.get("path") if isinstance(each, Entries) else each
            if isinstance(path, Scalar) and path.text:
                yield posixpath.join(self._folder, path.text)

    def _extended_names(self) -> Iterator[str]:
        for _, node in self._services.entries if self._services else ():
            extends = node.get("extends") if isinstance(node, Entries) else None
            if isinstance(extends, Scalar):
                yield extends.text
            elif isinstance(extends, Entries) and extends.get("file") is None:
                name = extends.get("service")
                if isinstance(name, Scalar):
                    yield name.text


def shared(node: Node) -> Node:
    """The same node as one that other places have too."""
    if node.shared:
        return node
    if isinstance(node, Scalar):
        return replace(node, shared=True)
    if isinstance(node, Items):
        return replace(node, items=tuple(map(shared, node.items)), shared=True)
    return replace(node, entries=tuple((replace(k, shared=True), shared(v)) for k, v in node.entries), shared=True)
