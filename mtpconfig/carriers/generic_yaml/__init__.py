"""YAML and JSON of no known schema: commands under the keys that everybody uses for commands.

The modules beside it read words, scripts and templates for all carriers that stand on YAML.
"""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["YamlCarrier"]

_SUFFIXES = (".yaml", ".yml", ".json", ".yaml.example", ".yml.example", ".yaml.j2", ".yml.j2", ".yaml.tmpl")


class YamlCarrier:
    """Reads commands out of any YAML; prose under other keys is not looked at."""

    name = "yaml"

    def claims(self, name: str, head: str) -> bool:
        """Whether a file is YAML or JSON, by its name."""
        return name.lower().endswith(_SUFFIXES)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The launches of all documents; what cannot be parsed is left out."""
        from mtpconfig.carriers.generic_yaml.commands import Commands
        from mtpconfig.carriers.generic_yaml.page import Page

        page = Page.of(fragment, opener, around, self.name)
        for document in page.documents():
            if document.root is not None:
                yield from Commands(page).launches(document.root)
