"""The user's harvest cache: files taken out of source distributions, and what was parsed from them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ENVIRONMENT_VARIABLE = "MTPCONFIG_HARVEST_CACHE"


def folder(*parts: str) -> Path:
    """Return (and create) a folder below the cache root.

    The root is ``$MTPCONFIG_HARVEST_CACHE`` or ``~/.cache/mtpconfig-harvest``.
    """
    root = os.environ.get(ENVIRONMENT_VARIABLE)
    path = Path(root) if root else Path.home() / ".cache" / "mtpconfig-harvest"
    path = path.joinpath(*parts)
    path.mkdir(parents=True, exist_ok=True)
    return path


def read_json(path: Path) -> Any:
    """Return the parsed file, or None when it does not exist or was cut short."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None


def write_json(path: Path, value: Any) -> None:
    """Write ``value`` so that a reader never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".part")
    partial.write_text(json.dumps(value, indent=1, sort_keys=True), encoding="utf-8")
    partial.replace(path)
