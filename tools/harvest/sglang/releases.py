"""Which SGLang releases there are, and the files of each that say something about its options.

Every release is on PyPI as a wheel.  One wheel stands for a release: the Python files of all are the same.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import parse_wheel_filename
from packaging.version import Version

from .. import cache, pypi, remote_zip
from ..pypi import HarvestError, Wheel

OLDEST = Version("0.4.1")
"""The last minor release that began without an option for speculative decoding."""

_PYTHON = re.compile(r"sglang/(?!test/|lang/|benchmark/|multimodal_gen/).*\.py\Z")
_KEPT = re.compile(rb"SGLANG_|speculative")
_ALWAYS = re.compile(r"sglang/srt/(?:server_args\.py|arg_groups/)")
_STORED = "sources.tar.gz"


@dataclass(frozen=True)
class Release:
    """One release, and the wheel that it is read from."""

    version: Version
    wheel: Wheel

    @property
    def name(self) -> str:
        """The version as SGLang writes it."""
        return str(self.version)


def known(offline: bool = False, say: Callable[[str], None] = lambda _: None) -> list[Release]:
    """Return every release from the oldest one that matters on, ascending; release candidates count."""
    found: dict[Version, Wheel] = {}
    for wheel in sorted(pypi.wheels("sglang", offline), key=_rank):
        version = parse_wheel_filename(wheel.name)[1]
        if version >= OLDEST:
            found.setdefault(version, wheel)
    say(f"{len(found)} releases can be had")
    return [Release(version, found[version]) for version in sorted(found)]


def _rank(wheel: Wheel) -> tuple[bool, bool, str]:
    return not wheel.name.endswith("-py3-none-any.whl"), "x86_64" not in wheel.name, wheel.name


def _folder(release: Release) -> Path:
    return cache.folder("sglang", f"sglang-{release.name}")


def sources(release: Release, offline: bool = False, say: Callable[[str], None] = lambda _: None) -> Mapping[str, str]:
    """Return the Python files that speak of speculation or of variables, as ``path inside sglang -> text``.

    Raises:
        HarvestError: offline and not cached, or the wheel has no server arguments.

    """
    stored = _folder(release) / _STORED
    if not stored.exists():
        if offline:
            raise HarvestError(f"offline, and the sources of SGLang {release.name} are not in the cache")
        say(f"reading {release.wheel.name}")
        taken = remote_zip.members(release.wheel.url, release.wheel.size, lambda path: bool(_PYTHON.match(path)))
        kept = {path: content for path, content in taken.items() if _ALWAYS.match(path) or _KEPT.search(content)}
        _store(stored, kept)
    with tarfile.open(stored, "r:gz") as archive:
        files = {
            member.name: content.read().decode("utf-8", "replace")
            for member in archive
            if (content := archive.extractfile(member)) is not None
        }
    if "srt/server_args.py" not in files:
        raise HarvestError(f"{release.wheel.name} holds no sglang/srt/server_args.py")
    return files


def _store(path: Path, files: Mapping[str, bytes]) -> None:
    partial = path.with_name(path.name + ".part")
    with tarfile.open(partial, "w:gz") as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(name.removeprefix("sglang/"))
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    partial.replace(path)


def parsed_path(release: Release, parser: str) -> Path:
    """Where the result of parsing a release with the parser of that fingerprint is kept."""
    return _folder(release) / f"parsed-{parser}.json"
