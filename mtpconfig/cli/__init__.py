"""The command line: one file per verb, imported when it is used. No logic lives here."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line; no traceback ever reaches the user."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        from mtpconfig import __version__

        with contextlib.suppress(BrokenPipeError):
            os.write(sys.stdout.fileno(), f"mtpconfig {__version__}\n".encode())
        sys.exit(0)
    from mtpconfig.cli.guard import run

    sys.exit(run(arguments))
