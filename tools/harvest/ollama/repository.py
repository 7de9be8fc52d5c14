"""A clone of Ollama's repository: its releases, and files as they are in one."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from packaging.version import Version

from .. import cache
from ..pypi import HarvestError

URL = "https://github.com/ollama/ollama"
ENVIRONMENT_VARIABLE = "MTPCONFIG_HARVEST_OLLAMA"
OLDEST = Version("0.2.0")
"""The first release whose Modelfile parser lists its commands in one place."""

_RELEASE = re.compile(r"v(\d+\.\d+\.\d+(?:-rc\d+)?)\Z")


class Repository:
    """Reads git objects; nothing is checked out."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def git(self, *arguments: str) -> str:
        """What a git command prints.

        Raises:
            HarvestError: git fails; its last line is told.

        """
        done = subprocess.run(
            ["git", "-C", str(self._path), *arguments], capture_output=True, text=True, errors="replace", check=False
        )
        if done.returncode not in (0, 1):
            raise HarvestError(f"git {arguments[0]}: {done.stderr.strip().splitlines()[-1:] or ['failed']}")
        return done.stdout

    def releases(self) -> list[str]:
        """Stable releases from the oldest one on, and the newest candidate where it is newer than all of them."""
        found = [match[1] for tag in self.git("tag").split() if (match := _RELEASE.match(tag))]
        found = sorted((text for text in found if Version(text) >= OLDEST), key=Version)
        if not found:
            raise HarvestError(f"{self._path} holds no release tags: fetch them with `git fetch --tags`")
        return [text for text in found if "-rc" not in text or text == found[-1]]

    def show(self, release: str, path: str) -> str:
        """A file of a release; empty where the release has none."""
        listed = self.git("ls-tree", "--name-only", f"v{release}", path).strip()
        return self.git("show", f"v{release}:{path}") if listed else ""

    def grep(self, release: str, pattern: str) -> set[str]:
        """All texts that match an extended regular expression in the Go files of a release, its tests left out."""
        return set(self.git("grep", "-hoE", pattern, f"v{release}", "--", "*.go", ":!*_test.go").split())


def find(offline: bool) -> Repository:
    """The clone that `$MTPCONFIG_HARVEST_OLLAMA` names, else one in the cache, made or brought up to date if allowed.

    Raises:
        HarvestError: there is none, or it cannot be fetched.

    """
    named = os.environ.get(ENVIRONMENT_VARIABLE)
    if named:
        return Repository(Path(named))
    path = cache.folder("ollama") / "repository.git"
    if offline:
        if not path.exists():
            raise HarvestError(f"no clone of {URL} in the cache: run without --offline, or set {ENVIRONMENT_VARIABLE}")
        return Repository(path)
    order = ["fetch", "--tags", "--quiet"] if path.exists() else ["clone", "--bare", "--quiet", URL, str(path)]
    done = subprocess.run(["git", *(["-C", str(path)] if path.exists() else []), *order], check=False)
    if done.returncode:
        raise HarvestError(f"{URL} cannot be fetched: set {ENVIRONMENT_VARIABLE} to a clone with its tags")
    return Repository(path)
