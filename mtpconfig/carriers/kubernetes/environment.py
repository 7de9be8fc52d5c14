"""The environment of a container, also where it comes from a ConfigMap of the same file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carriers.generic_yaml.joining import fixed
from mtpconfig.carriers.generic_yaml.page import Page, text_of
from mtpconfig.carriers.kubernetes.variables import expanded
from mtpconfig.carriers.yaml_ import Entries, Items, Node, Scalar
from mtpconfig.launch import Given, Word
from mtpconfig.text import Span

NAMES = ("env", "extraEnv", "envVars", "extraEnvVars", "environment")
"""Keys that hold variables: Kubernetes' own first, then those that charts use."""


_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class ConfigMaps(Struct, frozen=True):
    """The `data` of the ConfigMaps of a file, by their name."""

    data: Mapping[str, Entries]

    @classmethod
    def of(cls, roots: list[Node]) -> ConfigMaps:
        """Those among some documents, and in lists of resources."""
        found: dict[str, Entries] = {}
        for root in roots:
            for resource in _resources(root):
                metadata, data = resource.get("metadata"), resource.get("data")
                named = isinstance(metadata, Entries) and text_of(resource.get("kind")) == "ConfigMap"
                if named and isinstance(data, Entries):
                    found[_name(metadata)] = data
        return cls(found)


def _resources(root: Node) -> Iterator[Entries]:
    if isinstance(root, Entries):
        yield root
        items = root.get("items")
        for item in items.items if isinstance(items, Items) else ():
            if isinstance(item, Entries):
                yield item


def environment(page: Page, container: Entries, maps: ConfigMaps) -> tuple[Given, ...]:
    """The variables of a container: those of whole maps first, then its own, each with the earlier ones put in."""
    found: dict[str, Given] = {}
    known: dict[str, Word] = {}

    def note(given: Given) -> None:
        value = expanded(given.value, known, {}) if given.value is not None else None
        found.pop(given.name.text, None)  # the last one counts, and stands where it is said
        found[given.name.text] = replace(given, value=value)
        if value is not None:
            known[given.name.text] = value

    for given in _from_maps(page, container.get("envFrom"), maps):
        note(given)
    for key in NAMES:
        node = container.get(key)
        referred = {given.name.text: given for given in _referred(page, node, maps)}
        for given in page.variables(node):
            note(referred.get(given.name.text, given))
    return tuple(found.values())


def holders(container: Entries) -> list[Node | None]:
    """The lists and maps that hold a container's own variables."""
    return [container.get(key) for key in NAMES]


def _from_maps(page: Page, node: Node | None, maps: ConfigMaps) -> Iterator[Given]:
    """`envFrom`: all entries of a ConfigMap."""
    for item in node.items if isinstance(node, Items) else ():
        if not isinstance(item, Entries) or text_of(item.get("prefix")):
            continue
        data = maps.data.get(_name(item.get("configMapRef")))
        for key, value in data.entries if data is not None else ():
            if _NAME.fullmatch(key.text):
                yield _shared(page, key, key, value)


def _referred(page: Page, node: Node | None, maps: ConfigMaps) -> Iterator[Given]:
    """`valueFrom: {configMapKeyRef: {name, key}}`."""
    for item in node.items if isinstance(node, Items) else ():
        name = item.get("name") if isinstance(item, Entries) else None
        origin = item.get("valueFrom") if isinstance(item, Entries) else None
        place = origin.get("configMapKeyRef") if isinstance(origin, Entries) else None
        if isinstance(name, Scalar) and isinstance(place, Entries):
            data = maps.data.get(_name(place))
            key = data.key(text_of(place.get("key"))) if data is not None else None
            value = data.get(key.text) if data is not None and key is not None else None
            if key is not None and value is not None:
                yield _shared(page, name, key, value)


def _name(node: Node | None) -> str:
    return text_of(node.get("name")) if isinstance(node, Entries) else ""


def _shared(page: Page, name: Scalar, key: Scalar, value: Node) -> Given:
    """A variable whose text other containers may use too."""
    word = page.word(value)
    kept = replace(word, fragment=fixed(word.fragment))
    return Given("env", page.word(name), kept, name.guard, Span(key.span.start, value.span.end))
