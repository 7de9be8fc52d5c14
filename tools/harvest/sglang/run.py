"""The SGLang harvest from beginning to end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from . import compose, curated, releases, snapshot

TARGET = Path("rules/mtpconfig_rules/sglang")


def harvest(offline: bool, say: Callable[[str], None]) -> dict[Path, str]:
    """Return the generated files: path below the checkout -> text."""
    snapshots = [snapshot.of(release, offline, say) for release in releases.known(offline, say)]
    say(f"{len(snapshots)} releases read, {snapshots[0].version} to {snapshots[-1].version}")
    facts = curated.load([one.version for one in snapshots])
    return {TARGET / name: text for name, text in compose.documents(snapshots, facts).items()}
