"""The log that a server writes into a file: read from where it stood shortly before the questions, and bounded."""

from __future__ import annotations

import os

from mtpconfig.errors import UsageError

BACK = 4 * 1024 * 1024
"""Bytes before the questions that are read too: a server says at its start what it is set up for."""

MOST = 64 * 1024 * 1024
"""Bytes that are read at most; what is written beyond is not seen."""


class ServerLog:
    """A growing file. Raises UsageError when it cannot be read, also later on."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file, size = self._now()
        self._start = max(0, size - BACK)

    def text(self) -> str:
        """What stands there from the start of the stretch to its end now.

        A file that was replaced, or cut, is read from its beginning: whoever compares sees that it holds less.
        """
        file, size = self._now()
        if file != self._file or size < self._start:
            self._file, self._start = file, 0
        try:
            with open(self.path, "rb") as log:
                log.seek(self._start)
                text = log.read(MOST).decode("utf-8", "replace")
        except OSError as error:
            raise self._unreadable(error.strerror or str(error)) from None
        return text.partition("\n")[2] if self._start else text  # the first line may have lost its beginning

    def _now(self) -> tuple[tuple[int, int], int]:
        try:
            found = os.stat(self.path)
        except (OSError, ValueError) as error:
            raise self._unreadable(getattr(error, "strerror", None) or "it is no path") from None
        if not os.path.isfile(self.path):
            raise self._unreadable("it is not a regular file")
        return (found.st_dev, found.st_ino), found.st_size

    def _unreadable(self, why: str) -> UsageError:
        return UsageError(f"log {self.path} cannot be read: {why}")
