"""The files that cases and records are kept in."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "conformance"
"""Holds a folder for each engine."""

Record = dict[str, Any]
"""What one build did, by case id."""


def read_entries(path: Path, key: str) -> list[dict[str, Any]]:
    """The ``[[key]]`` entries of a TOML file, refused if two share an id."""
    entries: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))[key]
    ids = [entry["id"] for entry in entries]
    twice = sorted({case for case in ids if ids.count(case) > 1})
    if twice:
        raise ValueError(f"{path.name}: ids used twice: {', '.join(twice)}")
    return entries


def write(path: Path, build: str, wheel: str, key: str, record: Mapping[str, Any]) -> None:
    """Write a record so that recording again without a change gives the same bytes. ``wheel`` is what pip installs."""
    document = {"build": build, "wheel": wheel, key: dict(sorted(record.items()))}
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(path: Path, key: str) -> Record:
    """A record as written by :func:`write`; empty when there is none yet."""
    record: Record = json.loads(path.read_text(encoding="utf-8"))[key] if path.exists() else {}
    return record


def differences(recorded: Record, fresh: Record) -> list[str]:
    """One line for every case whose outcome is not the recorded one."""
    return [
        f"{case}: recorded {recorded.get(case)}, now {fresh.get(case)}"
        for case in sorted(recorded.keys() | fresh.keys())
        if recorded.get(case) != fresh.get(case)
    ]
