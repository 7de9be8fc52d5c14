"""Just enough TOML writing for files that people review in a diff: stable order, one row a line."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def key(name: str) -> str:
    """Return ``name`` as a TOML key, quoted only when it has to be."""
    return name if _BARE.match(name) else json.dumps(name, ensure_ascii=False)


def dotted(*names: str) -> str:
    """Return a dotted TOML key."""
    return ".".join(key(name) for name in names)


def value(item: Any) -> str:
    """Return ``item`` (str, int, float, bool, list, dict) as an inline TOML value."""
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, (int, float)):
        return repr(item)
    if isinstance(item, str):
        return json.dumps(item, ensure_ascii=False)
    if isinstance(item, (list, tuple)):
        return "[" + ", ".join(value(part) for part in item) + "]"
    if isinstance(item, dict):
        return "{" + ", ".join(f"{key(k)} = {value(v)}" for k, v in item.items()) + "}"
    raise TypeError(f"no TOML form for {type(item).__name__}")


def rows(name: str, items: list[dict[str, Any]]) -> list[str]:
    """Return ``name = [row, row]``: one line for one row, else one line a row."""
    if len(items) <= 1:
        return [f"{key(name)} = {value(items)}"]
    return [f"{key(name)} = [", *(f"  {value(item)}," for item in items), "]"]


def wrapped(name: str, items: list[str], width: int = 118) -> list[str]:
    """Return ``name = [...]`` of short strings as filled lines."""
    body = textwrap.fill(
        ", ".join(value(item) for item in items) + ",",
        width,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [f"{key(name)} = [", *body.split("\n"), "]"]
