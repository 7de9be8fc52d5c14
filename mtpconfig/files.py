"""Other files that a text names, read inside its tree only."""

from __future__ import annotations

import os
import stat

from mtpconfig.errors import UnreadableFile
from mtpconfig.text import Source


class Files:
    """Other files that a text names (`env_file`, `extends`, `--config`): regular ones in the tree, of bounded size."""

    MOST_BYTES = 1024 * 1024

    def __init__(self, root: str | None, folder: str | None = None) -> None:
        self._root = os.path.realpath(root) if root is not None else None
        self._folder = folder if folder is not None else root

    def read(self, name: str) -> Source | None:
        """The file of a name relative to the text's own folder; None where it is not there, or not to be read."""
        if self._root is None or self._folder is None or not name or "\0" in name:
            return None
        path = os.path.normpath(os.path.join(self._folder, name))
        target = os.path.realpath(path)
        if not target.startswith(self._root.rstrip(os.sep) + os.sep):
            return None
        try:
            status = os.stat(target)
            if not stat.S_ISREG(status.st_mode) or status.st_size > self.MOST_BYTES:
                return None
            with open(target, "rb") as file:
                return Source.from_bytes(path, file.read(self.MOST_BYTES))
        except (OSError, UnreadableFile):
            return None


NO_FILES = Files(None)
