"""Files in ConfigMaps and Secrets: each value is a file named by its key."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from mtpconfig.carriers.generic_yaml.page import Page, text_of
from mtpconfig.carriers.kubernetes.scope import Scope
from mtpconfig.carriers.yaml_ import Entries, Node, Scalar
from mtpconfig.launch import Launch

_HOLDERS = ("data", "stringData")


def is_files(node: Entries) -> bool:
    """Whether a map is a ConfigMap or a Secret, or a chart's values for one (`data:` with names of files)."""
    if text_of(node.get("kind")) in ("ConfigMap", "Secret"):
        return True
    data = node.get("data")
    return isinstance(data, Entries) and all(_is_file(key, value) for key, value in data.entries) and bool(data.entries)


def _is_file(key: Scalar, value: Node) -> bool:
    return isinstance(value, Scalar) and "." in key.text.strip(".") and "\n" in value.text


def files_of(page: Page, node: Entries, scope: Scope) -> Iterator[Launch]:
    """The launches in the files of a ConfigMap or Secret."""
    for holder in _HOLDERS:
        data = node.get(holder)
        for key, value in data.entries if isinstance(data, Entries) else ():
            if isinstance(value, Scalar) and not value.null and not (holder == "data" and _is_encoded(node)):
                around = replace(
                    page.surroundings(scope.label, beside=[node, key]), carrier=page.around.carrier or scope.carrier
                )
                yield from page.script(value.fragment, around, key.text.rsplit("/", 1)[-1])


def _is_encoded(node: Entries) -> bool:
    """Whether `data` holds base64: in a Secret."""
    return text_of(node.get("kind")) == "Secret"
