"""What calls start: programs, texts that a shell reads, containers, and whatever else is imported, by its name."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from mtpconfig.carriers.python_.drafts import Arguments, Draft, Drafts
from mtpconfig.carriers.python_.evaluate import Evaluator
from mtpconfig.carriers.python_.launches import called_text
from mtpconfig.carriers.python_.programs import Starter
from mtpconfig.carriers.python_.scope import Scope
from mtpconfig.carriers.python_.splitting import shell_words
from mtpconfig.carriers.python_.values import Entry, Items, Pair, Ref, Table, Text, Value, options_of
from mtpconfig.text import Span


class Starts:
    """Notes what calls start."""

    def __init__(self, evaluator: Evaluator, drafts: Drafts) -> None:
        self._evaluator = evaluator
        self._drafts = drafts

    def by_name(self, dotted: str, node: ast.Call, arguments: Arguments, scope: Scope) -> Draft:
        """A call of something that is imported."""
        tree = self._evaluator.tree
        span = tree.span(node)
        return Draft(
            span, call=called_text(dotted, tree.span(node.func)), arguments=arguments, given=scope.environ.pairs
        )

    def partial(self, node: ast.Call, first: Value | None, arguments: Arguments, scope: Scope) -> None:
        """`partial(f, ...)`: a call of `f` to which more may be given."""
        if not isinstance(first, Ref):
            return
        rest = Arguments(Items(arguments.items.entries[1:], "partial(...)"), arguments.keywords)
        draft = self.by_name(first.dotted, node, rest, scope)
        self._drafts.add(replace(draft, call=called_text(first.dotted, self._evaluator.tree.span(node.args[0]))))

    def start(self, starter: Starter, node: ast.Call, arguments: Arguments, scope: Scope) -> None:
        """A call of a function that starts programs."""
        entries = arguments.items.entries
        given = self._environment(starter, arguments, scope)
        folder = arguments.get(None, "cwd")
        place = folder.known or "" if isinstance(folder, Text) else ""
        span = self._evaluator.tree.span(node)
        if starter.spread:
            own = entries[starter.words :]
            head = entries[:1] if starter.program else ()
            words = Items((*head, *own[1:]) if starter.program else own, arguments.items.open, span)
            self._drafts.add(Draft(span, words=words, given=given, place=place))
            return
        value = arguments.get(starter.words, "args" if not starter.shell else "")
        if value is None and starter.shell:
            value = arguments.get(None, "cmd") or arguments.get(None, "command")
        shell = arguments.get(None, "shell")
        in_shell = starter.shell or (isinstance(shell, Text) and shell.value is True)
        for guard, option in options_of(value):
            if isinstance(option, Items) and starter.program and entries:
                self._drafts.settle(option)
                option = replace(option, entries=(entries[0], *option.entries[1:]))
            if isinstance(option, Items) and guard:
                option = replace(option, entries=tuple(replace(e, guard=e.guard | guard) for e in option.entries))
            if isinstance(option, Items):
                self._run_list(option, span, given, place, in_shell=in_shell)
            elif isinstance(option, Text) and option.parts is not None:
                self._run_list(option.parts, span, given, place, in_shell=False)
            elif isinstance(option, Text) and (in_shell or " " in option.text.strip()):
                self.run_text(option, span, given)
            elif isinstance(option, Text):
                words = Items((Entry(option, guard),), "", span)
                self._drafts.add(Draft(span, words=words, given=given, place=place))

    def _run_list(self, items: Items, span: Span, given: tuple[Pair, ...], place: str, *, in_shell: bool) -> None:
        if items.script is not None:
            self.run_text(items.script, span, given)
        elif in_shell and items.entries and isinstance(items.entries[0].value, Text):
            self.run_text(items.entries[0].value, span, given)  # a list with shell=True: the first word is the script
        else:
            self._drafts.add(Draft(items.span or span, words=items, given=given, place=place))

    def run_text(self, text: Text, span: Span, given: tuple[Pair, ...]) -> None:
        """A text that a shell reads."""
        if text.kind == "str":
            self._drafts.add(Draft(text.site or span, script=text, name="command.sh", given=given))

    def _environment(self, starter: Starter, arguments: Arguments, scope: Scope) -> tuple[Pair, ...]:
        """What a program finds in its environment: this one's own, unless another is given."""
        env = arguments.get(starter.env, "env") if starter.env is not None else arguments.get(None, "env")
        if env is None or (isinstance(env, Text) and env.is_none):
            return scope.environ.pairs
        return env.pairs if isinstance(env, Table) else ()

    def written(self, path: Value, text: Text) -> None:
        """A text that is written to a file of a known name: read as that file would be."""
        name = re.split(r"[/\\]", path.text)[-1] if isinstance(path, Text) else ""
        if text.kind == "str" and "\n" in text.text and name and re.fullmatch(r"[\w.-]+", name):
            self._drafts.add(Draft(text.site or Span(0, 0), script=text, name=name))

    def container(self, node: ast.Call, arguments: Arguments) -> None:
        """`client.containers.run(image, command, environment=...)`."""
        image, command = arguments.get(0, "image"), arguments.get(1, "command")
        chain = node.func.value if isinstance(node.func, ast.Attribute) else None
        if not isinstance(image, Text) or not isinstance(chain, ast.Attribute) or chain.attr != "containers":
            return
        env = arguments.get(None, "environment")
        given = env.pairs if isinstance(env, Table) else ()
        if isinstance(command, Text):
            command = shell_words(command)
        words = command if isinstance(command, Items) else Items((), "the command" if command is not None else "")
        self._drafts.add(
            Draft(self._evaluator.tree.span(node), words=replace(words, script=None), given=given, image=image)
        )
