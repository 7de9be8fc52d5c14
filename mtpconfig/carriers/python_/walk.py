"""Through the statements of a program, in the order in which they run, with what the names stand for there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.python_.calls import Calls
from mtpconfig.carriers.python_.claims import is_test
from mtpconfig.carriers.python_.conditions import Conditions, asks_for_version, constant_of
from mtpconfig.carriers.python_.drafts import Arguments, Drafts
from mtpconfig.carriers.python_.evaluate import Evaluator
from mtpconfig.carriers.python_.functions import bound, mutated_parameters
from mtpconfig.carriers.python_.hints import Comments
from mtpconfig.carriers.python_.imports import imported
from mtpconfig.carriers.python_.launches import Launches
from mtpconfig.carriers.python_.mutation import Mutations
from mtpconfig.carriers.python_.nodes import is_target, last_name
from mtpconfig.carriers.python_.notes import Notes
from mtpconfig.carriers.python_.programs import EXPECTING
from mtpconfig.carriers.python_.scope import Branches, Scope
from mtpconfig.carriers.python_.tree import Tree
from mtpconfig.carriers.python_.uses import Uses
from mtpconfig.carriers.python_.values import (
    Class,
    Either,
    Function,
    Items,
    Table,
    Text,
    Value,
    defaulted,
    either,
)
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

_DEEPEST = 25
_MOST_STATEMENTS = 60_000


def read_layer(layer: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
    """The launches in a text; where it cannot be parsed, that is said, and those in front of the fault."""
    tree = Tree(layer)
    if tree.fault is not None:
        opener.miss(layer, *tree.fault)
    branches = Branches(opener.depth)
    drafts = Drafts(samples=is_test(layer.source.path))
    walker = Walker(tree, branches, drafts)
    walker.walk()
    found = drafts.all()
    if found:
        launches = Launches(layer, opener, around, branches, Comments(tree), walker.notes.hints())
        yield from launches.of(found)


class Walker:
    """Walks a module: its body first, then the functions that nothing has called yet."""

    def __init__(self, tree: Tree, branches: Branches, drafts: Drafts) -> None:
        self._tree = tree
        self._branches = branches
        self._drafts = drafts
        self._uses = Uses.of(tree)
        self.notes = Notes(tree.layer)
        calls = Calls(drafts, branches, self.notes, self._follow)
        conditions = Conditions(branches)
        self._evaluator = Evaluator(tree, self._uses, drafts, conditions, calls)
        calls.attach(self._evaluator)
        self._conditions = conditions
        self._globals = Scope()
        self._members: dict[str, Scope] = {}
        self._results: dict[int, Value | None] = {}
        self._left: dict[int, dict[str, Value]] = {}
        self._active: set[int] = set()
        self._functions: list[Function] = []
        self._depth = 0
        self._statements = 0

    def walk(self) -> None:
        """Walk all of it."""
        self._block(self._tree.module.body, self._globals)
        self._globals.ended = False
        for called in (False, True):  # what others call is met there, with what it is given
            for function in self._functions:  # grows: functions hold functions
                if id(function.node) not in self._results and bool(self._uses.calls[function.node.name]) is called:
                    self._summary(function, None, self._globals)

    # Statements

    def _block(self, statements: Sequence[ast.stmt], scope: Scope) -> None:
        if self._depth >= _DEEPEST:
            return
        self._depth += 1
        for statement in statements:
            self._statements += 1
            if scope.ended or self._statements > _MOST_STATEMENTS:
                self._define_rest(statement, scope)
                continue
            self._statement(statement, scope)
        self._depth -= 1

    def _define_rest(self, statement: ast.stmt, scope: Scope) -> None:
        """What stands behind the end of a block is still defined for others."""
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._define(statement, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                for name, ref in imported(node):
                    scope.set(name, ref)
            case ast.Assign():
                value = self._evaluator.value(node.value, scope)
                for target in node.targets:
                    self._mutations(node).store(target, value, scope)
            case ast.AnnAssign():
                if node.value is not None:
                    self._mutations(node).store(node.target, self._evaluator.value(node.value, scope), scope)
            case ast.AugAssign():
                self._augmented(node, scope)
            case ast.Expr():
                if not isinstance(node.value, ast.Constant):
                    self._evaluator.value(node.value, scope)
            case ast.Return():
                self._return(node, scope)
            case ast.If():
                self._if(node, scope)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._loop(node, scope)
            case ast.With() | ast.AsyncWith():
                self._with(node, scope)
            case ast.Try() | ast.TryStar():
                self._try(node, scope)
            case ast.Match():
                self._match(node, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._define(node, scope)
            case ast.ClassDef():
                self._class(node, scope)
            case ast.Delete():
                for target in node.targets:
                    self._mutations(node).delete(target, scope)
            case ast.Assert():
                self._evaluator.unheard([node.test], scope)
            case ast.Raise():
                scope.ended = True
            case ast.Continue() | ast.Break():
                scope.ended = True
            case _:
                pass

    def _mutations(self, node: ast.stmt) -> Mutations:
        return Mutations(self._evaluator, self._tree.span(node))

    def _augmented(self, node: ast.AugAssign, scope: Scope) -> None:
        before = self._evaluator.value(node.target, scope)
        more = self._evaluator.value(node.value, scope)
        if isinstance(node.op, ast.Add):
            value = self._evaluator.added(before, more, node.value, node.target, scope)
        elif isinstance(node.op, ast.BitOr) and isinstance(before, Table):
            value = self._evaluator.updated(before, more, node.value)
        else:
            value = self._evaluator.unknown(node.target)
        if is_target(node.target):
            self._mutations(node).store(node.target, value, scope)

    def _return(self, node: ast.Return, scope: Scope) -> None:
        if node.value is not None:
            scope.returned.append(self._evaluator.value(node.value, scope))
        scope.ended = True

    # Branches

    def _if(self, node: ast.If, scope: Scope) -> None:
        """`if`, with its `elif` inside of its `else`."""
        pending: list[tuple[Scope, int, list[Scope], ast.expr]] = []
        here = scope
        while True:
            constant = constant_of(node.test, here)
            self._evaluator.unheard([node.test], here)
            if constant is not None:
                self._block(node.body if constant else node.orelse, here)
                break
            branch, negated = self._conditions.branch(node.test, here, self._evaluator.place)
            body, other = here.copy(), here.copy()
            self._block(node.body, body)
            pending.append((here, branch, [other, body] if negated else [body, other], node.test))
            here = other
            if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and len(pending) < 400:
                node = node.orelse[0]
                continue
            self._block(node.orelse, other)
            break
        for outer, branch, arms, test in reversed(pending):
            if asks_for_version(test):
                for arm in arms:
                    self._depends(outer, arm, test)
            self._join(outer, branch, arms)

    def _depends(self, here: Scope, arm: Scope, test: ast.expr) -> None:
        """What an arm adds to lists where the program's version is asked for: nobody knows here which arm is right."""
        for name in arm.changed:
            value, before = arm.names.get(name), here.names.get(name)
            if isinstance(value, Items) and isinstance(before, Items) and value is not before:
                arm.names[name] = replace(before, open=before.open or self._evaluator.unknown(test).text)

    def _join(self, scope: Scope, branch: int, arms: Sequence[Scope]) -> None:
        scope.join(branch, arms)
        for name in set().union(*(arm.changed for arm in arms)):
            value = scope.names.get(name)
            if isinstance(value, Items):
                self._drafts.note(value, scope.environ)

    def _match(self, node: ast.Match, scope: Scope) -> None:
        self._evaluator.unheard([node.subject], scope)
        arms = []
        for case in node.cases:
            arm = scope.copy()
            for name in ast.walk(case.pattern):
                if isinstance(name, (ast.MatchAs, ast.MatchStar)) and name.name:
                    arm.forget(name.name)
            self._block(case.body, arm)
            arms.append(arm)
        last = node.cases[-1]
        if not (isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None):
            arms.append(scope.copy())
        self._join(scope, self._branches.new(len(arms)), arms)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> None:
        """A loop: what it adds to on each turn is not known in full."""
        before = dict(scope.names)
        body = scope.copy()
        if isinstance(node, ast.While):
            self._evaluator.unheard([node.test], scope)
        else:
            self._bind_target(node.target, self._evaluator.value(node.iter, scope), body)
        inside = set(body.changed)
        self._block(node.body, body)
        body.ended = False
        for name in body.changed - inside:
            value, old = body.names.get(name), before.get(name)
            if isinstance(value, (Items, Table)) and old is not None and value is not old:
                body.names[name] = replace(value, open=value.open or f"{name}, filled in a loop")
            elif isinstance(value, Text) and isinstance(old, Text):
                body.forget(name)
        always = isinstance(node, ast.While) and constant_of(node.test, scope) is True
        self._join(scope, self._branches.new(), [body] if always else [body, scope.copy()])
        self._block(node.orelse, scope)

    def _bind_target(self, target: ast.expr, over: Value, body: Scope) -> None:
        """What the variable of a loop stands for: one of the texts that are listed, one after the other."""
        texts = [entry.value for entry in over.entries] if isinstance(over, Items) and not over.open else []
        if isinstance(target, ast.Name) and texts and all(isinstance(text, Text) for text in texts):
            branch = self._branches.new(len(texts))
            value = either([(frozenset({(branch, arm)}), text) for arm, text in enumerate(texts)])
            if value is not None:
                body.set(target.id, value)
                return
        for name in ast.walk(target):
            if isinstance(name, ast.Name):
                body.forget(name.id)

    def _with(self, node: ast.With | ast.AsyncWith, scope: Scope) -> None:
        fails = False
        for item in node.items:
            value = self._evaluator.value(item.context_expr, scope)
            called = item.context_expr.func if isinstance(item.context_expr, ast.Call) else item.context_expr
            fails |= last_name(called) in EXPECTING
            if item.optional_vars is not None:
                self._mutations(node).store(item.optional_vars, value, scope)
        self._drafts.silent += fails
        self._block(node.body, scope)
        self._drafts.silent -= fails

    def _try(self, node: ast.Try | ast.TryStar, scope: Scope) -> None:
        """The body is taken to succeed; what the handlers start is met all the same."""
        before = scope.copy()
        self._block(node.body, scope)
        for handler in node.handlers:
            self._block(handler.body, before.copy())
        self._block(node.orelse, scope)
        self._block(node.finalbody, scope)

    # Functions and classes

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, owner: str = "") -> Function:
        self._evaluator.unheard(node.decorator_list, scope)
        function = Function(node, owner)
        self._functions.append(function)
        if not owner:
            scope.set(node.name, function)
        return function

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        """The attributes of a class; its methods see them, and what the first of them sets."""
        self._evaluator.unheard(node.decorator_list, scope)
        inner = scope.copy()
        fields: dict[str, Value] = {}
        methods = {}
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                methods[statement.name] = self._define(statement, inner, node.name)
                continue
            inner.changed = set()
            self._block([statement], inner)
            for name in inner.changed:
                value = inner.names.get(name)
                if isinstance(statement, ast.AnnAssign):
                    value = defaulted(value, f"{node.name}.{name}") if isinstance(value, Text) else None
                if value is not None:
                    fields[name] = value
        scope.set(node.name, Class(node.name, fields))
        members = Scope()
        for name, value in fields.items():
            if self._uses.stores[name] == 0:
                members.names[f"self.{name}"] = members.names[f"cls.{name}"] = value
        for name, function in methods.items():
            members.names[f"self.{name}"] = members.names[f"cls.{name}"] = function
        self._members[node.name] = members

    def _follow(self, function: Function, arguments: Arguments, node: ast.Call, scope: Scope) -> Value | None:
        """What a call of a function of this text gives; one that is called once sees what it is given."""
        name = function.node.name
        once = self._uses.calls[name] == 1
        if id(function.node) not in self._results:
            self._summary(function, arguments if once else None, scope)
        for index, argument in enumerate(node.args):
            if is_target(argument) and isinstance(scope.names.get(ast.unparse(argument)), (Items, Table)):
                self._handed(function, index, argument, scope, followed=once)
        return self._results.get(id(function.node))

    def _handed(self, function: Function, index: int, argument: ast.expr, scope: Scope, *, followed: bool) -> None:
        """A list that a function of this text is given, and may have changed."""
        held = scope.names[ast.unparse(argument)]
        name = mutated_parameters(function).get(index)
        left = self._left.get(id(function.node), {}).get(name) if name and followed else None
        if isinstance(left, (Items, Table)):
            scope.set(ast.unparse(argument), left)
        elif name and isinstance(held, (Items, Table)):
            scope.set(ast.unparse(argument), replace(held, open=held.open or f"{function.node.name}(...)"))

    def _summary(self, function: Function, arguments: Arguments | None, caller: Scope) -> None:
        """Walk a function once, and keep what it returns."""
        node = function.node
        if id(node) in self._active or self._depth >= _DEEPEST - 4:
            return
        self._active.add(id(node))
        self._results[id(node)] = None
        members = self._method_scope(function)
        scope = Scope({**self._globals.names, **members}, caller.environ)
        called = self._uses.calls[node.name] > 0
        for name, value in bound(function, arguments, self._evaluator, scope, called=called):
            scope.names[name] = value
        place, self._evaluator.place = self._evaluator.place, id(node)
        self._block(node.body, scope)
        self._evaluator.place = place
        self._active.discard(id(node))
        self._results[id(node)] = self._returned(scope)
        self._left[id(node)] = scope.names
        if caller is not self._globals or arguments is not None:
            caller.environ = scope.environ
        if node.name == "__init__":
            self._keep_members(function.owner, scope)

    def _method_scope(self, function: Function) -> dict[str, Value]:
        if not function.owner:
            return {}
        members = self._members.get(function.owner)
        if members is None:
            return {}
        first = members.names.get("self.__init__")
        if isinstance(first, Function) and id(first.node) not in self._results:
            self._summary(first, None, self._globals)
        return members.names

    def _keep_members(self, owner: str, scope: Scope) -> None:
        members = self._members.get(owner)
        for name in scope.changed:
            attribute = name.removeprefix("self.")
            value = scope.names.get(name)
            alone = attribute != name and self._uses.stores[attribute] == 1
            if members is not None and alone and value is not None:
                members.names[name] = value

    def _returned(self, scope: Scope) -> Value | None:
        values = scope.returned
        if len(values) == 1:
            return values[0]
        if not values or any(not isinstance(v, (Text, Items, Table, Either)) for v in values):
            return None
        branch = self._branches.new(len(values))
        return either([(frozenset({(branch, arm)}), value) for arm, value in enumerate(values)])
