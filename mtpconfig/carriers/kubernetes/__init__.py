"""Kubernetes: manifests of any kind, custom resources with containers in them, and the values of Helm charts."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.kubernetes.claims import is_manifest
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["KubernetesCarrier"]


class KubernetesCarrier:
    """Reads what containers start, and the files in ConfigMaps."""

    name = "kubernetes manifest"

    def claims(self, name: str, head: str) -> bool:
        """Whether a text is a manifest or a chart's values."""
        return is_manifest(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The launches of all documents; what cannot be parsed is left out."""
        from mtpconfig.carriers.generic_yaml.page import Page
        from mtpconfig.carriers.kubernetes.containers import Containers
        from mtpconfig.carriers.kubernetes.environment import ConfigMaps
        from mtpconfig.carriers.kubernetes.scope import Scope

        page = Page.of(fragment, opener, around, self.name)
        roots = [document.root for document in page.documents() if document.root is not None]
        containers = Containers(page, ConfigMaps.of(roots))
        for root in roots:
            yield from containers.launches(root, Scope.of(root))
