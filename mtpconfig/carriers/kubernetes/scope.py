"""What is known at a place of a manifest: the resource that it belongs to, and the image around it."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carriers.generic_yaml.page import text_of
from mtpconfig.carriers.yaml_ import Entries, Node, Scalar
from mtpconfig.launch import Word

MANIFEST, CUSTOM, VALUES = "kubernetes manifest", "kubernetes custom resource", "helm values"

_BUILT_IN = re.compile(r"(?:[a-z0-9]+|[\w.-]+\.k8s\.io)(?:/v\w+)?\Z|v\d+\w*\Z")


class Scope(Struct, frozen=True, eq=False):
    """A place in a document.

    carrier  the format that launches here are reported under
    label    the name of the resource, or of what stands nearest
    image    the image that a map around it names, with its node
    """

    carrier: str
    label: str = ""
    image: tuple[Word, Node] | None = None

    @classmethod
    def of(cls, root: Node) -> Scope:
        """The scope of a document: a resource, a piece of one, or the values of a chart."""
        scope = cls(VALUES if isinstance(root, Entries) and not _is_piece(root) else MANIFEST)
        return scope.entering(root)

    def entering(self, node: Node) -> Scope:
        """The scope inside a node: a resource (also one in a list of them) gives its kind and name."""
        if not isinstance(node, Entries):
            return self
        version, kind = text_of(node.get("apiVersion")), text_of(node.get("kind"))
        if not version or not kind:
            return self
        carrier = MANIFEST if _BUILT_IN.match(version) else CUSTOM
        metadata = node.get("metadata")
        name = text_of(metadata.get("name")) if isinstance(metadata, Entries) else ""
        return Scope(carrier, name or self.label)

    def under(self, key: Scalar) -> Scope:
        """The scope below a key: `values` of a HelmRelease or an Application holds a chart's values."""
        name = key.text
        carrier = (
            VALUES if self.carrier == CUSTOM and name in ("values", "valuesObject", "helmValues") else self.carrier
        )
        label = self.label or ("" if name in _PLAIN_KEYS else name)
        return replace(self, carrier=carrier, label=label)


_PLAIN_KEYS = frozenset(("spec", "template", "containers", "initContainers", "items", "image", "values"))


def _is_piece(root: Entries) -> bool:
    """Whether a map is part of a manifest."""
    return any(key.text in ("containers", "initContainers", "spec", "apiVersion", "kind") for key, _ in root.entries)
