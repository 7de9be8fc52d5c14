"""Which branch a condition decides: the same condition, asked again of the same values, is the same branch."""

from __future__ import annotations

import ast
import re

from mtpconfig.carriers.python_.scope import Branches, Scope
from mtpconfig.carriers.python_.values import Ref

_OPPOSITES = {ast.IsNot: ast.Is, ast.NotEq: ast.Eq, ast.NotIn: ast.In}
_PURE = frozenset(
    ("len", "bool", "isinstance", "getattr", "hasattr", "get", "getenv", "startswith", "endswith", "lower")
)
_MOST_NODES = 40
_OF_THE_VERSION = re.compile(
    r"version|support|legacy|modern|help|fork|flavou?r|capabilit|(?:^|_)(?:old|new)(?:_|$)", re.I
)


class Conditions:
    """The branches met so far, by condition and by what its names stand for."""

    def __init__(self, branches: Branches) -> None:
        self._branches = branches
        self._known: dict[tuple[str, tuple[int, ...], int], int] = {}

    def branch(self, test: ast.expr, scope: Scope, place: int) -> tuple[int, bool]:
        """The branch of a condition inside a function (by its number), and whether it is asked the other way round.

        Arm 0 of a branch is taken where its condition holds, arm 1 where it does not.
        """
        negated = False
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, negated = test.operand, not negated
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITES:
            opposite = _OPPOSITES[type(test.ops[0])]()
            test, negated = ast.Compare(test.left, [opposite], test.comparators), not negated
        names = _names(test)
        if names is None:
            return self._branches.new(), negated
        key = ast.dump(test), tuple(id(scope.names.get(name)) for name in names), place
        if key not in self._known:
            self._known[key] = self._branches.new()
        return self._known[key], negated


def asks_for_version(test: ast.expr) -> bool:
    """Whether a condition seems to ask what the program is able to: both of its arms are then right where they run."""
    names = _names(test)
    called = [node.func for node in ast.walk(test) if isinstance(node, ast.Call)]
    words = [*(names or ()), *(ast.unparse(func) for func in called)]
    texts = [node.value for node in ast.walk(test) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return any(_OF_THE_VERSION.search(word) for word in words) or any(text.startswith("--") for text in texts)


def constant_of(test: ast.expr, scope: Scope) -> bool | None:
    """What a condition is that says so itself."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Name) and test.id == "TYPE_CHECKING":
        return False
    if isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING":
        return False
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__":
        return True
    if isinstance(test, ast.Name):
        value = scope.names.get(test.id)
        return None if not isinstance(value, Ref) else True
    return None


def _names(test: ast.expr) -> list[str] | None:
    """The names in a condition; None where asking it twice may give two answers, or where it is long."""
    names: list[str] = []
    for count, node in enumerate(ast.walk(test)):
        if count > _MOST_NODES:
            return None
        if isinstance(node, ast.Name):
            names.append(node.id)
        elif isinstance(node, ast.Attribute):
            names.append(ast.unparse(node))
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in _PURE:
                return None
        elif isinstance(node, (ast.Await, ast.NamedExpr, ast.Yield)):
            return None
    return names
