"""The llama.cpp harvest from beginning to end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from . import builds, compose, curated, survey

TARGET = Path("rules/mtpconfig_rules/llama.cpp")


def harvest(offline: bool, say: Callable[[str], None]) -> dict[Path, str]:
    """Return the generated files: path below the checkout -> text."""
    facts = curated.load()
    snapshots = survey.run(builds.known(offline, say), offline, say)
    say(f"{len(snapshots)} builds read, {snapshots[0].build} to {snapshots[-1].build}")
    return {TARGET / name: text for name, text in compose.documents(snapshots, facts).items()}
