"""Small questions about nodes of the syntax tree."""

from __future__ import annotations

import ast


def last_name(node: ast.expr) -> str:
    """The last name of what is called."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_target(node: ast.expr) -> bool:
    """Whether something can be stored at an expression: a name, an attribute of names, an index of those."""
    depth = 0
    while isinstance(node, (ast.Attribute, ast.Subscript)) and depth < 8:
        node, depth = node.value, depth + 1
    return isinstance(node, ast.Name)


def dotted_name(node: ast.Attribute) -> str:
    """`a.b.c` as it is written; empty for what is no chain of names."""
    parts: list[str] = []
    at: ast.expr = node
    while isinstance(at, ast.Attribute) and len(parts) < 8:
        parts.append(at.attr)
        at = at.value
    return ".".join([at.id, *reversed(parts)]) if isinstance(at, ast.Name) else ""


def bounds_of(node: ast.expr) -> slice | None:
    """A slice whose bounds are numbers."""
    if not isinstance(node, ast.Slice) or node.step is not None:
        return None
    bounds: list[int | None] = []
    for bound in (node.lower, node.upper):
        if bound is None:
            bounds.append(None)
        elif isinstance(bound, ast.Constant) and isinstance(bound.value, int):
            bounds.append(bound.value)
        else:
            return None
    return slice(*bounds)
