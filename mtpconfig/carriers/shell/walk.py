"""The way through a script: statements in the order in which they run, each with the variables as they are there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from tree_sitter import Node

from mtpconfig.carriers.shell import effects, loops, shapes
from mtpconfig.carriers.shell.commands import Commands, Opening
from mtpconfig.carriers.shell.documents import Document, Target, heredocs_of, target_of, tee_of
from mtpconfig.carriers.shell.expand import Expander
from mtpconfig.carriers.shell.hints import Hints
from mtpconfig.carriers.shell.hints import comment as comment_hint
from mtpconfig.carriers.shell.layers import Context
from mtpconfig.carriers.shell.lexer import DECLARERS, Lexer
from mtpconfig.carriers.shell.pieces import Assignment, Command, RawWord
from mtpconfig.carriers.shell.printed import printed
from mtpconfig.carriers.shell.rows import Home
from mtpconfig.carriers.shell.runs import Item
from mtpconfig.carriers.shell.scope import Array, Scope
from mtpconfig.carriers.shell.tree import SUBSTITUTIONS, heredocs, parse, substitutions
from mtpconfig.carriers.shell.unwrap import unwrap
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment, Span

_SIMPLE = frozenset(("command", "variable_assignment", "variable_assignments", "declaration_command", "unset_command"))
_BEHIND_A_HEREDOC = _SIMPLE | {"list", "pipeline", "redirected_statement"}
_CONDITIONS = re.compile(r"!|\[|\(\(|(?:test|grep|egrep|command|which|type|hash|pgrep|diff|cmp)\b")
_PRINTS = re.compile(r"(?:echo|printf)\b")
_BETWEEN = re.compile(r"(?:[\s;]|\\\r?\n)*")
_DEEPEST = 40
_MOST_CALLS = 400
_LEAVES = re.compile(r"\b(?:break|continue)\b")


def read_layer(layer: Fragment, context: Context) -> list[Launch]:
    """All launches in a layer of shell text."""
    return Walker(layer, context).launches()


class Walker:
    """Walks the statements of one layer, keeping a scope, and collects launches."""

    def __init__(self, layer: Fragment, context: Context) -> None:
        self._layer = layer
        self._text = layer.text
        self._context = context
        self._tree = parse(layer.text)
        if self._tree.given_up:
            context.opener.miss(layer, 0, "its text is too tangled to be parsed as shell text")
        self._lexer = Lexer(layer.text, self._tree.ends)
        self._expander = Expander(
            layer.text,
            self._tree.uses,
            splits=context.splits,
            new_branch=context.branches.new,
            command_at=self._lexer.command,
        )
        self._hints = Hints(context.hints)
        self._commands = Commands(layer, context, self._expander, self._hints, read_layer)
        self._functions: dict[str, Node] = {}
        self._called: set[str] = set()
        self._active: list[str] = []
        self._calls = 0
        self._turned = 0
        self._piped: Sequence[Item] = ()
        self._target: Target | None = None
        self._replaying = False
        self._depth = 0
        self._limit = len(layer.text)
        self._found: dict[tuple[object, ...], Launch] = {}

    def launches(self) -> list[Launch]:
        """Walk the whole layer; functions that nothing calls are walked last."""
        scope = self._context.scope()
        self._block(self._tree.root.children, scope)
        for name in [name for name in self._functions if name not in self._called]:
            if name not in self._called:
                inner = scope.copy()
                inner.ended = False
                self._call(name, inner)
        for launch in self._commands.written():
            self._found.setdefault(_identity(launch), launch)
        return list(self._found.values())

    # Statements

    def _block(self, nodes: Iterable[Node], scope: Scope) -> None:
        reached = 0
        for node in nodes:
            if node.type == "comment":
                self._hints.add([comment_hint(self._layer, Span(node.start_byte, node.end_byte))])
            elif node.is_named and not node.is_missing and node.start_byte >= reached:
                reached = self._statement(node, scope)

    def _statement(self, node: Node, scope: Scope) -> int:
        """Walk one statement; where it ends."""
        self._depth += 1
        try:
            if self._depth <= _DEEPEST and node.type != "ERROR":
                if node.type in _SIMPLE:
                    return self._simple(node, scope)
                self._compound(node, scope)
        finally:
            self._depth -= 1
        return node.end_byte

    def _compound(self, node: Node, scope: Scope) -> None:
        match node.type:
            case "redirected_statement":
                self._redirected(node, scope)
            case "list":
                self._list(node, scope)
            case "pipeline":
                self._pipeline([child for child in node.children if child.is_named], scope)
            case "subshell":
                self._block(node.children, scope.copy())
            case "compound_statement" | "negated_command" | "do_group":
                self._block(node.children, scope)
            case "if_statement":
                self._if(node, scope)
            case "case_statement":
                self._case(node, scope)
            case "for_statement" | "select_statement":
                self._for(node, scope)
            case "while_statement" | "until_statement" | "c_style_for_statement":
                self._while(node, scope)
            case "function_definition":
                self._define(node)
            case _:
                self._substitutions(node, scope)

    def _redirected(self, node: Node, scope: Scope) -> None:
        body = node.children[0] if node.children else None
        if body is None or not body.is_named:
            return
        documents = heredocs(node)
        if body.type in _SIMPLE:
            self._simple(body, scope, documents)
        else:
            redirect = next((child for child in node.children if child.type == "file_redirect"), None)
            command = self._lexer.command(redirect.start_byte, self._limit) if redirect is not None else None
            target = target_of(command, self._expander, scope) if command else None
            self._within(body, scope, target)
        for child in node.children[1:]:
            if child.type == "heredoc_redirect":
                self._block((c for c in child.children if c.type in _BEHIND_A_HEREDOC), scope.copy())
            elif child.type == "file_redirect":
                self._substitutions(child, scope)

    def _pipeline(self, stages: Sequence[Node], scope: Scope) -> None:
        """`a | b`: what a stage prints goes to the next one."""
        for place, stage in enumerate(stages):
            inner = scope.copy()
            following = stages[place + 1] if place + 1 < len(stages) else None
            if following is None or (stage.type in _SIMPLE and not _PRINTS.match(self._text, stage.start_byte)):
                self._statement(stage, inner)
                continue
            command = self._lexer.command(following.start_byte, self._limit)
            piped = [item for word in command.words for item in self._expander.words(word, inner).items]
            if stage.type in _SIMPLE:
                before, self._piped = self._piped, piped
                self._statement(stage, inner)
                self._piped = before
            else:
                self._within(stage, inner, tee_of(unwrap(piped)) if piped else None)

    def _within(self, node: Node, scope: Scope, target: Target | None) -> None:
        """Walk a statement of several commands, whose output goes to a file."""
        before = self._target
        if target is not None and node.type in ("compound_statement", "subshell"):
            self._commands.begins(target)
            self._target = Target(target.name, adds=True)
        self._statement(node, scope)
        self._target = before

    def _list(self, node: Node, scope: Scope) -> None:
        """`a && b || c`; only what stands behind a condition is conditional, other commands are taken to succeed."""
        operands = shapes.operands(node)
        place = 0
        while place < len(operands):
            run = list(takewhile(lambda o: o[0] == "&&", operands[place + (1 if place else 0) :]))
            place = self._chain(operands, place, len(run), scope)

    def _chain(self, operands: Sequence[tuple[str, Node]], place: int, length: int, scope: Scope) -> int:
        """One `a && b && c` and the `|| d` behind it; the place of what follows."""
        conditional = False
        size = max(length, 1)
        taken = scope
        arms: list[Scope] = []
        for _, node in operands[place : place + size]:
            if conditional and taken is scope:
                taken = scope.copy()
                arms = [taken]
            self._statement(node, taken)
            conditional = conditional or self._is_condition(node)
        place += size
        other = scope.copy()
        if place < len(operands) and operands[place][0] == "||":
            self._statement(operands[place][1], other)
            self._join(scope, [arms[0] if arms else scope.copy(), other])
            place += 1
        elif arms:
            self._join(scope, [arms[0], other])
        return place

    def _join(self, scope: Scope, arms: Sequence[Scope]) -> None:
        """Let a scope become what the arms of a new branch leave behind."""
        branch = self._context.branches.new()
        self._context.branches.settle(branch, scope.join(branch, arms))

    def _is_condition(self, node: Node) -> bool:
        return bool(_CONDITIONS.match(self._text, node.start_byte))

    def _if(self, node: Node, scope: Scope) -> None:
        arms: list[Scope] = []
        for condition, body in shapes.clauses(node):
            self._block(condition, scope)
            arm = scope.copy()
            self._block(body, arm)
            arms.append(arm)
        if not shapes.has(node.children, "else_clause"):
            arms.append(scope.copy())
        self._join(scope, arms)

    def _case(self, node: Node, scope: Scope) -> None:
        arms: list[Scope] = []
        exhaustive = False
        for item in node.children:
            if item.type != "case_item":
                self._substitutions(item, scope)
                continue
            patterns, body = shapes.patterns(item)
            exhaustive |= any(self._slice(pattern) == "*" for pattern in patterns)
            arm = scope.copy()
            self._block(body, arm)
            arms.append(arm)
        self._join(scope, arms if exhaustive else [*arms, scope.copy()])

    def _for(self, node: Node, scope: Scope) -> None:
        before_body = list(takewhile(lambda n: n.type != "do_group", node.children))
        names = [child for child in before_body if child.type == "variable_name"]
        inside = shapes.has(before_body, "in")
        items: list[Item] = []
        why = "" if inside else '"$@"'
        for child in before_body:
            self._substitutions(child, scope)
            if inside and names and child.is_named and child.start_byte > names[0].start_byte:
                raw = self._lexer.word(child.start_byte, self._limit)
                expansion = self._expander.words(raw, scope) if raw else None
                items += expansion.items if expansion else ()
                why = why or (expansion.open if expansion else "")
        before, scope.appended = scope.appended, set()
        start, body = scope.copy(), scope.copy()
        if names:
            branch = self._context.branches.new(range(len(items)))
            effects.loop_over(self._slice(names[0]), items, why, body, branch)
        self._block(node.children[len(before_body) :], body)
        self._join(scope, [body, scope.copy()] if not items else [body])
        known = bool(names) and not why and not any(item.many for item in items)
        if not (scope.appended and known and self._turns(node, self._slice(names[0]), items, start, scope)):
            effects.settle_loop(scope)
        scope.appended |= before

    def _turns(self, node: Node, name: str, items: Sequence[Item], before: Scope, scope: Scope) -> bool:
        """Follow a loop that adds to variables turn by turn; whether that was done."""
        body = [child for child in node.children if child.type == "do_group"]
        if not body or self._turned + len(items) > loops.MOST_TURNS or _LEAVES.search(self._slice(body[0])):
            return False

        def turn(world: Scope) -> None:
            self._turned += 1
            self._block(body, world)

        loop = loops.Loop(name, items, Span(body[0].start_byte, body[0].end_byte))
        arms = self._context.branches.arms(branch for item in items for branch, _ in item.guard)
        replaying, self._replaying = self._replaying, True
        done = loops.run_turns(loop, scope, before, arms, turn)
        self._replaying = replaying
        return bool(done)

    def _while(self, node: Node, scope: Scope) -> None:
        before, scope.appended = scope.appended, set()
        body = scope.copy()
        if counter := re.match(r"for\s*\(\(\s*(\w+)", self._slice(node)):
            effects.forget(counter[1], body, "for")
        self._block((c for c in node.children if counter is None or c.type == "do_group"), body)
        body.ended = False
        self._join(scope, [body, scope.copy()])
        effects.settle_loop(scope)
        scope.appended |= before

    def _substitutions(self, node: Node, scope: Scope) -> None:
        """Walk the commands inside `$(...)` and `<(...)` below a node."""
        if not re.search(r"[$<>]\(|`", self._slice(node)):
            return
        for inner in substitutions(node):
            if inner.type in SUBSTITUTIONS and self._depth <= _DEEPEST:
                limit, self._limit = self._limit, inner.end_byte - 1
                self._depth += 1
                self._block(inner.children, scope.copy())
                self._depth -= 1
                self._limit = limit

    def _slice(self, node: Node) -> str:
        return self._text[node.start_byte : node.end_byte]

    # Functions

    def _define(self, node: Node) -> None:
        name = next((child for child in node.children if child.type == "word"), None)
        if name is not None:
            self._functions[self._slice(name)] = node

    def _call(self, name: str, scope: Scope, arguments: Array | None = None) -> None:
        """Walk a function's body where it is called, with the variables as they are there and its arguments."""
        self._called.add(name)
        self._calls += 1
        if name in self._active or self._calls > _MOST_CALLS:
            return
        self._active.append(name)
        outer, scope.positional = scope.positional, arguments
        limit, self._limit = self._limit, len(self._text)
        body = [child for child in self._functions[name].children if child.type not in ("word", "(", ")", "function")]
        self._block(body, scope)
        scope.positional, self._limit = outer, limit
        scope.ended = False
        self._active.pop()

    # Simple commands

    def _simple(self, node: Node, scope: Scope, documents: Sequence[Node] = ()) -> int:
        """Walk a simple command; the grammar at times takes two lines for one command, then both are read."""
        position = node.start_byte
        self._substitutions(node, scope)
        while True:
            command = self._lexer.command(position, self._limit)
            if not command.tokens:
                return max(command.span.end, node.end_byte)
            if not self._lexer.unterminated:
                self._run(command, scope, documents)
            position = (command.comment or command.span).end
            between = _BETWEEN.match(self._text, position)
            position = between.end() if between else position
            if position >= node.end_byte or self._text[position] in "|&()<>#":
                return command.span.end
            documents = ()

    def _run(self, command: Command, scope: Scope, documents: Sequence[Node]) -> None:
        row = effects.row_of(command)
        items: list[Item] = []
        opens: list[Opening] = []
        for index, token in enumerate(command.tokens):
            if isinstance(token, RawWord):
                expansion = self._expander.words(token, scope, Home(row, index, index))
                items += expansion.items
                if expansion.open:
                    opens.append(Opening(token.span, expansion.open))
        if not command.words:
            for index, token in enumerate(command.tokens):
                if isinstance(token, Assignment):
                    effects.assign(token, scope, self._expander, Home(row, index, index))
            return
        if not items:
            return
        name = items[0].text
        bodies = list(heredocs_of(command, documents, self._layer, self._lexer, self._expander, scope))
        text = printed(name, items[1:], self._text)
        if text is not None:
            why = opens[0].why if opens else ""
            bodies.append(Document(text, why, self._piped, self._target, printed=True))
        if name in DECLARERS:
            effects.declare(command, items, scope, self._expander)
        elif name in self._functions:
            for token in command.assignments:
                effects.assign(token, scope, self._expander)
            why = opens[0].why if opens else next((item.text for item in items[1:] if item.many), "")
            self._call(name, scope, Array(tuple(items[1:]), why).bounded())
        else:
            effects.builtin(items, scope, opens[0].why if opens else "")
            if name == "printf" and len(items) > 2 and items[1].text == "-v" and not opens:
                effects.put(items[2].text, printed(name, items[3:], self._text), scope)
            if name in ("cd", "pushd") and len(items) > 1:
                scope.place = items[-1].text
            if self._replaying:
                return
            for launch in self._commands.launches(command, items, opens, scope, bodies):
                self._found.setdefault((command.span, *_identity(launch)), launch)
            scope.ended |= name == "exec" and len(items) > 1


def _identity(launch: Launch) -> tuple[object, ...]:
    """What makes two launches the same one: a function that is called twice in the same way starts its program once."""
    return (
        launch.fragment.locate_all(),
        tuple(word.value for word in launch.argv),
        tuple((given.name.text, given.value.value if given.value else None) for given in launch.given),
    )
