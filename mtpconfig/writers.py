"""A rendering as text: what `render --format` prints."""

from __future__ import annotations

import json
from collections.abc import Callable

from mtpconfig.engine import Rendering


def shell(rendering: Rendering) -> str:
    """A command line for a POSIX shell, an option and its value on a line."""
    from mtpconfig.carriers.shell import write

    return write(rendering.argv, rendering.env, rendering.live)


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
            "kept": sorted(rendering.kept),
            "dropped": dict(rendering.dropped),
        },
        indent=2,
        ensure_ascii=False,
    )


WRITERS: dict[str, Callable[[Rendering], str]] = {"shell": shell, "argv": argv, "json": json_}
