"""Source distributions on PyPI: the list of them, and files streamed out of one without keeping it."""

from __future__ import annotations

import io
import json
import tarfile
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from . import cache

SIMPLE = "https://pypi.org/simple/{project}/"
ACCEPT = "application/vnd.pypi.simple.v1+json"
CHUNK = 1 << 18
TIMEOUT = 60  # seconds without a byte


class HarvestError(Exception):
    """Something the person who runs the harvester has to act on."""


@dataclass(frozen=True)
class Sdist:
    """One ``.tar.gz`` source distribution."""

    project: str
    version: str
    url: str
    size: int
    uploaded: str

    @property
    def key(self) -> str:
        """Name under which it is cached."""
        return f"{self.project}-{self.version}"


class Meter:
    """Counts what went over the network, for the report at the end."""

    def __init__(self) -> None:
        self.bytes = 0
        self.downloads = 0


METER = Meter()


class _Counted(io.RawIOBase):
    def __init__(self, response: io.BufferedIOBase) -> None:
        self._response = response

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._response.read(size)
        METER.bytes += len(data)
        return data


@dataclass(frozen=True)
class Wheel:
    """One wheel."""

    name: str
    url: str
    size: int


def sdists(project: str, offline: bool = False) -> list[Sdist]:
    """Return the project's source distributions in the order of their upload.

    Raises:
        HarvestError: offline, and the list was never fetched.

    """
    suffix = ".tar.gz"

    def row(entry: dict[str, Any]) -> dict[str, Any]:
        version = entry["filename"].removesuffix(suffix).rsplit("-", 1)[1]
        return {"version": version, "url": entry["url"], "size": entry.get("size", 0), **_uploaded(entry)}

    rows = _listed(project, suffix, f"{project}.json", row, offline)
    rows.sort(key=lambda row: (row["uploaded"], row["version"]))
    return [Sdist(project, row["version"], row["url"], row["size"], row["uploaded"]) for row in rows]


def wheels(project: str, offline: bool = False) -> list[Wheel]:
    """Return the project's wheels by name.

    Raises:
        HarvestError: offline, and the list was never fetched.

    """

    def row(entry: dict[str, Any]) -> dict[str, Any]:
        return {"name": entry["filename"], "url": entry["url"], "size": entry.get("size", 0)}

    rows = _listed(project, ".whl", f"{project}-wheels.json", row, offline)
    return sorted((Wheel(**row) for row in rows), key=lambda wheel: wheel.name)


def _uploaded(entry: dict[str, Any]) -> dict[str, str]:
    return {"uploaded": entry.get("upload-time", "")}


def _listed(
    project: str, suffix: str, stored_as: str, row: Callable[[dict[str, Any]], dict[str, Any]], offline: bool
) -> list[dict[str, Any]]:
    """The project's files that end so and were not withdrawn; the list is kept for the next time without network."""
    stored = cache.folder("pypi") / stored_as
    if not offline:
        request = urllib.request.Request(SIMPLE.format(project=project), headers={"Accept": ACCEPT})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            page = json.load(_Counted(response))
        entries = [entry for entry in page["files"] if entry["filename"].endswith(suffix) and not entry.get("yanked")]
        cache.write_json(stored, [row(entry) for entry in entries])
    rows: list[dict[str, Any]] | None = cache.read_json(stored)
    if rows is None:
        raise HarvestError(f"offline, and the list of {project} releases is not in the cache")
    return rows


def stream(
    sdist: Sdist, wanted: Callable[[str], bool], done: Callable[[str], bool] = lambda _: False
) -> Iterator[tuple[str, bytes]]:
    """Yield ``(path without the top folder, content)`` of the wanted members, in archive order.

    The connection is closed, and the rest never downloaded, once ``done(path)`` holds for a member
    or the consumer stops iterating.
    """
    METER.downloads += 1
    with (
        urllib.request.urlopen(sdist.url, timeout=TIMEOUT) as response,
        tarfile.open(fileobj=_Counted(response), mode="r|gz", bufsize=CHUNK) as archive,
    ):
        for member in archive:
            path = member.name.partition("/")[2]
            if done(path):
                return
            if member.isfile() and wanted(path):
                content = archive.extractfile(member)
                if content is not None:
                    yield path, content.read()
