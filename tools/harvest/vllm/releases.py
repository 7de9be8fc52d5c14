"""Which vLLM releases there are, and the Python files of each that are read.

The wheels on PyPI hold the same files as the source distributions, every release has one (0.15.0 and 0.15.1 have
no source distribution), and single files can be taken out of them without downloading the rest.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from packaging.version import Version

from .. import cache, pypi, remote_zip
from ..pypi import HarvestError, Wheel

OLDEST = Version("0.5.0")
WANTED = re.compile(
    r"vllm/(?:(?:config|engine)/\w+|(?:config|envs|utils|scripts|sampling_params)|utils/(?:__init__|argparse_utils)"
    r"|(?:entrypoints/)(?:llm|(?:openai|common|launchers|serve)/(?:\w+/)?cli_args|openai/api_server|cli/(?:main|serve|launch))"
    r"|v1/sample/rejection_sampler|v1/engine/(?:processor|input_processor)|v1/worker/gpu/\w+|transformers_utils/config"
    r")\.py\Z"
)
_FILES = "files.tar.gz"


@dataclass(frozen=True)
class Release:
    """One release, and the wheel that it is read from."""

    version: Version
    wheel: Wheel

    @property
    def name(self) -> str:
        """The version as vLLM writes it."""
        return str(self.version)


def known(offline: bool, say: Callable[[str], None]) -> list[Release]:
    """Return every release from the oldest one on, ascending; pre-releases and yanked ones are left out."""
    found: dict[Version, Wheel] = {}
    for wheel in pypi.wheels("vllm", offline):
        try:
            version = parse_wheel_filename(wheel.name)[1]
        except InvalidWheelFilename:
            continue
        if version >= OLDEST and not version.is_prerelease:
            best = found.get(version)
            if best is None or _rank(wheel) < _rank(best):
                found[version] = wheel
    say(f"{len(found)} releases")
    return [Release(version, found[version]) for version in sorted(found)]


def _rank(wheel: Wheel) -> tuple[bool, str]:
    """Wheels of one release hold the same Python files: the same one is taken each time."""
    return "x86_64" not in wheel.name, wheel.name


def sources(release: Release, offline: bool) -> Mapping[str, str]:
    """Return the files of a release that are read, path -> text. Raises HarvestError when they cannot be had."""
    stored = cache.folder("vllm", release.name) / _FILES
    if not stored.exists():
        if offline:
            raise HarvestError(f"offline, and vLLM {release.name} is not in the cache")
        _store(stored, remote_zip.members(release.wheel.url, release.wheel.size, lambda path: bool(WANTED.match(path))))
    with tarfile.open(stored, "r:gz") as archive:
        files = {
            member.name: content.read().decode("utf-8", "replace")
            for member in archive
            if (content := archive.extractfile(member)) is not None
        }
    if "vllm/engine/arg_utils.py" not in files:
        raise HarvestError(f"{release.wheel.name} holds no vllm/engine/arg_utils.py")
    return files


def _store(path: Path, files: Mapping[str, bytes]) -> None:
    partial = path.with_name(path.name + ".part")
    with tarfile.open(partial, "w:gz") as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    partial.replace(path)
