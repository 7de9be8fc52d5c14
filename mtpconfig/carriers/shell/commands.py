"""From one simple command to launches, and to the layers that it opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from mtpconfig.carrier import Surroundings
from mtpconfig.carriers.shell.claims import is_shell
from mtpconfig.carriers.shell.codecs import BARE
from mtpconfig.carriers.shell.content import content
from mtpconfig.carriers.shell.documents import Document, Target, target_of, tee_of
from mtpconfig.carriers.shell.effects import row_of
from mtpconfig.carriers.shell.expand import Expander
from mtpconfig.carriers.shell.files import Files
from mtpconfig.carriers.shell.hints import Hints, pins, trailing
from mtpconfig.carriers.shell.hints import comment as comment_hint
from mtpconfig.carriers.shell.layers import DEEPEST, Context
from mtpconfig.carriers.shell.pieces import Assignment, Command, RawWord
from mtpconfig.carriers.shell.prefixes import CONTAINER_ENGINES, QUIET
from mtpconfig.carriers.shell.rows import CommandContainer, Home
from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.carriers.shell.scope import Choice, Scalar, Scope
from mtpconfig.carriers.shell.unwrap import Start, base_name, environment, unwrap
from mtpconfig.launch import Given, Known, Launch, Opaque, Word
from mtpconfig.text import Builder, Fragment, Kind, Span

_SHELL_ON_STDIN = re.compile(r"\s*(?:sudo\s+(?:-\S+\s+)*)?(?:\S*/)?(?:ba|z|k|da|a)?sh(?:\s+-(?!c)\S*)*(?:\s+-s.*)?\s*")

_A_LIST = re.compile(r"\$\{?[@*]|\$\{\w+\[[@*]\]")

ReadLayer = Callable[[Fragment, Context], list[Launch]]


class Opening(NamedTuple):
    """A written word that may stand for any words, and why."""

    site: Span
    why: str


class Commands:
    """Makes launches of the commands of one layer."""

    def __init__(
        self, layer: Fragment, context: Context, expander: Expander, hints: Hints, read_layer: ReadLayer
    ) -> None:
        self._layer = layer
        self._context = context
        self._expander = expander
        self._hints = hints
        self._read_layer = read_layer
        self._files = Files()

    def launches(
        self, command: Command, items: list[Item], opens: Sequence[Opening], scope: Scope, documents: Sequence[Document]
    ) -> list[Launch]:
        """The launches that a command with at least one word stands for; `opens` may hold more words of it."""
        start = unwrap(items)
        found: list[Launch] = []
        if base_name(start.first) not in QUIET or start.image is not None:
            self._hints.add(pins(items, self._layer))
            if start.script:
                found += self._opened(self._joined(start.script), start, command, scope)
            elif start.items or start.passed or start.image is not None:
                found.append(self._launch(start, command, opens, scope))
        for document in documents:
            found += self._document(document, start, command, scope)
        return found

    def _launch(self, start: Start, command: Command, opens: Sequence[Opening], scope: Scope) -> Launch:
        container = CommandContainer(self._layer, self._context.container)
        items = [*start.items, *start.passed]
        argv = []
        for item in items:
            word = item.word(self._layer)
            container.settle(word, item.home)
            argv.append(word)
        site = start.first.site if start.first else None
        behind = start.image.site if start.image else site
        own = [opening.why for opening in opens if behind is None or opening.site >= behind]
        own += [item.text for item in items if _A_LIST.match(item.text) and item.known is None]
        why = own[0] if own else ""
        span = Span(site.start if site else command.span.start, command.span.end)
        given = self._given(start, command, scope, container)
        guards = [*(word.guard for word in argv), *(entry.guard for entry in given)]
        after = trailing(self._layer, command.span, command.comment)
        return Launch(
            argv=tuple(argv),
            fragment=self._layer.slice(*span),
            given=given,
            image=start.image.word(self._layer) if start.image else self._context.image,
            entrypoint=start.entrypoint.word(self._layer) if start.entrypoint else self._context.entrypoint,
            container=container,
            closed=not why,
            why_open=why,
            exhaustive=self._context.branches.arms(branch for guard in guards for branch, _ in guard),
            places=(scope.place,) if scope.place else (),
            hints=(*self._hints.so_far(), *(comment_hint(self._layer, span) for span in after)),
            carrier="docker run line" if self._context.in_docker or self._by_docker(start) else "shell script",
        )

    @staticmethod
    def _by_docker(start: Start) -> bool:
        return start.image is not None and base_name(start.first) in CONTAINER_ENGINES

    # The environment

    def _given(self, start: Start, command: Command, scope: Scope, container: CommandContainer) -> tuple[Given, ...]:
        """What the program sees in its environment; a later assignment of a name replaces the earlier ones."""
        given: dict[str, list[Given]] = {}
        if not start.outside:
            for inherited in self._context.given:
                given.setdefault(inherited.name.text, []).append(inherited)
            for name in scope.exported:
                if exported := list(self._exported(name, scope, container)):
                    given[name] = exported
            row = row_of(command)
            for index, token in enumerate(command.tokens):
                if isinstance(token, Assignment):
                    given[token.name] = list(self._prefixed(token, Home(row, index, index), scope, container))
        for gone in start.unset:
            given.pop(gone, None)
        for name_item, value_item, whole in environment(start):
            home = whole.home
            if home is not None and home.field is None and home.first > 0 and whole.text == name_item.text:
                home = None
            value = value_item.word(self._layer) if value_item else self._passed_on(name_item, scope)
            entry = Given("env", name_item.word(self._layer), value, whole.guard, whole.site)
            container.settle_given(entry, _with_option(home, self._layer.text))
            given[name_item.text] = [entry]
        return tuple(entry for entries in given.values() for entry in entries)

    def _exported(self, name: str, scope: Scope, container: CommandContainer) -> Iterator[Given]:
        variable = scope.variables.get(name)
        for choice in variable.choices if isinstance(variable, Scalar) else ():
            if choice.runs is not None and choice.binding is not None:
                yield self._bound(choice, choice.binding.name, choice.binding.whole, choice.binding.home, container)

    def _prefixed(self, token: Assignment, home: Home, scope: Scope, container: CommandContainer) -> Iterator[Given]:
        if isinstance(token.value, RawWord):
            for choice in self._expander.scalar(token.value, scope):
                yield self._bound(choice, token.name_span, token.span, home, container)

    def _bound(self, choice: Choice, name: Span, whole: Span, home: Home | None, container: CommandContainer) -> Given:
        runs = choice.runs or (Run("", Span(whole.end, whole.end), Kind.COPY, BARE),)
        spelled = self._layer.slice(*name)
        word = Word(spelled, Known(spelled.text))
        value = Item(runs, choice.guard, site=Span(name.end + 1, whole.end)).word(self._layer)
        entry = Given("env", word, value, choice.guard, whole)
        container.settle_given(entry, home)
        return entry

    def _passed_on(self, name: Item, scope: Scope) -> Word:
        """`docker run -e NAME`: the value that the variable has here."""
        variable = scope.variables.get(name.text)
        if name.text in scope.exported and isinstance(variable, Scalar) and len(variable.choices) == 1:
            runs = variable.choices[0].runs
            if runs is not None:
                return Item(runs).word(self._layer)
        return Word(name.word(self._layer).fragment, Opaque(f"${name.text}"))

    # Layers

    def _joined(self, items: Sequence[Item]) -> Fragment:
        """The text of one word, or of several words with blanks between them."""
        builder = Builder(self._layer)
        for place, item in enumerate(items):
            if place:
                builder.add(" ", None, Kind.SYNTHETIC)
            for run in item.runs:
                kind = Kind.SUBSTITUTED if run.shared and run.origin is not None else run.kind
                builder.add(run.text, run.origin, kind, run.codec)
        return builder.build()

    def _opened(self, text: Fragment, start: Start, command: Command, scope: Scope) -> list[Launch]:
        """The launches of shell text that a command starts."""
        if self._context.depth >= DEEPEST:
            return []
        container = CommandContainer(self._layer, self._context.container)
        context = self._context.started(
            self._hints.so_far(),
            self._given(start, command, scope, container),
            container,
            start.image.word(self._layer) if start.image else None,
            start.entrypoint.word(self._layer) if start.entrypoint else None,
            in_docker=self._by_docker(start),
        )
        return self._read_layer(text, context)

    def _document(self, document: Document, start: Start, command: Command, scope: Scope) -> list[Launch]:
        """The launches in a text that a command hands to a shell; a text for a file is kept until it is complete."""
        if self._context.depth >= DEEPEST:
            return []
        piped = unwrap(list(document.piped)) if document.piped else None
        passes = document.printed or base_name(start.first) == "cat"
        reader = piped if piped is not None and passes else None if document.printed else start
        if reader and (reader.stdin_shell or _SHELL_ON_STDIN.fullmatch(" ".join(i.text for i in reader.script))):
            text = content(self._layer, document.parts, document.unseen)
            found = self._opened(text.fragment, reader, command, scope)
            return [text.settled(launch, self._context.branches) for launch in found]
        target = target_of(command, self._expander, scope) if reader in (start, None) else None
        target = target or (tee_of(reader) if reader else None) or document.target
        program = base_name(start.first)
        if target is None and program.startswith("python"):
            target = Target("stdin.py", adds=False)
        if target is None and (document.printed or program in ("echo", "printf", ":", "read")):
            return []
        self._files.write(target or Target("", adds=False), document, command.span, self._hints.so_far())
        return []

    def begins(self, target: Target) -> None:
        """Note that several commands write a file together from here on."""
        self._files.begin(target, self._hints.so_far())

    def written(self) -> Iterator[Launch]:
        """The launches in the files that the layer has written."""
        for file in self._files.complete():
            text = content(self._layer, file.parts, file.unseen)
            first_line = text.fragment.text.split("\n", 1)[0]
            if is_shell(file.name, first_line):
                found = self._read_layer(text.fragment, self._context.written(file.hints))
            else:
                name = file.name.rsplit("/", 1)[-1]
                found = list(self._context.opener.open(text.fragment, name, Surroundings(hints=file.hints)))
            for launch in found:
                yield text.settled(launch, self._context.branches)


def _with_option(home: Home | None, text: str) -> Home | None:
    """The home of `-e NAME=value`: the option goes with its value."""
    if home is None or home.field is not None or home.first == 0:
        return home
    before = home.row.tokens[home.first - 1]
    alone = text[before.start : before.end] in ("-e", "--env", "-E", "--setenv")
    return Home(home.row, home.first - 1, home.last) if alone else home
