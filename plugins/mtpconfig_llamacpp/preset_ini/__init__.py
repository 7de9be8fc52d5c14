"""llama-server's INI files: presets of a router (`--models-preset`), and the user's configuration."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["PresetCarrier"]


class PresetCarrier:
    """Reads each model section of an INI file as the start of llama-server that the router makes of it."""

    name = "llama-server preset INI"

    def claims(self, name: str, head: str) -> bool:
        """Whether a file with this name and this beginning is a preset file: both must speak for it."""
        from mtpconfig_llamacpp.preset_ini.claims import is_preset

        return is_preset(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """A launch for each model section, in the order of the file; nothing is raised."""
        from mtpconfig_llamacpp.preset_ini.reader import read

        yield from read(fragment, opener, around, self.name)
