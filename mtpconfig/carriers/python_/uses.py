"""How often a program speaks of each name: what is used twice is not edited for one use."""

from __future__ import annotations

import ast
from collections import Counter

from msgspec import Struct

from mtpconfig.carriers.python_.nodes import last_name
from mtpconfig.carriers.python_.tree import Tree


class Uses(Struct, frozen=True, eq=False):
    """Counts over a whole text.

    loads       reads of a name
    attributes  reads of an attribute, of whatever
    calls       calls of a function or method, by its last name
    stores      for each attribute of `self`, in how many methods it is set
    """

    loads: Counter[str]
    attributes: Counter[str]
    calls: Counter[str]
    stores: Counter[str]

    @classmethod
    def of(cls, tree: Tree) -> Uses:
        """The counts of a text."""
        uses = cls(Counter(), Counter(), Counter(), Counter())
        for node in tree.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                uses.loads[node.id] += 1
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                uses.attributes[node.attr] += 1
            elif isinstance(node, ast.Call):
                uses.calls[last_name(node.func)] += 1
            elif isinstance(node, ast.ClassDef):
                for method in node.body:
                    if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        uses.stores.update(_set_on_self(method))
        return uses


def _set_on_self(method: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    return {
        node.attr
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute)
        and not isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
