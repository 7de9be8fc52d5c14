"""The Ollama harvest from beginning to end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from . import compose, curated, repository, snapshot

TARGET = Path("rules/mtpconfig_rules/ollama")


def harvest(offline: bool, say: Callable[[str], None]) -> dict[Path, str]:
    """Return the generated files: path below the checkout -> text."""
    facts = curated.load()
    clone = repository.find(offline)
    snapshots = [snapshot.read(clone, release) for release in clone.releases()]
    say(f"{len(snapshots)} releases read, {snapshots[0].release} to {snapshots[-1].release}")
    return {TARGET / name: text for name, text in compose.documents(snapshots, facts).items()}
