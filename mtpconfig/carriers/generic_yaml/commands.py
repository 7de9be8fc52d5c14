"""Commands under the keys that tools of all kinds use for them, in a map that nothing else is known of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carrier import Surroundings
from mtpconfig.carriers.generic_yaml.joining import joined
from mtpconfig.carriers.generic_yaml.page import Page, scalars_of, text_of
from mtpconfig.carriers.sentences import is_sentence, is_synopsis
from mtpconfig.carriers.yaml_ import Entries, Items, Node, Scalar
from mtpconfig.launch import Given, Hint, Launch

_PROGRAMS = ("command", "cmd", "program", "executable", "entrypoint", "exec")
_WORDS = ("args", "argv", "arguments", "extraArgs", "extra_args")
_SCRIPTS = (
    "setup", "before_script", "bootcmd", "runcmd", "run", "script", "scripts", "commands", "cmds", "bash",
    "start_command", "startCommand", "initializeCommand", "onCreateCommand", "updateContentCommand",
    "postCreateCommand", "postStartCommand", "postAttachCommand",
)  # fmt: skip
"""In the order in which they run: what the first ones install, the later ones use."""

_ONE_COMMAND = re.compile(r"(?:initialize|(?:on|post)[A-Z][a-z]+|updateContent)Command")
"""Of a development container: a list is one command's words, a map holds commands that run beside each other."""

_WORDS_IN_LISTS = ("bootcmd", "runcmd")
"""Of cloud-init: an item that is a list is one command's words."""

_FILES = "write_files"

_ENVIRONMENTS = ("env", "envs", "environment", "variables")
_NAMES = ("name", "id", "label", "title")
_BUILDS = ("build", "build_number", "commit")
_BLANK = re.compile(r"\s")


class Commands(Struct, frozen=True, eq=False):
    """Reads the maps of one page."""

    page: Page

    def launches(self, node: Node, label: str = "", given: tuple[Given, ...] = ()) -> Iterator[Launch]:
        """The launches in a node and below it."""
        if isinstance(node, Items):
            for item in node.items:
                yield from self.launches(item, label, given)
        if not isinstance(node, Entries):
            return
        label = next((text for name in _NAMES if (text := text_of(node.get(name)))), label)
        holders = [node.get(name) for name in _ENVIRONMENTS]
        given = (*given, *(entry for holder in holders for entry in self.page.variables(holder)))
        around = self._with_builds(node, self.page.surroundings(label, given, holders=holders))
        yield from self._program(node, around, holders)
        scripts = [script for key in _SCRIPTS for script in _scripts(key, node.get(key))]
        if scripts:
            yield from self.page.lines(_commands_in(scripts), self.page.beside(around, [node, *scripts]))
        for words in (words for key in _SCRIPTS for words in _words(key, node.get(key))):
            yield from self.page.listed(self.page.words(words), self.page.beside(around, [words]), [words], holders)
        for key, value in node.entries:
            if key.text == _FILES:
                yield from self._files(value)
            elif key.text not in _ENVIRONMENTS:
                yield from self.launches(value, label or key.text, given)

    def _files(self, node: Node) -> Iterator[Launch]:
        """The launches in the files that cloud-init writes."""
        for item in node.items if isinstance(node, Items) else ():
            text = item.get("content") if isinstance(item, Entries) else None
            if isinstance(item, Entries) and isinstance(text, Scalar) and not text_of(item.get("encoding")):
                name = text_of(item.get("path")).rsplit("/", 1)[-1]
                yield from self.page.script(text.fragment, self.page.surroundings(beside=[item]), name)

    def _with_builds(self, node: Entries, around: Surroundings) -> Surroundings:
        """The same with what stands beside a command and names the build that it ran on."""
        builds = [said for key in _BUILDS if isinstance(said := node.get(key), Scalar) and not said.null]
        texts = [joined(self.page.layer, ["build ", said.fragment]) for said in builds]
        return replace(around, hints=(*around.hints, *(Hint("comment", text, chosen=True) for text in texts)))

    def _program(self, node: Entries, around: Surroundings, holders: list[Node | None]) -> Iterator[Launch]:
        """A program with its words: a list, or a string with the list of its arguments beside it."""
        first = next((said for key in _PROGRAMS if (said := node.get(key)) is not None), None)
        lists = [said for key in _WORDS if isinstance(said := node.get(key), Items)]
        around = self.page.beside(around, [node, first])
        if isinstance(first, Scalar) and (not lists or _BLANK.search(first.text.strip())):
            if not _is_prose(first):
                yield from self.page.script(first.fragment, around)
        elif isinstance(first, Items) and _is_lines(first):
            yield from self.page.lines(_commands_in([first]), around)
        elif isinstance(first, (Scalar, Items)) or lists:
            heads = [self.page.word(first)] if isinstance(first, Scalar) else self.page.words(first)
            words = [*heads, *(word for each in lists for word in self.page.words(each))]
            if words and not words[0].text.startswith("-"):
                yield from self.page.listed(words, around, [first, *lists], holders)


def _scripts(key: str, node: Node | None) -> list[Node]:
    """What a key holds of shell text."""
    if isinstance(node, Entries) and _ONE_COMMAND.fullmatch(key):
        return [value for _, value in node.entries if isinstance(value, Scalar)]
    if isinstance(node, Items) and _ONE_COMMAND.fullmatch(key):
        return []
    if isinstance(node, Items) and key in _WORDS_IN_LISTS:
        return [item for item in node.items if isinstance(item, Scalar)]
    return [node] if isinstance(node, (Scalar, Items)) else []


def _words(key: str, node: Node | None) -> list[Items]:
    """What a key holds of commands whose words are apart."""
    if _ONE_COMMAND.fullmatch(key):
        held = [value for _, value in node.entries] if isinstance(node, Entries) else [node]
        return [each for each in held if isinstance(each, Items)]
    if isinstance(node, Items) and key in _WORDS_IN_LISTS:
        return [item for item in node.items if isinstance(item, Items)]
    return []


def _is_lines(items: Items) -> bool:
    """Whether the items of a list are commands themselves, not the words of one."""
    return bool(items.items) and bool(_BLANK.search(text_of(items.items[0]).strip()))


def _is_prose(scalar: Scalar) -> bool:
    """Whether a text of one line is a sentence or a synopsis, no command."""
    line = scalar.text.strip()
    return "\n" not in line and (is_sentence(line) or is_synopsis(line))


def _commands_in(nodes: Sequence[Node]) -> list[Scalar]:
    """The texts in scalars and lists that are no prose."""
    return [scalar for node in nodes for scalar in scalars_of(node) if not _is_prose(scalar)]
