"""The llama.cpp builds that can be asked, and the Python environments that hold them."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Build:
    """A llama.cpp build and the ``xllamacpp`` release that embeds it.

    ``effects``: whether the live launches are recorded too.
    """

    number: int
    wheel: str
    effects: bool = True

    @property
    def name(self) -> str:
        """As llama.cpp tags it: ``b11549``."""
        return f"b{self.number}"


BUILDS: Final = (
    # 0.2.14 does not carry its number: its tag pins llama.cpp d23355afc319, and the commit that set it says b8352.
    Build(8352, "0.2.14"),
    Build(9294, "2026.5.9294"),
    Build(9873, "2026.7.9873"),
    Build(10566, "2026.8.10566"),
    Build(11549, "2026.10.11549"),
)
"""Oldest first. Later wheels carry the build number as the last part of their version. 2026.4.8672 is left out: it was
compiled for AVX-512 and dies of an illegal instruction elsewhere."""


def cache_folder() -> Path:
    """Where the environments are kept."""
    chosen = os.environ.get("MTPCONFIG_CONFORMANCE_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mtpconfig" / "conformance"


def python_of(build: Build) -> str:
    """The interpreter of an environment that has this build's wheel, made on first use (needs a package index)."""
    folder = cache_folder() / f"xllamacpp-{build.wheel}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = folder / "installed"
    if not done.exists():
        venv.create(folder, clear=True, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*install, f"xllamacpp=={build.wheel}"], check=True)
        done.touch()
    return str(python)
