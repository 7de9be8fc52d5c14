"""What assignments and builtins do to the variables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from mtpconfig.carriers.shell.codecs import BARE
from mtpconfig.carriers.shell.content import Part
from mtpconfig.carriers.shell.expand import Expander
from mtpconfig.carriers.shell.lexer import DECLARERS
from mtpconfig.carriers.shell.pieces import Assignment, Command, Parameter, Piece, RawArray, RawWord
from mtpconfig.carriers.shell.rows import Home, Row
from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.carriers.shell.scope import (
    MOST_CHOICES,
    MOST_RUNS,
    UNSET,
    Array,
    Binding,
    Choice,
    Scalar,
    Scope,
    Variable,
    as_array,
)
from mtpconfig.launch import exclude
from mtpconfig.text import Kind

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_READERS = frozenset(("read", "mapfile", "readarray", "getopts", "let"))
_ENDS = frozenset(("exit", "return"))


def row_of(command: Command) -> Row:
    """The command's tokens as a row; one that is nothing but a single assignment goes as a whole."""
    declares = bool(command.words) and command.words[0].plain in DECLARERS
    alone = len(command.assignments) == 1 and len(command.tokens) == 1 + declares
    return Row(tuple(token.span for token in command.tokens), statement=command.span if alone else None)


def assign(assignment: Assignment, scope: Scope, expander: Expander, home: Home | None = None) -> None:
    """Carry out `NAME=value`, `NAME+=value`, `NAME=(...)`."""
    name, value = assignment.name, assignment.value
    if assignment.append or _mentions(value, name):
        scope.appended.add(name)
    before = scope.variables.get(name, UNSET)
    if isinstance(value, RawArray):
        added = expander.array(value, scope)
        if assignment.append:
            first = as_array(before)
            added = Array((*first.items, *added.items), first.open or added.open)
        scope.assign(name, added.bounded())
    elif assignment.index:
        scope.assign(name, Array((), f"{name}[{assignment.index}]"))
    else:
        binding = Binding(assignment.name_span, assignment.span, home)
        choices = expander.scalar(value, scope)
        scope.assign(name, _scalar(before, choices, binding, append=assignment.append))


def _scalar(before: Variable, choices: Sequence[Choice], binding: Binding, *, append: bool) -> Variable:
    if append and isinstance(before, Array):
        return Array(before.items, "+=")
    if append and isinstance(before, Scalar):
        choices = [
            Choice((*(old.runs or ()), *(new.runs or ())), old.guard | new.guard)
            for old in before.choices
            for new in choices
            if not exclude(old.guard, new.guard)
        ]
    if any(choice.runs and len(choice.runs) > MOST_RUNS for choice in choices) or len(choices) > MOST_CHOICES:
        return Array((), "+=")
    return Scalar(tuple(replace(choice, binding=binding) for choice in choices))


def _mentions(value: RawWord | RawArray, name: str) -> bool:
    words = value.words if isinstance(value, RawArray) else (value,)
    stack: list[Piece] = [piece for word in words for piece in word.pieces]
    while stack:
        piece = stack.pop()
        if isinstance(piece, Parameter):
            if piece.name == name and not piece.operator:
                return True
            stack += piece.argument
    return False


def declare(command: Command, items: Sequence[Item], scope: Scope, expander: Expander) -> None:
    """`export`, `declare`, `local`, `readonly`: assign, and export where asked."""
    texts = [item.text for item in items]
    exports = texts[0] == "export" or any(text.startswith("-") and "x" in text for text in texts[1:])
    row = row_of(command)
    for index, token in enumerate(command.tokens):
        if isinstance(token, Assignment):
            assign(token, scope, expander, Home(row, index, index))
            if exports:
                scope.exported[token.name] = None
    for text in texts[1:]:
        if exports and _NAME.fullmatch(text):
            scope.exported[text] = None
            if "-n" in texts:
                scope.exported.pop(text, None)


def builtin(items: Sequence[Item], scope: Scope, expansion_open: str) -> None:
    """Carry out the builtins that change variables, parameters or the flow."""
    name, texts = items[0].text, [item.text for item in items[1:]]
    if name == "set":
        _set(items[1:], scope, expansion_open)
    elif name == "shift":
        _shift(texts, scope)
    elif name == "unset":
        for text in texts:
            scope.variables.pop(text, None)
            scope.exported.pop(text, None)
    elif name in _READERS:
        for item in items[1:]:
            if _NAME.fullmatch(item.text):
                forget(item.text, scope, name)
    elif name == "printf" and "-v" in texts[:1] and len(texts) > 1:
        forget(texts[1], scope, name)
    elif name in _ENDS:
        scope.ended = True


def put(name: str, parts: Sequence[Part] | None, scope: Scope) -> None:
    """`printf -v name`: the variable holds what is printed, where that is one text."""
    runs = [replace(part, shared=True) for part in parts or () if isinstance(part, Run)]
    if runs and len(runs) == len(parts or ()) and len(runs) <= MOST_RUNS:
        scope.assign(name, Scalar((Choice(tuple(runs)),)))


def forget(name: str, scope: Scope, why: str) -> None:
    """The variable now holds something that the text does not tell."""
    if isinstance(scope.variables.get(name), Array) or why in ("mapfile", "readarray"):
        scope.assign(name, Array((), why))
    else:
        scope.assign(name, Scalar((Choice((Run(f"${name}", None, Kind.SYNTHETIC, BARE, why=f"${name}"),)),)))


def _set(items: Sequence[Item], scope: Scope, expansion_open: str) -> None:
    for place, item in enumerate(items):
        text = item.text
        if text == "--":
            scope.positional = Array(tuple(items[place + 1 :]), expansion_open or _many(items[place + 1 :]))
            return
        if re.fullmatch(r"[-+][A-Za-z]+", text):
            if "a" in text:
                scope.export_all = text.startswith("-")
        elif place and re.fullmatch(r"[-+][A-Za-z]*o", items[place - 1].text):
            if text == "allexport":
                scope.export_all = items[place - 1].text.startswith("-")
        else:
            scope.positional = Array(tuple(items[place:]), expansion_open or _many(items[place:]))
            return


def _many(items: Sequence[Item]) -> str:
    return next((item.text for item in items if item.many), "")


def _shift(texts: Sequence[str], scope: Scope) -> None:
    if scope.positional is None:
        return
    count = int(texts[0]) if texts and texts[0].isdigit() else 1 if not texts else None
    if count is None or scope.positional.open or any(item.guard for item in scope.positional.items):
        scope.positional = None
    else:
        scope.positional = Array(scope.positional.items[count:])


def loop_over(name: str, expansion: Sequence[Item], open_why: str, scope: Scope, branch: int) -> None:
    """`for name in words`: the variable holds one word after the other."""
    if not expansion or open_why or any(item.many or item.known is None for item in expansion):
        forget(name, scope, "for")
        return
    single = len(expansion) == 1
    choices = (
        Choice(
            tuple(replace(run, shared=True) for run in item.runs), frozenset() if single else frozenset({(branch, arm)})
        )
        for arm, item in enumerate(expansion)
    )
    scope.assign(name, Scalar(tuple(choices)))


def settle_loop(scope: Scope) -> None:
    """After a loop: what it added to on each turn is not known in full."""
    for name in scope.appended:
        found = scope.variables.get(name)
        if isinstance(found, Array):
            scope.variables[name] = Array(found.items, found.open or f"${name}, filled in a loop")
        elif found is not None:
            forget(name, scope, "loop")
