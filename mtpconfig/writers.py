"""A rendering as text: what `render --format` prints."""

from __future__ import annotations

import json
from collections.abc import Callable

from mtpconfig.engine import Rendering
from mtpconfig.errors import UsageError


def shell(rendering: Rendering) -> str:
    """A command line for a POSIX shell, an option and its value on a line; files are written before it."""
    from mtpconfig.carriers.shell import write

    written = "".join(_written(name, text) for name, text in rendering.files.items())
    return written + write(rendering.argv, rendering.env, rendering.live)


def _written(name: str, text: str) -> str:
    """A here-document that writes a file."""
    from mtpconfig.carriers.shell.codecs import quote

    mark = "EOF"
    while mark in text.splitlines():
        mark += "_"
    return f"cat > {quote(name)} <<'{mark}'\n{text}{mark}\n"


def files(rendering: Rendering) -> str:
    """The files alone: the text of the only one, else each below its name. Raises UsageError where there is none."""
    if not rendering.files:
        raise UsageError("this launch needs no file: write it with --format shell")
    if len(rendering.files) == 1:
        return next(iter(rendering.files.values())).rstrip("\n")
    return "\n".join(f"# --- {name}\n{text}" for name, text in rendering.files.items()).rstrip("\n")


def argv(rendering: Rendering) -> str:
    """The words as a JSON list, the program first."""
    return json.dumps(list(rendering.argv), ensure_ascii=False)


def json_(rendering: Rendering) -> str:
    """The whole rendering as a JSON object."""
    return json.dumps(
        {
            "schema": 1,
            "engine": rendering.engine,
            "version": str(rendering.version),
            "argv": list(rendering.argv),
            "env": dict(rendering.env),
            "files": dict(rendering.files),
            "kept": sorted(rendering.kept),
            "dropped": dict(rendering.dropped),
        },
        indent=2,
        ensure_ascii=False,
    )


WRITERS: dict[str, Callable[[Rendering], str]] = {"shell": shell, "argv": argv, "json": json_, "files": files}
