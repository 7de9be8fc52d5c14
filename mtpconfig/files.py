"""Other files that a text names, read inside its tree only."""

from __future__ import annotations

import os
import stat
from itertools import islice

from mtpconfig.errors import UnreadableFile
from mtpconfig.text import Source


class Files:
    """Other files that a text names (`env_file`, `extends`, `--config`) or that lie in a folder of its own (`NAME.d`).

    Regular ones inside the tree, of bounded size.
    """

    MOST_BYTES = 1024 * 1024
    MOST_NAMES = 1000

    def __init__(self, root: str | None, folder: str | None = None) -> None:
        self._root = os.path.realpath(root) if root is not None else None
        self._folder = folder if folder is not None else root

    def read(self, name: str) -> Source | None:
        """The file of a name relative to the text's own folder; None where it is not there, or not to be read."""
        if (path := self._path(name)) is None:
            return None
        target = os.path.realpath(path)
        try:
            status = os.stat(target)
            if not stat.S_ISREG(status.st_mode) or status.st_size > self.MOST_BYTES:
                return None
            with open(target, "rb") as file:
                return Source.from_bytes(path, file.read(self.MOST_BYTES))
        except (OSError, UnreadableFile):
            return None

    def names(self, folder: str) -> list[str]:
        """The names in a folder given relative to the text's own, sorted; none where it is not to be read."""
        if (path := self._path(folder)) is None:
            return []
        try:
            with os.scandir(path) as entries:
                return sorted(entry.name for entry in islice(entries, self.MOST_NAMES))
        except OSError:
            return []

    def _path(self, name: str) -> str | None:
        """The path of a name inside the tree, where no link leads out of it."""
        if self._root is None or self._folder is None or not name or "\0" in name:
            return None
        path = os.path.normpath(os.path.join(self._folder, name))
        inside = os.path.realpath(path).startswith(self._root.rstrip(os.sep) + os.sep)
        return path if inside else None


NO_FILES = Files(None)
