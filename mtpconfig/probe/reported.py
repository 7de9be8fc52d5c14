"""Settings that a server reports, read as any other launch of its engine: through the engine's own `read()`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from mtpconfig.engine import Engine
from mtpconfig.lint.linter import Linter
from mtpconfig.spec import MTPSpec
from mtpconfig.text import Source
from mtpconfig.version import Version


def spec_of(words: Sequence[str], engine: Engine, version: Version | None) -> MTPSpec | None:
    """The spec that a launch with these words asks for; None when they are no launch of the engine."""
    text = shlex.join(words)
    for launch in Linter().launches(Source("server.sh", text)):
        if launch.ours and launch.engine == engine.id:
            return engine.read(launch, version or engine.options().newest).spec
    return None
