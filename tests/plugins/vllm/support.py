"""What the tests of vLLM need: text in, readings out."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from mtpconfig.engine import Engine, Reading
from mtpconfig.hooks import find_engine
from mtpconfig.launch import Launch
from mtpconfig.text import Source
from mtpconfig.version import PEP440, Version

from ...support import linter


def vllm() -> Engine:
    return find_engine("vllm")


@lru_cache(maxsize=256)
def release(text: str) -> Version:
    return PEP440.parse(text)


def launch(text: str, name: str = "start.sh") -> Launch:
    """The one launch of a text that is vLLM's."""
    (only,) = (each for each in linter().launches(Source(name, text)) if each.engine == "vllm")
    return only


def read(text: str, version: str, name: str = "start.sh") -> Reading:
    return vllm().read(launch(text, name), release(version))


def serve(words: str, version: str) -> Reading:
    return read(f"vllm serve m {words}\n", version)


def bare(found: Launch) -> Launch:
    """A launch that a carrier hands over, before any engine saw it."""
    return replace(found, engine="", program="", args_at=1)
