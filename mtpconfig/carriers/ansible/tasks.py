"""Tasks at any depth of plays and blocks, and what their modules start or write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from msgspec import Struct

from mtpconfig.carriers.generic_yaml.page import Page, in_place, text_of
from mtpconfig.carriers.kubernetes.containers import Containers
from mtpconfig.carriers.kubernetes.environment import ConfigMaps
from mtpconfig.carriers.kubernetes.scope import Scope
from mtpconfig.carriers.yaml_ import Entries, Items, Node, Scalar
from mtpconfig.launch import Given, Launch

_LISTS = frozenset(("tasks", "pre_tasks", "post_tasks", "handlers", "block", "rescue", "always"))


class _Around(Struct, frozen=True, eq=False):
    """What plays and blocks say for the tasks in them."""

    given: tuple[Given, ...] = ()
    holders: tuple[Node | None, ...] = ()
    label: str = ""

    def within(self, page: Page, node: Entries) -> _Around:
        """The same inside a play, a block or a task."""
        holder = node.get("environment")
        given = {entry.name.text: entry for entry in (*self.given, *page.variables(holder))}
        return _Around(tuple(given.values()), (*self.holders, holder), text_of(node.get("name")) or self.label)


class Tasks(Struct, frozen=True, eq=False):
    """Reads the tasks of one page."""

    page: Page

    def launches(self, node: Node, around: _Around | None = None) -> Iterator[Launch]:
        """The launches of a list of plays or tasks, in the order written."""
        outside = around or _Around()
        for item in node.items if isinstance(node, Items) else ():
            if isinstance(item, Entries):
                yield from self._task(item, outside.within(self.page, item))

    def _task(self, task: Entries, around: _Around) -> Iterator[Launch]:
        for key, value in task.entries:
            name = key.text.rsplit(".", 1)[-1]
            if key.text in _LISTS:
                yield from self.launches(value, around)
            elif (module := self._modules.get(name)) is not None:
                yield from module(self, task, value, around)

    def _command(self, task: Entries, value: Node, around: _Around) -> Iterator[Launch]:
        """`command`, `shell`: a string, or a map with `cmd` or `argv`."""
        args = task.get("args")
        places = [value, *([args] if isinstance(args, Entries) else [])]
        outside = self.page.surroundings(around.label, around.given, beside=[task, value], holders=around.holders)
        for place in places:
            text = place.get("cmd") if isinstance(place, Entries) else place
            argv = place.get("argv") if isinstance(place, Entries) else None
            if isinstance(text, Scalar):
                yield from self.page.script(text.fragment, outside)
            if isinstance(argv, Items):
                yield from self.page.listed(self.page.words(argv), outside, [argv], around.holders)

    def _container(self, task: Entries, value: Node, around: _Around) -> Iterator[Launch]:
        """`docker_container` and its kin: an image, with a command as a string or a list."""
        node = value.get("image") if isinstance(value, Entries) else None
        if not isinstance(value, Entries) or not isinstance(node, Scalar):
            return
        image, env = self.page.word(node), value.get("env")
        entrypoint, command = value.get("entrypoint"), value.get("command")
        label = text_of(value.get("name")) or around.label
        given, holders = tuple(self.page.variables(env)), (env,)
        outside = self.page.surroundings(label, given, image, [task, node, command], holders)
        lists = [said for said in (entrypoint, command) if isinstance(said, Items)]
        words = [word for each in lists for word in self.page.words(each)]
        if isinstance(command, Scalar) and text_of(command):
            found = self.page.script(command.fragment, outside)
        elif words:
            found = self.page.listed(words, outside, lists, holders)
        else:
            found = self.page.started(node, outside, holders)
        yield from in_place(found, image) if isinstance(entrypoint, Items) else found

    def _file(self, task: Entries, value: Node, around: _Around) -> Iterator[Launch]:
        """`copy` with `content`, `blockinfile` with `block`: text of the file that it goes to."""
        if not isinstance(value, Entries):
            return
        text = value.get("content") or value.get("block")
        name = text_of(value.get("dest")) or text_of(value.get("path"))
        if isinstance(text, Scalar) and name:
            outside = self.page.surroundings(around.label, beside=[task, text])
            yield from self.page.script(text.fragment, outside, name.rsplit("/", 1)[-1])

    def _manifest(self, task: Entries, value: Node, around: _Around) -> Iterator[Launch]:
        """`k8s` with `definition`: a manifest, as text or written out in place."""
        definition = value.get("definition") or value.get("resource_definition") if isinstance(value, Entries) else None
        if isinstance(definition, Scalar):
            outside = self.page.surroundings(around.label, beside=[task])
            yield from self.page.script(definition.fragment, outside, "definition.yaml")
        elif definition is not None:
            yield from Containers(self.page, ConfigMaps.of([definition])).launches(definition, Scope.of(definition))

    _modules: ClassVar[dict[str, Callable[[Tasks, Entries, Node, _Around], Iterator[Launch]]]] = {
        **dict.fromkeys(("command", "shell", "raw"), _command),
        **dict.fromkeys(("docker_container", "podman_container"), _container),
        **dict.fromkeys(("copy", "blockinfile"), _file),
        **dict.fromkeys(("k8s", "kubernetes"), _manifest),
    }
