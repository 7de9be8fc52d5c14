"""Which files a run looks at."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from mtpconfig.errors import UsageError

SKIPPED = frozenset(
    {".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".nox", ".mypy_cache",
     ".ruff_cache", ".pytest_cache", "site-packages", ".direnv", ".eggs", ".idea"}
)  # fmt: skip
"""Folders that are not walked into; a path given by name is read wherever it lies."""


def files_below(paths: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Regular files given or below the folders given, each once, in a stable order; each with the folder given.

    Links met while walking are not followed when they lead out of the tree or to a folder. Raises UsageError for a path
    that does not exist.
    """
    seen: set[tuple[int, int]] = set()
    for path in paths:
        try:
            status = os.stat(path)
        except OSError as error:
            raise UsageError(_missing(path, error)) from None
        if stat.S_ISDIR(status.st_mode):
            yield from ((found, path) for found in _walk(path, seen))
        elif stat.S_ISREG(status.st_mode):
            if (status.st_dev, status.st_ino) not in seen:
                seen.add((status.st_dev, status.st_ino))
                yield path, None
        else:
            raise UsageError(f"{path} is neither a file nor a folder")


def _missing(path: str, error: OSError) -> str:
    if not path:
        return "a path is empty"
    if os.path.islink(path):
        return f"{path} is a link that leads nowhere"
    if not isinstance(error, FileNotFoundError):
        return f"{path} cannot be read: {error.strerror}"
    import difflib

    folder, name = os.path.split(path)
    try:
        near = difflib.get_close_matches(name, os.listdir(folder or "."), n=1, cutoff=0.7)
    except OSError:
        near = []
    hint = f" (did you mean {os.path.join(folder, near[0])}?)" if near else ""
    return f"{path} does not exist{hint}"


def _walk(top: str, seen: set[tuple[int, int]]) -> Iterator[str]:
    root = os.path.realpath(top)
    stack = [top]
    while stack:
        folder = stack.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            continue
        folders = []
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in SKIPPED:
                        folders.append(entry.path)
                    continue
                if entry.is_symlink() and not _inside(entry.path, root):
                    continue
                status = entry.stat()
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode) and (status.st_dev, status.st_ino) not in seen:
                seen.add((status.st_dev, status.st_ino))
                yield entry.path
        stack.extend(reversed(folders))


def _inside(path: str, root: str) -> bool:
    target = os.path.realpath(path)
    return target.startswith(root.rstrip(os.sep) + os.sep)
