"""Containers anywhere in a manifest or in a chart's values: what they start, in which image, with which environment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carrier import Surroundings
from mtpconfig.carriers.generic_yaml.page import Page, in_place, text_of
from mtpconfig.carriers.kubernetes.environment import ConfigMaps, environment, holders
from mtpconfig.carriers.kubernetes.files import files_of, is_files
from mtpconfig.carriers.kubernetes.images import image_of
from mtpconfig.carriers.kubernetes.scope import Scope
from mtpconfig.carriers.kubernetes.variables import expanded, uses_of
from mtpconfig.carriers.shell.prefixes import SHELLS
from mtpconfig.carriers.yaml_ import Entries, Items, Node, Scalar
from mtpconfig.launch import Launch, Word

_COMMANDS = ("command", "entrypoint")
_ARGUMENTS = (
    "args", "extraArgs", "containerArgs", "argv", "additionalArgs", "serverArgs", "extra_args", "extraArguments"
)  # fmt: skip
_NOT_READ = frozenset(
    ("exec", "httpGet", "livenessProbe", "readinessProbe", "startupProbe", "annotations", "labels", "status")
)
_SHELL_TEXT_FOLLOWS = re.compile(r"-\w*c\w*")
_BLANK = re.compile(r"\s")
_TEMPLATE_ALONE = re.compile(r"\s*(?:[\ue001-\uf8ff]\s*)+")


class Containers(Struct, frozen=True, eq=False):
    """Reads the containers of one page."""

    page: Page
    maps: ConfigMaps

    def launches(self, node: Node, scope: Scope) -> Iterator[Launch]:
        """The launches in a node and below it, in the order written."""
        if isinstance(node, Items):
            for item in node.items:
                yield from self.launches(item, scope)
        if not isinstance(node, Entries):
            return
        scope = scope.entering(node)
        if is_files(node):
            yield from files_of(self.page, node, scope)
            return
        image = image_of(self.page, node)
        scope = replace(scope, image=image or scope.image)
        yield from self._container(node, scope, own=image is not None)
        for key, value in node.entries:
            if key.text not in _NOT_READ:
                yield from self.launches(value, scope.under(key))

    def _container(self, node: Entries, scope: Scope, *, own: bool) -> Iterator[Launch]:
        """The launches of one map, if it is a container or looks like one."""
        commands, arguments = _said(node, _COMMANDS), _said(node, _ARGUMENTS)
        script = (node.get("script") or _source(node, commands)) if own else None
        if not commands and scope.image is None:
            return
        if not own and not (commands or arguments):
            return
        given = environment(self.page, node, self.maps)
        image, place = scope.image or (None, None)
        label = text_of(node.get("name")) or scope.label
        beside = [node, place, *commands[:1], *arguments[:1]]
        around = self.page.surroundings(label, given, image, beside, holders(node))
        around = replace(around, carrier=self.page.around.carrier or scope.carrier)
        found = self._started(commands, arguments, around, holders(node))
        if isinstance(script, Scalar):
            found = self.page.script(script.fragment, around, "script.sh")
        elif not commands and not arguments:
            found = self.page.started(place, around, holders(node)) if given and place else iter(())
        yield from in_place(found, image) if commands or isinstance(script, Scalar) else found

    def _started(
        self, commands: list[Node], arguments: list[Node], around: Surroundings, holders: list[Node | None]
    ) -> Iterator[Launch]:
        """The launch of a command and its arguments: lists, or strings as charts take them."""
        nodes = [*commands, *arguments]
        words, texts, why = self._parts(nodes)
        if texts and commands and isinstance(commands[0], Items):
            why, texts = why or texts[0].text.split()[0], []
        for text in texts:
            yield from self.page.script(text.fragment, around)
        if not (texts and commands):
            known = {entry.name.text: entry.value for entry in around.given if entry.value is not None}
            uses = uses_of(words)
            argv = [expanded(word, known, uses) for word in words]
            yield from self.page.listed(argv, around, nodes, holders, why)

    def _parts(self, nodes: list[Node]) -> tuple[list[Word], list[Scalar], str]:
        """The words of lists and of strings of one word; the strings that a shell will split; a template among them."""
        words: list[Word] = []
        texts: list[Scalar] = []
        why = ""
        for node in nodes:
            if not isinstance(node, Scalar):
                words += self.page.words(node)
                continue
            word = self.page.word(node)
            one = not _BLANK.search(word.text.strip()) or (words and _SHELL_TEXT_FOLLOWS.fullmatch(words[-1].text))
            if _TEMPLATE_ALONE.fullmatch(word.text):
                why = why or node.template
            elif one:
                words.append(word)
            else:
                texts.append(node)
        return words, texts, why


def _source(node: Entries, commands: Sequence[Node]) -> Node | None:
    """The text that Argo hands to an interpreter, where that is a shell."""
    first = commands[0] if commands else None
    program = text_of(first.items[0] if isinstance(first, Items) and first.items else first)
    return node.get("source") if program.rsplit("/", 1)[-1] in SHELLS else None


def _said(node: Entries, keys: Sequence[str]) -> list[Node]:
    """The values of some keys that say anything: an empty list or string is as good as none."""
    found = [value for key in keys if (value := node.get(key)) is not None]
    return [
        each for each in found if text_of(each).strip() or (isinstance(each, Items) and (each.items or each.why_open))
    ]
