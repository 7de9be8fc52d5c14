"""Ray Serve's `LLMConfig` in YAML: what stands under `engine_kwargs` is handed to vLLM's engine arguments."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment
from mtpconfig_vllm.ray_serve.claims import is_llm_config

__all__ = ["RayServeCarrier"]


class RayServeCarrier:
    """Reads the keyword arguments of each model's engine."""

    name = "ray serve"

    def claims(self, name: str, head: str) -> bool:
        """Whether a YAML file configures models for Ray Serve, by its keys."""
        return is_llm_config(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The engines of all models in the order of the file."""
        from mtpconfig_vllm.ray_serve.reader import read

        yield from read(fragment, opener, around, self.name)
