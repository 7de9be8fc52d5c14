"""Dockerfiles and Containerfiles: ENTRYPOINT, CMD and RUN, in exec and in shell form."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["DockerfileCarrier"]

_NAMES = ("dockerfile", "containerfile")
_OTHERS = ("dockerignore", "sh", "md", "py", "go", "js", "ts", "rs", "rb", "yml", "yaml", "json", "toml", "txt", "html")


class DockerfileCarrier:
    """Reads what the containers of each stage start, and what is run while the image is built.

    The image's own entrypoint is not known: where a stage gives only CMD, the launch has the image and CMD's words.
    """

    name = "dockerfile"

    def claims(self, name: str, head: str) -> bool:
        """Whether a file is one, by its name: `Dockerfile`, `Dockerfile.cuda`, `cuda.Dockerfile`."""
        base = name.lower()
        first, _, rest = base.partition(".")
        named = first in _NAMES or first.startswith(tuple(f"{n}{mark}" for n in _NAMES for mark in "-_"))
        return (named and not rest.endswith(_OTHERS)) or base.endswith(tuple(f".{n}" for n in _NAMES))

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The launches in the order of their instructions; an instruction that Docker would refuse is passed over."""
        from mtpconfig.carriers.dockerfile.walk import Walker

        yield from Walker(fragment, opener, around, self.name).launches()
