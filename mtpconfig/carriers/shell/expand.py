"""From words as written to the words that a program receives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mtpconfig.carriers.shell.braces import TooManyWords, expand_braces
from mtpconfig.carriers.shell.codecs import BARE
from mtpconfig.carriers.shell.heredoc import captured
from mtpconfig.carriers.shell.pieces import Command, Literal, Parameter, Piece, RawArray, RawWord, Substitution
from mtpconfig.carriers.shell.printed import printed
from mtpconfig.carriers.shell.rows import Home, Row
from mtpconfig.carriers.shell.runs import Item, Run, cut, fields, joined_texts
from mtpconfig.carriers.shell.scope import MOST_RUNS, UNSET, Array, Choice, Scalar, Scope, as_array
from mtpconfig.launch import ALWAYS, Guard
from mtpconfig.text import VERBATIM, Kind, Span

_PRINTING = re.compile(r"\$\(\s*(printf|echo)(?=\s)")
_DEEPEST = 4
"""Printing commands inside the words of others that are followed."""


class Expansion(NamedTuple):
    """The words that one written word becomes; `open` names what may add more."""

    items: list[Item]
    open: str = ""


class Expander:
    """Expands words in one layer's text. `uses` counts how often each variable is expanded there for a program."""

    def __init__(
        self,
        text: str,
        uses: Counter[str],
        *,
        splits: bool,
        new_branch: Callable[[Iterable[int]], int],
        command_at: Callable[[int, int], Command],
    ) -> None:
        self._text = text
        self._uses = uses
        self._splits = splits
        self._new_branch = new_branch
        self._command_at = command_at
        self._inside = 0

    # Words

    def words(self, raw: RawWord, scope: Scope, home: Home | None = None) -> Expansion:
        """The words that a written word becomes in a scope."""
        try:
            variants = expand_braces(raw.pieces)
        except TooManyWords:
            run = Run(self._text[slice(*raw.span)], raw.span, Kind.SUBSTITUTED, BARE, why="brace expansion")
            return Expansion([Item((run,), home=home, site=raw.span, many=True)])
        if len(variants) == 1 and (literal := _literal(variants[0])):
            return Expansion([Item(literal, home=home, site=raw.span)])
        items: list[Item] = []
        why = ""
        for pieces in variants:
            expansion = self._one(pieces, scope, home)
            items += (replace(item, site=raw.span) for item in expansion.items)
            why = why or expansion.open
        written = self._text[slice(*raw.span)]
        return Expansion(items, written if why and why in written else why)

    def array(self, raw: RawArray, scope: Scope) -> Array:
        """The words of an array's definition, at home between its parentheses."""
        spans = sorted([*(word.span for word in raw.words), *raw.comments])
        row = Row(tuple(spans), left=raw.span.start + 1)
        places = {span: index for index, span in enumerate(spans)}
        items: list[Item] = []
        why = ""
        for word in raw.words:
            expansion = self.words(word, scope, Home(row, places[word.span], places[word.span]))
            items += expansion.items
            why = why or expansion.open or next((item.text for item in expansion.items if item.many), "")
        return Array(tuple(items), why).bounded()

    def scalar(self, raw: RawWord, scope: Scope) -> tuple[Choice, ...]:
        """The alternatives of a value that is neither split nor brace-expanded, as in an assignment."""
        if len(raw.pieces) == 1 and isinstance(raw.pieces[0], Parameter):
            alone = self._choices(raw.pieces[0], scope)
            return tuple(replace(c, runs=c.runs and tuple(replace(r, split=False) for r in c.runs)) for c in alone)
        runs = [run for piece in raw.pieces for run in self._runs(piece, scope)]
        if not raw.pieces:
            runs = [Run("", Span(raw.span.end, raw.span.end), Kind.COPY, BARE)]
        if len(runs) > MOST_RUNS:
            return (Choice((Run(self._text[slice(*raw.span)], raw.span, Kind.SUBSTITUTED, BARE, why="its length"),)),)
        return (Choice(tuple(replace(run, split=False) for run in runs)),)

    def _one(self, pieces: Sequence[Piece], scope: Scope, home: Home | None) -> Expansion:
        lists = [piece for piece in pieces if isinstance(piece, Parameter) and self._is_list(piece, scope)]
        if lists and len([p for p in pieces if not (isinstance(p, Literal) and not p.text)]) == 1:
            return self._splice(lists[0], scope, home)
        if len(pieces) == 1 and isinstance(pieces[0], Parameter) and not pieces[0].quoted:
            return self._lone(pieces[0], scope, home)
        items = [
            Item(words, guard, home) for guard, runs in self._variants(pieces, scope) for words in self._fields(runs)
        ]
        if len(pieces) == 1 and isinstance(pieces[0], Substitution) and not pieces[0].quoted:
            items = [replace(item, many=True) for item in items]
        return Expansion(items)

    def _variants(self, pieces: Sequence[Piece], scope: Scope) -> list[tuple[Guard, tuple[Run, ...]]]:
        """What a word may be: one variant for each arm, where the arms of one variable tell its values apart."""
        options = [
            self._choices(p, scope) if isinstance(p, Parameter) else (Choice(self._runs(p, scope)),) for p in pieces
        ]
        several = [option for option in options if len(option) > 1]
        if len(several) != 1 or not all(choice.runs is not None and choice.guard for choice in several[0]):
            several = [(Choice(()),)]
        variants = []
        for choice in several[0]:
            runs: list[Run] = []
            for piece, option in zip(pieces, options):
                chosen = (choice,) if option is several[0] else option
                runs += self._reduced(piece, chosen) if isinstance(piece, Parameter) else option[0].runs or ()
            variants.append((choice.guard, tuple(runs)))
        return variants

    def _fields(self, runs: Sequence[Run]) -> list[tuple[Run, ...]]:
        return fields(runs) if self._splits else ([tuple(runs)] if runs else [])

    # Lists: "${A[@]}", "$@"

    def _is_list(self, piece: Parameter, scope: Scope) -> bool:
        if piece.index in ("@", "*") or piece.name in ("@", "*"):
            star = "*" in (piece.index, piece.name)
            return not (star and piece.quoted)
        nested = piece.argument
        return (
            piece.operator in ("+", ":+", "-", ":-")
            and len(nested) > 0
            and any(isinstance(p, Parameter) and self._is_list(p, scope) for p in nested)
        ) or (
            not self._splits
            and not piece.quoted
            and not piece.operator
            and isinstance(scope.variables.get(piece.name), Array)
        )

    def _splice(self, piece: Parameter, scope: Scope, home: Home | None) -> Expansion:
        """The words of an array or of the positional parameters, in place."""
        written = self._written(piece)
        found = scope.positional if piece.name in ("@", "*") else scope.variables.get(piece.name)
        if piece.operator == "?!":
            return Expansion([], written)
        if piece.operator in ("+", ":+"):
            if piece.name.isdigit() or piece.name in "@*":
                found = scope.positional
            return self._argument_list(piece, scope, home) if found else Expansion([], written)
        if found is None or found is UNSET:
            return self._argument_list(piece, scope, home, written) if piece.argument else Expansion([], written)
        value = as_array(found)
        unset = isinstance(found, Scalar) and any(choice.runs is None for choice in found.choices)
        shared = self._uses[piece.name] > 1
        items = [
            _shared(item, home) if shared else item if item.home else replace(item, home=home) for item in value.items
        ]
        return Expansion(items, value.open or (written if unset else ""))

    def _argument_list(self, piece: Parameter, scope: Scope, home: Home | None, why: str = "") -> Expansion:
        inner = self._one([p for p in piece.argument if not (isinstance(p, Literal) and not p.text)], scope, home)
        return Expansion(inner.items, inner.open or why)

    # Scalars

    def _lone(self, piece: Parameter, scope: Scope, home: Home | None) -> Expansion:
        """An unquoted variable that is a word of its own: none, one or several words."""
        choices = self._choices(piece, scope)
        written = self._written(piece)
        certain = [choice for choice in choices if choice.runs is not None and _tells_something(choice.runs)]
        split = [(choice, self._fields(choice.runs or ())) for choice in certain]
        single = all(len(words) == 1 and not _text(words[0]).startswith("-") for _, words in split)
        told_apart = len(certain) == len(choices) and all(choice.guard for choice in choices)
        if not certain or (single and (not split or (len(choices) > 1 and not told_apart))):
            run = self._reduced(piece, choices)
            opaque = any(r.why for r in run)
            return Expansion([Item(run, home=home, many=opaque)])
        defaulted = any(run.variable for choice in certain for run in choice.runs or ())
        others = [choice for choice in choices if choice not in certain]
        unsure = bool(others) and (len(certain) < 2 or any(choice.runs is not None for choice in others))
        may_differ = unsure or (defaulted and not single)
        alone = len(choices) == 1 and len(split[0][1]) == 1
        shares = len(split) == len(choices) > 1
        return Expansion(_guarded(split, home, alone=alone, shares=shares), written if may_differ else "")

    def _runs(self, piece: Piece, scope: Scope) -> tuple[Run, ...]:
        """One piece inside a word, as a single alternative."""
        if isinstance(piece, Literal):
            return (Run(piece.text, piece.origin, piece.kind, piece.codec),)
        if isinstance(piece, Substitution):
            body = captured(self._text, piece.origin)
            if body is not None:
                return (Run(self._text[slice(*body)], body, Kind.COPY, VERBATIM, split=not piece.quoted),)
            return self._printed(piece, scope) or (self._placeholder(piece, self._written(piece)),)
        return self._reduced(piece, self._choices(piece, scope))

    def _printed(self, piece: Substitution, scope: Scope) -> tuple[Run, ...]:
        """What `"$(printf ...)"` and `"$(echo ...)"` put in, where every word is known; nothing else."""
        start, end = piece.origin
        name = _PRINTING.match(self._text, start, end) if piece.quoted and self._inside < _DEEPEST else None
        if name is None:
            return ()
        command = self._command_at(name.start(1), end - 1)
        if len(command.words) != len(command.tokens) or self._text[command.span.end : end - 1].strip():
            return ()
        self._inside += 1
        expansions = [self.words(word, scope) for word in command.words]
        self._inside -= 1
        items = [item for expansion in expansions for item in expansion.items]
        if any(expansion.open for expansion in expansions) or any(item.many or item.guard for item in items):
            return ()
        parts = printed(name[1], items[1:], self._text)
        runs = [part for part in parts or () if isinstance(part, Run) and part.certain]
        if parts is None or len(runs) != len(parts):
            return ()
        while runs and not (text := runs[-1].text.rstrip("\n")):
            runs.pop()
        if runs and text != runs[-1].text:
            runs[-1:] = cut(runs[-1:], 0, len(text))
        return tuple(runs)

    def _reduced(self, piece: Parameter, choices: Sequence[Choice]) -> tuple[Run, ...]:
        """Several alternatives as one: a known text, a default, one of several, or a placeholder."""
        if len(choices) == 1 and choices[0].runs is not None:
            return choices[0].runs
        known = [c.runs for c in choices if c.runs is not None and not any(run.why for run in c.runs)]
        if known and len(known) < len(choices) and len({_text(runs) for runs in known}) == 1:
            return tuple(run if run.variable else replace(run, variable=piece.name) for run in known[0])
        if len(known) == len(choices) or (len(known) > 1 and all(c.runs is None or c.runs in known for c in choices)):
            texts = tuple(dict.fromkeys(text for runs in known for text in (joined_texts(runs) if runs else ("",))))
            if len(texts) == 1:
                return known[0]
            if texts:
                return (replace(self._placeholder(piece, ""), texts=texts),)
        return (self._placeholder(piece, self._written(piece)),)

    def _choices(self, piece: Parameter, scope: Scope) -> tuple[Choice, ...]:
        """The alternatives of `$name` or `${name operator argument}`; None stands for "not assigned in this file"."""
        opaque = (Choice((self._placeholder(piece, self._written(piece)),)),)
        found = self._lookup(piece, scope)
        if found is None or piece.operator == "?!" or (found is UNSET and not piece.operator):
            return opaque
        choices = [self._used(piece, choice) for choice in found.choices]
        mark = piece.operator.lstrip(":")
        if mark in ("-", "="):
            choices = [other for choice in choices for other in self._or_default(piece, choice, scope)]
            if mark == "=":
                scope.assign(piece.name, Scalar(tuple(choices)))
        elif mark == "+":
            choices = [other for choice in choices for other in self._if_set(piece, choice, scope)]
        return tuple(choices) if any(choice.runs is not None for choice in choices) else opaque

    def _lookup(self, piece: Parameter, scope: Scope) -> Scalar | None:
        """The scalar that a parameter names; None if it cannot be followed."""
        if piece.name.isdigit() and scope.positional is not None and not scope.positional.open:
            items, place = scope.positional.items, int(piece.name) - 1
            if 0 <= place < len(items) and all(item.guard == ALWAYS for item in items):
                return Scalar((Choice(items[place].runs),))
        found = scope.variables.get(piece.name, UNSET)
        if isinstance(found, Scalar):
            return found if piece.index in ("", "0") else None
        index = piece.index or "0"
        if piece.index in ("@", "*") or not index.isdigit() or found.open or any(i.guard for i in found.items):
            return None
        return Scalar((Choice(found.items[int(index)].runs),)) if int(index) < len(found.items) else UNSET

    def _used(self, piece: Parameter, choice: Choice) -> Choice:
        """An alternative as it appears at a place of use."""
        if choice.runs is None:
            return choice
        shared = self._uses[piece.name] > 1
        runs = tuple(
            replace(run, origin=run.origin or piece.origin, split=not piece.quoted, shared=run.shared or shared)
            for run in choice.runs
        )
        return replace(choice, runs=runs)

    def _or_default(self, piece: Parameter, choice: Choice, scope: Scope) -> list[Choice]:
        empty = choice.runs is not None and not any(run.text for run in choice.runs)
        if choice.runs is not None and not (empty and piece.operator.startswith(":")):
            return [choice]
        runs = tuple(run for part in piece.argument for run in self._runs(part, scope)) or (self._nothing(piece),)
        variable = piece.name if choice.runs is None else ""
        marked = (
            replace(r, split=not _quoted(piece, r), variable=r.variable or variable if not r.why else "") for r in runs
        )
        return [Choice(tuple(marked), choice.guard)]

    def _if_set(self, piece: Parameter, choice: Choice, scope: Scope) -> list[Choice]:
        """`${X:+words}`: an unset or empty variable gives nothing."""
        nothing = Choice((self._nothing(piece),), choice.guard)
        if choice.runs is not None and piece.operator == ":+" and not any(run.text for run in choice.runs):
            return [nothing]
        runs = tuple(run for part in piece.argument for run in self._runs(part, scope)) or (self._nothing(piece),)
        runs = tuple(replace(run, split=not _quoted(piece, run)) for run in runs)
        if choice.runs is not None and all(run.certain for run in choice.runs):
            return [Choice(runs, choice.guard)]
        branch = self._new_branch((0, 1))
        return [
            Choice(runs, choice.guard | {(branch, 0)}),
            Choice(nothing.runs, choice.guard | {(branch, 1)}),
        ]

    def _nothing(self, piece: Parameter) -> Run:
        at = piece.origin.end - 1
        return Run("", Span(at, at), Kind.COPY, BARE, split=not piece.quoted)

    def _placeholder(self, piece: Parameter | Substitution, why: str) -> Run:
        return Run(self._written(piece), piece.origin, Kind.SUBSTITUTED, BARE, split=not piece.quoted, why=why)

    def _written(self, piece: Parameter | Substitution) -> str:
        return self._text[slice(*piece.origin)]


