"""The YAML file that `vllm serve --config` reads, where it is linted alone."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment
from mtpconfig_vllm.config_yaml.claims import is_config

__all__ = ["ConfigCarrier"]


class ConfigCarrier:
    """Reads the keys of the file as options; the command line beside it is not known."""

    name = "vllm --config yaml"

    def claims(self, name: str, head: str) -> bool:
        """Whether a YAML file is one, by all of its keys."""
        return is_config(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The one launch that the file is for."""
        from mtpconfig.carriers.yaml_.config import config_launches, config_root

        root = config_root(fragment, opener)
        if root is not None:
            yield from config_launches([("", root)], fragment, around, self.name, "vllm")
