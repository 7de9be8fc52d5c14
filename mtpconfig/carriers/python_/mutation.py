"""Changes of lists and dicts: methods, and assignments to what a name, an attribute or an index stands for."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from mtpconfig.carriers.python_.drafts import Arguments
from mtpconfig.carriers.python_.evaluate import Evaluator
from mtpconfig.carriers.python_.nodes import is_target
from mtpconfig.carriers.python_.scope import Scope
from mtpconfig.carriers.python_.values import Either, Entry, Items, Pair, Place, Table, Text, Value, either
from mtpconfig.launch import ALWAYS
from mtpconfig.text import Span


class Mutations:
    """What one statement changes; `statement` is where it stands."""

    def __init__(self, evaluator: Evaluator, statement: Span) -> None:
        self._evaluator = evaluator
        self._statement = statement

    def store(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """`target = value`, through indices: the list or dict that holds it is stored again."""
        if isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value, scope)
        elif isinstance(target, ast.Starred):
            self.store(target.value, self._evaluator.unknown(target), scope)
        elif isinstance(target, (ast.Name, ast.Attribute)):
            if isinstance(value, Table) and self._evaluator.is_environment(target, scope):
                scope.environ = value
            else:
                scope.set(ast.unparse(target), value)
        elif isinstance(target, ast.Subscript):
            held = self._evaluator.value(target.value, scope)
            key = self._evaluator.value(target.slice, scope)
            changed = self._with(held, key, value, target)
            if changed is not None and is_target(target):
                self.store(target.value, changed, scope)

    def _unpack(self, target: ast.Tuple | ast.List, value: Value, scope: Scope) -> None:
        entries = value.entries if isinstance(value, Items) and not value.open else ()
        straight = len(entries) == len(target.elts) and not any(isinstance(each, ast.Starred) for each in target.elts)
        for index, each in enumerate(target.elts):
            self.store(each, entries[index].value if straight else self._evaluator.unknown(each), scope)

    def _with(self, held: Value, key: Value, value: Value, target: ast.Subscript) -> Value | None:
        """A list or dict with another value at a key."""
        if isinstance(held, Table):
            if not isinstance(key, Text) or key.known is None:
                return replace(held, open=held.open or self._evaluator.unknown(target).text)
            return held.having([Pair(key, value, ALWAYS, Place(None, statement=self._statement))])
        if isinstance(held, Items):
            plain = not any(entry.guard for entry in held.entries)
            if plain and isinstance(key, Text) and isinstance(key.value, int) and abs(key.value) < len(held.entries):
                entries = list(held.entries)
                entries[key.value] = Entry(value)
                return replace(held, entries=tuple(entries), script=None)
            return replace(held, open=held.open or self._evaluator.unknown(target).text)
        return None

    def delete(self, target: ast.expr, scope: Scope) -> None:
        """`del target`."""
        if isinstance(target, ast.Name):
            scope.forget(target.id)
        elif isinstance(target, ast.Subscript):
            held = self._evaluator.value(target.value, scope)
            key = self._evaluator.value(target.slice, scope)
            if isinstance(held, Table) and isinstance(key, Text) and key.known is not None:
                self.store(target.value, held.without(key.known), scope)
            elif isinstance(held, (Items, Table)):
                self.store(target.value, replace(held, open=held.open or "del"), scope)

    def method(self, held: Value, name: str, arguments: Arguments, node: ast.Call) -> tuple[Value | None, Value | None]:
        """What a method makes of a list or dict, and what it gives; None where it changes nothing."""
        if isinstance(held, Either):
            options = []
            for guard, option in held.options:
                changed, _ = self.method(option, name, arguments, node)
                options.append((guard, changed if changed is not None else option))
            return (either(options), None) if name in _CHANGING else (None, None)
        if isinstance(held, Items) and name in _CHANGING:
            return self._list(held, name, arguments, node)
        if isinstance(held, Table) and name in _CHANGING:
            return self._dict(held, name, arguments, node)
        return None, None

    def _list(self, held: Items, name: str, arguments: Arguments, node: ast.Call) -> tuple[Value | None, Value | None]:
        entries = arguments.items.entries
        first = entries[0].value if entries else None
        held = replace(held, script=None)
        argument = node.args[0] if node.args else node
        if name == "append" and first is not None:
            return held.plus(Items((self._alone(entries[0]),))), None
        if name == "extend" and first is not None:
            return self._evaluator.extended(held, first, argument), None
        if name == "insert" and len(entries) > 1 and isinstance(first, Text) and isinstance(first.value, int):
            at, plain = first.value, not any(entry.guard for entry in held.entries)
            if 0 <= at <= len(held.entries) and plain:
                return replace(held, entries=(*held.entries[:at], self._alone(entries[1]), *held.entries[at:])), None
        if name == "pop" and not entries and held.entries and not held.entries[-1].guard:
            return replace(held, entries=held.entries[:-1]), held.entries[-1].value
        if name == "remove" and isinstance(first, Text) and first.known is not None:
            for at, entry in enumerate(held.entries):
                if isinstance(entry.value, Text) and entry.value.known == first.known and not entry.guard:
                    return replace(held, entries=(*held.entries[:at], *held.entries[at + 1 :])), None
        if name == "clear":
            return Items((), "", held.span), None
        return replace(held, open=held.open or f".{name}()"), None

    def _alone(self, entry: Entry) -> Entry:
        """An element that a statement of its own adds."""
        return replace(entry, place=Place(None, statement=self._statement))

    def _dict(self, held: Table, name: str, arguments: Arguments, node: ast.Call) -> tuple[Value | None, Value | None]:
        first = arguments.get(0)
        if name == "update":
            table = self._evaluator.updated(held, first, node.args[0]) if first is not None else held
            table = table.having(arguments.keywords.pairs)
            return replace(table, open=table.open or arguments.keywords.open), None
        if isinstance(first, Text) and first.known is not None:
            found = held.get(first.known)
            if name == "pop":
                return held.without(first.known), found
            if name == "setdefault" and (value := arguments.get(1)) is not None:
                if found is not None:
                    return held, found
                place = Place(None, statement=self._statement)
                return held.having([Pair(first, value, ALWAYS, place)]), value
        if name == "clear":
            return Table((), "", held.span), None
        return replace(held, open=held.open or f".{name}()"), None


_CHANGING = frozenset(
    ("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "setdefault", "popitem")
)
