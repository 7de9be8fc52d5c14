"""The parameters of a function of the text itself: what they stand for, and which of them it changes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from mtpconfig.carriers.python_.drafts import Arguments
from mtpconfig.carriers.python_.evaluate import Evaluator
from mtpconfig.carriers.python_.scope import Scope
from mtpconfig.carriers.python_.values import Function, Items, Table, Text, Value, defaulted, opaque

_CHANGING = frozenset(("append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault"))


def bound(
    function: Function, arguments: Arguments | None, evaluator: Evaluator, scope: Scope, *, called: bool
) -> Iterator[tuple[str, Value]]:
    """The parameters of a function that is given these arguments, or nobody knows which.

    A default that is a text or a number counts as one, unless the parameter is given.
    """
    spec = function.node.args
    names = [*spec.posonlyargs, *spec.args]
    defaults: list[ast.expr | None] = [*[None] * (len(names) - len(spec.defaults)), *spec.defaults]
    skipped = int(bool(function.owner) and bool(names) and names[0].arg in ("self", "cls"))
    for index, (name, default) in enumerate(zip(names, defaults)):
        if index >= skipped:
            given = arguments.get(index - skipped, name.arg) if arguments is not None else None
            yield name.arg, given or _unsaid(name, default, arguments, evaluator, scope)
    for name, default in zip(spec.kwonlyargs, spec.kw_defaults):
        given = arguments.get(None, name.arg) if arguments is not None else None
        yield name.arg, given or _unsaid(name, default, arguments, evaluator, scope)
    if spec.vararg is not None:
        rest = _rest(arguments.items, len(names) - skipped) if arguments is not None else None
        yield spec.vararg.arg, rest or opaque(spec.vararg.arg, None)
    if spec.kwarg is not None:
        said = {argument.arg for argument in (*names, *spec.kwonlyargs)}
        more = _unnamed(arguments.keywords, said) if arguments is not None else None
        yield spec.kwarg.arg, more or opaque(spec.kwarg.arg, None)


def _rest(items: Items, named: int) -> Items:
    """The arguments behind those that have names; to take one out would move the others."""
    return replace(items, entries=tuple(replace(entry, place=None) for entry in items.entries[named:]))


def _unnamed(keywords: Table, said: set[str]) -> Table:
    return replace(keywords, pairs=tuple(pair for pair in keywords.pairs if pair.key.text not in said))


def _unsaid(
    name: ast.arg, default: ast.expr | None, arguments: Arguments | None, evaluator: Evaluator, scope: Scope
) -> Value:
    """A parameter that is not given here."""
    if isinstance(default, ast.Constant):
        value = evaluator.value(default, scope)
        if arguments is not None and not arguments.open:
            return value
        if isinstance(value, Text) and (said := defaulted(value, name.arg)) is not None:
            return said
    return opaque(name.arg, None)


def mutated_parameters(function: Function) -> dict[int, str]:
    """The positional parameters, `self` not counted, that a function's body adds to or takes from, by place."""
    spec = function.node.args
    names = [argument.arg for argument in (*spec.posonlyargs, *spec.args)]
    if function.owner and names[:1] in (["self"], ["cls"]):
        names = names[1:]
    changed: set[str] = set()
    for node in ast.walk(function.node):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            changed.add(node.target.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
            if isinstance(node.func.value, ast.Name):
                changed.add(node.func.value.id)
        elif (
            isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)
        ):
            changed.add(node.value.id)
    return {index: name for index, name in enumerate(names) if name in changed}