def _literal(pieces: Sequence[Piece]) -> tuple[Run, ...]:
    """The runs of a word that nothing is expanded in; empty if something is."""
    runs = tuple(Run(p.text, p.origin, p.kind, p.codec) for p in pieces if isinstance(p, Literal))
    return runs if len(runs) == len(pieces) else ()


def _guarded(
    split: Sequence[tuple[Choice, list[tuple[Run, ...]]]], home: Home | None, *, alone: bool, shares: bool
) -> list[Item]:
    """The words of each alternative under its guard; those that all begin with are there in any case.

    A word that is all of a variable's value is at home where the variable is used, else where it is defined.
    """
    common = _common_words([words for _, words in split]) if shares else 0
    items: list[Item] = []
    for place, (choice, words) in enumerate(split):
        for number, word in enumerate(words):
            at = home if alone else _field_home(word) or home
            if number >= common:
                items.append(Item(word, choice.guard, at))
            elif place == 0:
                items.append(Item(word, home=at))
    return items


def _tells_something(runs: Sequence[Run]) -> bool:
    """Whether a value is more than one placeholder."""
    return all(run.certain for run in runs) or any(run.certain and run.text for run in runs)


def _common_words(lists: Sequence[Sequence[tuple[Run, ...]]]) -> int:
    """How many words all lists begin with."""
    return next((n for n, words in enumerate(zip(*lists)) if len(set(words)) > 1), min(map(len, lists)))


def _text(runs: Sequence[Run]) -> str:
    return "".join(run.text for run in runs)


def _quoted(piece: Parameter, run: Run) -> bool:
    """Whether a run of an operator's argument is protected from splitting."""
    return piece.quoted or (run.codec is not BARE and run.kind is not Kind.SUBSTITUTED and not run.split)


def _shared(item: Item, home: Home | None) -> Item:
    """A word of an array that several commands use: to be seen, not to be edited; its only home is the use."""
    return replace(item, runs=tuple(replace(run, shared=True) for run in item.runs), home=home)


def _field_home(runs: Sequence[Run]) -> Home | None:
    """The home of a word that is part of a variable's value, when that value belongs to this command alone."""
    if len(runs) != 1:
        return None
    run = runs[0]
    if run.shared or run.variable or run.kind is not Kind.COPY or run.origin is None:
        return None
    return Home(_NOWHERE, 0, 0, run.origin, run.codec)


_NOWHERE = Row(())
