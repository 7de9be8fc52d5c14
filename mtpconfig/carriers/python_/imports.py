"""The names that imports bring, and what they stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mtpconfig.carriers.python_.values import Ref


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Ref]]:
    """Each name with its dotted meaning; what comes from beside the file keeps the dots in front."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            yield (alias.asname, Ref(alias.name)) if alias.asname else (top, Ref(top))
        return
    base = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name != "*":
            yield alias.asname or alias.name, Ref(f"{base}.{alias.name}" if node.module else f"{base}{alias.name}")
