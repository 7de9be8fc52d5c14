"""What an expression is, as far as the text tells; nothing is run or imported."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from mtpconfig.carriers.python_.codecs import VALUE
from mtpconfig.carriers.python_.conditions import Conditions, asks_for_version
from mtpconfig.carriers.python_.drafts import Drafts
from mtpconfig.carriers.python_.literals import constant, formatted
from mtpconfig.carriers.python_.nodes import bounds_of, dotted_name
from mtpconfig.carriers.python_.scope import Scope
from mtpconfig.carriers.python_.templates import percent
from mtpconfig.carriers.python_.tree import Tree
from mtpconfig.carriers.python_.uses import Uses
from mtpconfig.carriers.python_.values import (
    Class,
    Either,
    Entry,
    Function,
    Items,
    Made,
    Method,
    Pair,
    Place,
    Ref,
    Row,
    Table,
    Text,
    Value,
    defaulted,
    either,
    joined,
    made_up,
    opaque,
    options_of,
    shared,
)
from mtpconfig.carriers.shell.runs import Run
from mtpconfig.launch import ALWAYS, Guard
from mtpconfig.text import Kind, Span

_DEEPEST = 60
_MOST = 100_000

BUILTINS = frozenset(
    ("str", "int", "float", "list", "tuple", "dict", "print", "len", "vars", "repr", "exit", "quit", "bool")
)

ENVIRONMENT = "os.environ"

Call = Callable[[ast.Call, Scope], Value]


class Evaluator:
    """Evaluates expressions; `call` says what calls give, and notes what they start.

    place  the number of the function that is walked: conditions in others are others
    """

    def __init__(self, tree: Tree, uses: Uses, drafts: Drafts, conditions: Conditions, call: Call) -> None:
        self.tree = tree
        self.uses = uses
        self.drafts = drafts
        self.place = 0
        self._conditions = conditions
        self._call = call
        self._depth = 0
        self._steps = 0

    def value(self, node: ast.expr, scope: Scope) -> Value:
        """What an expression is; something unknown, shown as it is written, where it cannot be told."""
        self._steps += 1
        if self._depth >= _DEEPEST or self._steps > _MOST:
            return self.unknown(node)
        self._depth += 1
        try:
            found = self._value(node, scope)
        finally:
            self._depth -= 1
        return found if found is not None else self.unknown(node)

    def unknown(self, node: ast.expr, why: str = "") -> Text:
        """An expression as something unknown."""
        span = self.tree.span(node)
        return opaque(self.tree.layer.text[span.start : min(span.end, span.start + 400)], span, why)

    def _value(self, node: ast.expr, scope: Scope) -> Value | None:
        match node:
            case ast.Constant():
                return constant(self.tree, node)
            case ast.JoinedStr():
                return self._formatted(node, scope)
            case ast.Name():
                return self._name(node, scope)
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.Subscript():
                return self._subscript(node, scope)
            case ast.List() | ast.Tuple():
                return self._list(node, scope)
            case ast.Dict():
                return self._dict(node, scope)
            case ast.BinOp():
                return self._operation(node, scope)
            case ast.BoolOp():
                return self._either_or(node, scope)
            case ast.IfExp():
                return self._conditional(node, scope)
            case ast.Call():
                return self._call(node, scope)
            case ast.Await():
                return self.value(node.value, scope)
            case ast.NamedExpr():
                value = self.value(node.value, scope)
                scope.set(node.target.id, value)
                return value
            case ast.UnaryOp():
                return self._unary(node, scope)
            case ast.Compare():
                self.unheard([node.left, *node.comparators], scope)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return self._comprehension(node, scope)
            case _:
                self._inside(node, scope)
        return None

    def unheard(self, nodes: Sequence[ast.expr], scope: Scope) -> None:
        """Evaluate what is only looked at: lists in it are samples."""
        self.drafts.silent += 1
        for node in nodes:
            self.value(node, scope)
        self.drafts.silent -= 1

    def _inside(self, node: ast.AST, scope: Scope) -> None:
        """Evaluate what stands inside an expression of another kind."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, scope)

    def is_environment(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is the environment of this program itself."""
        if isinstance(node, ast.Name):
            found = scope.names.get(node.id)
            return isinstance(found, Ref) and found.dotted == ENVIRONMENT
        return isinstance(node, ast.Attribute) and node.attr == "environ" and self.value(node, scope) is scope.environ

    def _formatted(self, node: ast.JoinedStr, scope: Scope) -> Text | None:
        found = formatted(self.tree, node, lambda hole: self._filled(hole, scope))
        if found is None:
            self._inside(node, scope)
        return found

    def _filled(self, node: ast.expr, scope: Scope) -> tuple[Run, ...] | None:
        """What fills a hole of an f-string, where it is a name of known text.

        Other expressions in holes are left alone: not every Python tells where they stand.
        """
        value = self.value(node, scope) if isinstance(node, (ast.Name, ast.Attribute)) else None
        return value.runs if isinstance(value, Text) and value.kind != "unknown" else None

    # Names

    def _name(self, node: ast.Name, scope: Scope) -> Value | None:
        value = scope.names.get(node.id)
        if value is None:
            return Ref(f"builtins.{node.id}") if node.id in BUILTINS else None
        if isinstance(value, Ref) and value.dotted == ENVIRONMENT:
            return scope.environ
        return self._used(value, node, self.uses.loads[node.id] > 1)

    def _used(self, value: Value, node: ast.expr, several: bool) -> Value:
        """The value of a name where it is used: something unknown stands here, known text where it is written."""
        if isinstance(value, Text) and value.kind == "unknown":
            return self.unknown(node, value.runs[0].why if value.runs else "")
        if isinstance(value, Text):
            value = replace(value, site=self.tree.span(node))
        return shared(value) if several else value

    def callee(self, node: ast.expr, scope: Scope) -> Value | Method | None:
        """What is called: a function, a class, something with a dotted name, or a method of a value."""
        if not isinstance(node, ast.Attribute):
            found = self.value(node, scope)
            return None if isinstance(found, (Text, Items, Table, Either, Made)) else found
        dotted = dotted_name(node)
        if dotted and isinstance(own := scope.names.get(dotted), (Function, Class, Ref)):
            return own
        base = self.value(node.value, scope)
        return Method(base) if isinstance(base, (Text, Items, Table, Either, Made)) else self._member(base, node, scope)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Value | None:
        dotted = dotted_name(node)
        if dotted and (value := scope.names.get(dotted)) is not None:
            return self._used(value, node, self.uses.attributes[node.attr] > 1)
        base = self.value(node.value, scope)
        return self._member(base, node, scope)

    def _member(self, base: Value, node: ast.Attribute, scope: Scope) -> Value | None:
        match base:
            case Ref(dotted):
                name = f"{dotted}.{node.attr}"
                if name == ENVIRONMENT:
                    return scope.environ
                if name == "sys.executable":
                    return replace(made_up("python"), site=self.tree.span(node))
                return Ref(name)
            case Made(_, arguments):
                if node.attr in ("__dict__", "kwargs"):
                    return arguments
                return self._used(found, node, True) if (found := arguments.get(node.attr)) is not None else None
            case Class(_, attributes):
                return self._used(found, node, True) if (found := attributes.get(node.attr)) is not None else None
        return None

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Value | None:
        base = self.value(node.value, scope)
        key = self.value(node.slice, scope) if not isinstance(node.slice, ast.Slice) else None
        if isinstance(base, Table) and isinstance(key, Text) and key.known is not None:
            found = base.get(key.known)
            return shared(found) if found is not None else None
        if isinstance(base, Items) and not base.open and not any(entry.guard for entry in base.entries):
            if (
                isinstance(key, Text)
                and isinstance(key.value, int)
                and -len(base.entries) <= key.value < len(base.entries)
            ):
                return base.entries[key.value].value
            bounds = bounds_of(node.slice)
            if bounds is not None:
                return Items(base.entries[bounds], "", base.span)
        return None

    # Lists and dicts

    def _list(self, node: ast.List | ast.Tuple, scope: Scope) -> Items:
        span = self.tree.span(node)
        kind = "[" if isinstance(node, ast.List) else "("
        bracketed = self.tree.layer.text[span.start] in "[("
        inside = Span(span.start + 1, span.end - 1) if bracketed else span
        items = self.elements(node.elts, scope, Row(inside, tuple(map(self.tree.span, node.elts)), kind), span)
        self.drafts.note(items, scope.environ)
        return items

    def elements(self, nodes: Sequence[ast.expr], scope: Scope, row: Row, span: Span) -> Items:
        """The elements of a list, or the positional arguments of a call."""
        entries: list[Entry] = []
        why = ""
        for index, element in enumerate(nodes):
            if isinstance(element, ast.Starred):
                more = self.extended(Items(()), self.value(element.value, scope), element.value)
                entries += more.entries
                why = why or more.open
            else:
                entries.append(Entry(self.value(element, scope), ALWAYS, Place(row, index)))
        return Items((), "", span).plus(Items(tuple(entries), why, span))

    def extended(self, items: Items, more: Value, node: ast.expr) -> Items:
        """A list with the elements of another."""
        for guard, option in options_of(more):
            if isinstance(option, Items):
                added = [replace(e, guard=e.guard | guard) if guard else e for e in option.entries]
                items = items.plus(Items(tuple(added), option.open, option.span))
            elif isinstance(option, Table):
                added = [Entry(pair.key, pair.guard | guard) for pair in option.pairs]
                items = items.plus(Items(tuple(added), option.open, option.span))
            else:
                items = replace(items, open=items.open or self.unknown(node).text)
        return items

    def _dict(self, node: ast.Dict, scope: Scope) -> Table:
        span = self.tree.span(node)
        keys = [self.tree.span(key) if key is not None else None for key in node.keys]
        values = [self.tree.span(value) for value in node.values]
        places = tuple(
            Span(key.start if key is not None else self._stars(value.start), value.end)
            for key, value in zip(keys, values)
        )
        row = Row(Span(span.start + 1, span.end - 1), places, "{")
        table = Table((), "", span)
        pairs: list[Pair] = []
        for index, (key_node, value_node) in enumerate(zip(node.keys, node.values)):
            value = self.value(value_node, scope)
            if key_node is None:
                table = self.updated(table.having(pairs), value, value_node)
                pairs = []
                continue
            key = self.value(key_node, scope)
            if isinstance(key, Text) and key.kind != "unknown" and not any(run.why for run in key.runs):
                pairs.append(Pair(key, value, ALWAYS, Place(row, index)))
            else:
                table = replace(table, open=table.open or self.unknown(key_node).text)
        return table.having(pairs)

    def _stars(self, at: int) -> int:
        """Where the `**` in front of a value begins."""
        return max(self.tree.layer.text.rfind("**", 0, at), 0)

    def updated(self, table: Table, more: Value, node: ast.expr, guard: Guard = ALWAYS) -> Table:
        """A dict with the entries of another."""
        for own, option in options_of(more, guard):
            if isinstance(option, Made):
                option = option.arguments
            if isinstance(option, Table):
                pairs = [replace(pair, guard=pair.guard | own) if own else pair for pair in option.pairs]
                table = replace(table.having(pairs), open=table.open or option.open)
            else:
                table = replace(table, open=table.open or self.unknown(node).text)
        return table

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, scope: Scope) -> Items:
        inner = scope.copy()
        for generator in node.generators:
            self.value(generator.iter, inner)
            for name in ast.walk(generator.target):
                if isinstance(name, ast.Name):
                    inner.forget(name.id)
            self.unheard(generator.ifs, inner)
        self.value(node.elt, inner)
        return Items((), self.unknown(node).text, None)

    # Operators

    def _operation(self, node: ast.BinOp, scope: Scope) -> Value | None:
        if isinstance(node.op, ast.Add):
            operands: list[ast.expr] = []
            left: ast.expr = node
            while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add):
                operands.append(left.right)
                left = left.left
            value = self._operand(left, scope)
            for operand in reversed(operands):
                value = self.added(value, self._operand(operand, scope), operand, node, scope)
            return value
        left_value, right = self._operand(node.left, scope), self._operand(node.right, scope)
        if isinstance(node.op, ast.Div) and isinstance(left_value, Text) and isinstance(right, Text):
            return joined([left_value, made_up("/"), right], self.tree.span(node))
        if isinstance(node.op, ast.Mod) and isinstance(left_value, Text) and left_value.kind == "str":
            return percent(left_value)
        if isinstance(node.op, ast.BitOr) and isinstance(left_value, Table):
            return self.updated(left_value, right, node.right)
        return None

    def _operand(self, node: ast.expr, scope: Scope) -> Value:
        value = self.value(node, scope)
        return value if isinstance(value, (Text, Items, Table, Either)) else self.unknown(node)

    def added(self, left: Value, right: Value, right_node: ast.expr, whole: ast.expr, scope: Scope) -> Value:
        """`left + right`."""
        if isinstance(left, Items):
            items = self.extended(left, right, right_node)
            self.drafts.note(items, scope.environ)
            return items
        if isinstance(right, Items) and isinstance(left, Text) and left.kind == "unknown":
            return Items(right.entries, left.text, right.span)
        if isinstance(left, Text) and isinstance(right, Text) and "str" in (left.kind, right.kind):
            return joined([left, right], self.tree.span(whole))
        if isinstance(left, Either):
            options = [(guard, self.added(option, right, right_node, whole, scope)) for guard, option in left.options]
            return either(options) or self.unknown(whole)
        return self.unknown(whole)

    def _either_or(self, node: ast.BoolOp, scope: Scope) -> Value | None:
        values = [self.value(operand, scope) for operand in node.values]
        first, last = values[0], values[-1]
        if isinstance(node.op, ast.And) or len(values) != 2:
            return None
        if isinstance(first, Text) and first.known:
            return first
        if isinstance(first, Text) and first.kind == "unknown":
            return defaulted(last, first.text)
        return last if isinstance(first, Text) and first.is_none else None

    def _conditional(self, node: ast.IfExp, scope: Scope) -> Value | None:
        self.unheard([node.test], scope)
        branch, negated = self._conditions.branch(node.test, scope, self.place)
        options = ((int(negated), node.body), (int(not negated), node.orelse))
        if asks_for_version(node.test):
            values = [self.value(each, scope) for _, each in options]
            return Items((), self.unknown(node.test).text) if any(isinstance(v, Items) for v in values) else None
        return either([(frozenset({(branch, arm)}), self.value(each, scope)) for arm, each in options])

    def _unary(self, node: ast.UnaryOp, scope: Scope) -> Value | None:
        operand = self.value(node.operand, scope)
        if isinstance(node.op, ast.USub) and isinstance(operand, Text) and operand.kind == "number":
            span = self.tree.span(node)
            if isinstance(operand.value, (int, float)):
                written = self.tree.layer.text[slice(*span)]
                return Text((Run(written, span, Kind.COPY, VALUE),), "number", span, -operand.value)
        return None
