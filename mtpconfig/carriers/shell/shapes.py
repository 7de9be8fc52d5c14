"""What compound statements consist of, from the nodes of the grammar alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from tree_sitter import Node


def operands(node: Node) -> list[tuple[str, Node]]:
    """The commands of `a && b || c` in their order, each with the operator before it; the first one has `&&`."""
    found: list[tuple[str, Node]] = []
    while node.type == "list" and len(node.children) >= 3:
        operator = next((c.type for c in node.children if c.type in ("&&", "||")), "&&")
        found.append((operator, node.children[-1]))
        node = node.children[0]
    found.append(("&&", node))
    found.reverse()
    return found


def clauses(node: Node) -> Iterator[tuple[list[Node], list[Node]]]:
    """The condition and the body of `if`, of each `elif`, and of `else`, which has no condition."""
    parts: list[list[Node]] = [[]]
    for child in node.children:
        if child.type in ("elif_clause", "else_clause"):
            parts.append(list(child.children))
        else:
            parts[0].append(child)
    for part in parts:
        condition = list(takewhile(lambda n: n.type != "then", part)) if has(part, "then") else []
        yield condition, part[len(condition) :]


def patterns(item: Node) -> tuple[list[Node], list[Node]]:
    """The patterns and the body of an item of `case`."""
    before = list(takewhile(lambda n: n.type != ")", item.children))
    return before, item.children[len(before) + 1 :]


def has(nodes: Sequence[Node], kind: str) -> bool:
    """Whether any of some nodes is of a kind."""
    return any(node.type == kind for node in nodes)
