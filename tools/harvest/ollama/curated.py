"""The curated facts, and that each of them is used."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]
FILE = Path(__file__).resolve().parents[1] / "ollama_curated.toml"


@dataclass(frozen=True)
class Curated:
    """What `ollama_curated.toml` says."""

    observed: tuple[str, ...]
    surfaces: tuple[Row, ...]
    options: Mapping[str, Row]


def load() -> Curated:
    """Read the file beside this package."""
    data = tomllib.loads(FILE.read_text("utf-8"))
    observed = tuple(release for row in data["observed"] for release in row["releases"])
    return Curated(observed, tuple(data["surface"]), data["option"])
