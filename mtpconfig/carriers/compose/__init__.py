"""Docker Compose files."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.compose.claims import is_compose
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["ComposeCarrier"]


class ComposeCarrier:
    """Reads the launches of a Compose file's services."""

    name = "docker compose"

    def claims(self, name: str, head: str) -> bool:
        """Whether a file is Compose's, by its name, else by its content."""
        return is_compose(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """One launch for each service that runs something; what cannot be parsed is left out, nothing is raised."""
        from mtpconfig.carriers.compose.reading import ComposeReader

        yield from ComposeReader(fragment, opener, around).launches()
