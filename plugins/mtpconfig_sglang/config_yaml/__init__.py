"""The YAML file that `--config` reads, where it is linted alone; and recipes that hold one such map for each server."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment
from mtpconfig_sglang.config_yaml.claims import is_config

__all__ = ["ConfigCarrier"]


class ConfigCarrier:
    """Reads the keys of each map as options; the command line beside it is not known."""

    name = "sglang --config yaml"

    def claims(self, name: str, head: str) -> bool:
        """Whether a YAML file is one, by all of its keys."""
        return is_config(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """One launch for the file, or one for each of its sections."""
        from mtpconfig.carriers.yaml_ import Entries
        from mtpconfig.carriers.yaml_.config import config_launches, config_root

        root = config_root(fragment, opener)
        if root is not None:
            inner = [(key.text, value) for key, value in root.entries if isinstance(value, Entries) and value.entries]
            maps = inner if len(inner) == len(root.entries) else [("", root)]
            yield from config_launches(maps, fragment, around, self.name, "sglang")
