"""What calls give, and what they start.

Functions of the standard library are known by name, methods of lists, dicts and texts by theirs; functions of the text
itself are followed, and whatever else is imported is a start with the arguments that it is given.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable

from msgspec.structs import replace

from mtpconfig.carriers.python_.drafts import Arguments, Drafts
from mtpconfig.carriers.python_.evaluate import Evaluator
from mtpconfig.carriers.python_.known import COPIES, SAME, Known, of_table, stripped
from mtpconfig.carriers.python_.launches import name_text
from mtpconfig.carriers.python_.mutation import Mutations
from mtpconfig.carriers.python_.nodes import is_target, last_name
from mtpconfig.carriers.python_.notes import Notes
from mtpconfig.carriers.python_.programs import (
    LOOKING,
    SHELL_METHODS,
    STARTERS,
)
from mtpconfig.carriers.python_.scope import Branches, Scope
from mtpconfig.carriers.python_.splitting import fields, shell_words
from mtpconfig.carriers.python_.starts import Starts
from mtpconfig.carriers.python_.templates import braces
from mtpconfig.carriers.python_.values import (
    Class,
    Either,
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
    made_up,
)
from mtpconfig.launch import ALWAYS
from mtpconfig.text import Span

_SAME_METHODS = frozenset(("strip", "rstrip", "lstrip", "expanduser", "resolve", "absolute", "as_posix"))

Follow = Callable[[Function, Arguments, ast.Call, Scope], "Value | None"]


class Calls:
    """Says what calls give. `follow` walks a function of the text itself."""

    def __init__(self, drafts: Drafts, branches: Branches, notes: Notes, follow: Follow) -> None:
        self._drafts = drafts
        self._branches = branches
        self._notes = notes
        self._follow = follow

    def attach(self, evaluator: Evaluator) -> None:
        """Take the evaluator of the arguments, which in turn asks this for calls."""
        self._evaluator = evaluator
        self._known = Known(evaluator, self._branches)
        self._starts = Starts(evaluator, self._drafts)

    def __call__(self, node: ast.Call, scope: Scope) -> Value:
        """What a call gives; what it starts is noted."""
        found = self._call(node, scope)
        return found if found is not None else self._evaluator.unknown(node)

    def _call(self, node: ast.Call, scope: Scope) -> Value | None:
        name = last_name(node.func)
        called = self._evaluator.callee(node.func, scope)
        looks = name.lower().startswith("assert")
        self._drafts.silent += looks
        arguments = self._arguments(node, scope)
        self._drafts.silent -= looks
        self._notes.noted(name, arguments)
        if name in SHELL_METHODS:
            for entry in arguments.items.entries:
                if isinstance(entry.value, Text):
                    self._starts.run_text(entry.value, self._evaluator.tree.span(node), ())
        match called:
            case Function():
                return self._follow(called, arguments, node, scope)
            case Class():
                return Made(called.name, self._given_to(called, arguments), self._evaluator.tree.span(node))
            case Ref(dotted):
                return self._named(dotted, node, arguments, scope)
            case Method(receiver):
                return self._method(node, name, receiver, arguments, scope)
        self._may_change(node, name, arguments, scope)
        return None

    @staticmethod
    def _given_to(made: Class, arguments: Arguments) -> Table:
        """The attributes of an object of a class of the text."""
        pairs = [Pair(made_up(name), value) for name, value in made.attributes.items()]
        return replace(Table(tuple(pairs)).having(arguments.keywords.pairs), open=arguments.open)

    def _arguments(self, node: ast.Call, scope: Scope) -> Arguments:
        tree = self._evaluator.tree
        span = tree.span(node)
        parts = sorted([*map(tree.span, node.args), *(tree.span(k) for k in node.keywords)])
        at = {part: index for index, part in enumerate(parts)}
        alone = len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp)
        row = Row(Span(tree.span(node.func).end + 1, span.end - 1), tuple(parts), "*" if alone else "[")
        items = self._evaluator.elements(node.args, scope, row, span)
        entries = [
            replace(entry, place=Place(row, at[tree.span(node.args[entry.place.index])]))
            if entry.place is not None and entry.place.row is row
            else entry
            for entry in items.entries
        ]
        table = Table(())
        named: list[Pair] = []
        for keyword in node.keywords:
            value = self._evaluator.value(keyword.value, scope)
            if keyword.arg is None:
                table = self._evaluator.updated(table.having(named), value, keyword.value)
                named = []
            else:
                place = tree.span(keyword)
                name = name_text(tree.layer, keyword.arg, Span(place.start, place.start + len(keyword.arg)))
                named.append(Pair(name, value, ALWAYS, Place(row, at[place])))
        return Arguments(replace(items, entries=tuple(entries)), table.having(named))

    # Functions with a dotted name

    def _named(self, dotted: str, node: ast.Call, arguments: Arguments, scope: Scope) -> Value | None:
        first = arguments.get(0)
        if (starter := STARTERS.get(dotted)) is not None:
            self._starts.start(starter, node, arguments, scope)
            return None
        if dotted in SAME:
            return self._known.same(dotted, first, arguments)
        if dotted in COPIES:
            return self._known.copied(node, first, arguments)
        match dotted:
            case "json.dumps":
                return self._known.json(node, first)
            case "os.path.join":
                texts = [entry.value for entry in arguments.items.entries]
                return self._known.joined(texts, "/", node)
            case "pathlib.Path.home":
                return None
            case "shlex.join" | "subprocess.list2cmdline":
                return self._known.spaced(first, node, " ", quoted=True)
            case "shlex.split":
                return shell_words(first) if isinstance(first, Text) and first.kind == "str" else None
            case "os.getenv" | "os.environ.get":
                return self._variable(arguments, scope)
            case "os.putenv" | "os.environ.setdefault":
                self._set_variable(node, arguments, scope)
                return None
            case "dataclasses.asdict" | "builtins.vars":
                return first.arguments if isinstance(first, Made) else None
            case "functools.partial":
                self._starts.partial(node, first, arguments, scope)
                return None
            case "sys.exit" | "os._exit" | "os.abort" | "builtins.exit" | "builtins.quit":
                scope.ended = True
                return None
        self._may_change(node, dotted.rpartition(".")[2], arguments, scope)
        root = dotted.lstrip(".").partition(".")[0]
        if root not in sys.stdlib_module_names and root != "builtins":
            if dotted.rpartition(".")[2][:1].isupper() or arguments.keywords.pairs or arguments.open:
                self._drafts.add(self._starts.by_name(dotted, node, arguments, scope))  # not every `np.sum(x)`
            return Made(dotted, replace(arguments.keywords, open=arguments.open), self._evaluator.tree.span(node))
        return None

    # Methods

    def _method(self, node: ast.Call, name: str, receiver: Value, arguments: Arguments, scope: Scope) -> Value | None:
        assert isinstance(node.func, ast.Attribute)
        first = arguments.get(0)
        if isinstance(receiver, Table) and receiver is scope.environ and name == "setdefault":
            self._set_variable(node, arguments, scope)
            return None
        if isinstance(receiver, Table) and receiver is scope.environ and name == "get":
            return self._variable(arguments, scope)
        mutations = Mutations(self._evaluator, self._evaluator.tree.span(node))
        if isinstance(receiver, (Items, Table, Either)) and is_target(node.func.value):
            changed, given = mutations.method(receiver, name, arguments, node)
            if changed is not None:
                mutations.store(node.func.value, changed, scope)
                if isinstance(changed, Items):
                    self._drafts.note(changed, scope.environ)
                return given
        if isinstance(receiver, Table):
            return of_table(receiver, name, arguments)
        if isinstance(receiver, Items):
            return receiver if name == "copy" else None
        if isinstance(receiver, Text) and receiver.kind == "str":
            return self._of_text(receiver, name, node, arguments, scope)
        if name == "join" and isinstance(receiver, Text):
            return None
        if name == "parse_args":
            return self._notes.parsed()
        if name == "run" and isinstance(first, Text) and arguments.keywords.pairs:
            self._starts.container(node, arguments)
        if name == "write_text" and isinstance(first, Text):
            self._starts.written(receiver, first)
        self._may_change(node, name, arguments, scope)
        if isinstance(receiver, Text) and name in _SAME_METHODS:
            return receiver
        return None

    def _of_text(self, text: Text, name: str, node: ast.Call, arguments: Arguments, scope: Scope) -> Value | None:
        first = arguments.get(0)
        if name == "join":
            return self._known.spaced(first, node, text.text)
        if name == "split" and first is None and not arguments.keywords.pairs:
            items = fields(text)
            self._drafts.note(items, scope.environ)
            return items
        if name == "format":
            return braces(text)
        if name in ("strip", "rstrip", "lstrip") and first is None:
            return stripped(text, name)
        if name == "write_text" and isinstance(first, Text):
            self._starts.written(text, first)
        return text if name in _SAME_METHODS and first is None else None

    def _variable(self, arguments: Arguments, scope: Scope) -> Value | None:
        name, other = arguments.get(0), arguments.get(1, "default")
        if not isinstance(name, Text) or name.known is None:
            return None
        own = scope.environ.get(name.known)
        return own if own is not None else defaulted(other, name.known)

    def _set_variable(self, node: ast.Call, arguments: Arguments, scope: Scope) -> None:
        name, value = arguments.get(0), arguments.get(1)
        if isinstance(name, Text) and name.known is not None and value is not None:
            place = Place(None, statement=self._evaluator.tree.span(node))
            scope.environ = scope.environ.having([Pair(name, value, ALWAYS, place)])

    def _may_change(self, node: ast.Call, name: str, arguments: Arguments, scope: Scope) -> None:
        """A list that is handed to something unknown may come back changed."""
        if name in LOOKING or name.lower().startswith(("log", "print", "assert")):
            return
        for argument in node.args:
            value = scope.names.get(ast.unparse(argument)) if is_target(argument) else None
            if isinstance(value, (Items, Table)):
                scope.set(ast.unparse(argument), replace(value, open=value.open or f"{name}(...)"))
