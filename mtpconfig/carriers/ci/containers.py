"""Containers of a pipeline: the one that a job's scripts run in, and the services beside it."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carriers.generic_yaml.page import Page, in_place, text_of
from mtpconfig.carriers.yaml_ import Entries, Items, Node, Scalar
from mtpconfig.launch import Given, Launch, Word


def image_in(page: Page, node: Node | None) -> Word | None:
    """The image of `image: NAME`, `{image: NAME}` or `{name: NAME}`."""
    if isinstance(node, Entries):
        node = node.get("image") or node.get("name")
    return page.word(node) if isinstance(node, Scalar) and text_of(node) else None


def service(
    page: Page, label: str, node: Node, given: tuple[Given, ...] = (), holders: tuple[Node | None, ...] = ()
) -> Iterator[Launch]:
    """The launch of a container that runs beside the job: its image, with the command that it is given."""
    image = image_in(page, node)
    if image is None:
        return
    command = node.get("command") if isinstance(node, Entries) else None
    entrypoint = node.get("entrypoint") if isinstance(node, Entries) else None
    around = page.surroundings(label, given, image, [node, command], holders)
    lists = [said for said in (entrypoint, command) if isinstance(said, Items)]
    words = [word for each in lists for word in page.words(each)]
    if words:
        found = page.listed(words, around, lists, holders)
    elif isinstance(command, Scalar) and text_of(command):
        found = page.script(command.fragment, around)
    else:
        found = page.started(node, around, holders)
    yield from in_place(found, image) if entrypoint is not None else found
