"""What `render` and `translate` are told: for which engine and version, and in which form."""

from __future__ import annotations

from mtpconfig.engine import Engine
from mtpconfig.errors import UnknownName, UsageError
from mtpconfig.hooks import find_engine
from mtpconfig.version import Version
from mtpconfig.writers import WRITERS


def check_format(form: str) -> None:
    """Raise UnknownName for a form that nothing writes."""
    if form not in WRITERS:
        raise UnknownName("format", form, WRITERS)


def engine_at(text: str) -> tuple[Engine, Version]:
    """Read `ENGINE` or `ENGINE@VERSION`; without a version, the newest known. Raises UsageError."""
    name, at, number = text.partition("@")
    engine = find_engine(name)
    history = engine.options()
    version = engine.scheme.parse(number) if at else history.newest
    if not history.known_version(version):
        raise UsageError(
            f"{engine.title} {version} lies outside the known versions ({history.oldest} to {history.newest}): "
            f"it cannot be rendered for"
        )
    return engine, version
