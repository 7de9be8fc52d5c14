"""llama-swap's configuration: a YAML file with the command of each model."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment
from mtpconfig_llamacpp.llama_swap.claims import is_llama_swap

__all__ = ["LlamaSwapCarrier"]


class LlamaSwapCarrier:
    """Reads the command of each model, its macros expanded, in the environment that the model sets."""

    name = "llama-swap config"

    def claims(self, name: str, head: str) -> bool:
        """Whether a YAML file is llama-swap's, by its keys."""
        return is_llama_swap(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The launches of all models in the order of the file; nothing is raised."""
        from mtpconfig_llamacpp.llama_swap.reader import read

        yield from read(fragment, opener, around, self.name)
