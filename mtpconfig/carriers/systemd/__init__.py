"""systemd units: services and their drop-ins, Podman's quadlets."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.systemd.claims import is_unit
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["SystemdCarrier"]


class SystemdCarrier:
    """Reads the launches of unit files: every command that a unit starts, in the environment that it sets."""

    name = "systemd unit"

    def claims(self, name: str, head: str) -> bool:
        """Whether a file with this name and this beginning is a unit file."""
        return is_unit(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """Every start of a program, in the order met; what systemd would refuse is left out, nothing is raised."""
        from mtpconfig.carriers.systemd.reader import read

        yield from read(fragment, opener, around, self.name)
