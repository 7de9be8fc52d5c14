"""Texts that stand near a launch and may name the version: comments and package pins."""

from __future__ import annotations

import re

from mtpconfig.carriers.shell.runs import Item
from mtpconfig.carriers.shell.unwrap import packaged
from mtpconfig.launch import Hint
from mtpconfig.text import Builder, Fragment, Kind, Span

_MOST = 40
_INSTALLERS = re.compile(r"(?:.*/)?(?:pip[\d.]*|uv|uvx|pipx|python[\d.]*|conda|mamba|poetry|sudo)\Z")
_PIN = re.compile(r"[A-Za-z0-9][\w.-]*(?:\[[\w,.-]*\])?\s*(?:==|~=|===|@|>=|<=|<|>).+")
_COMMENT_LINE = re.compile(r"[ \t]*(#[^\r\n]*)(?:\r?\n|\Z)")


def pins(items: list[Item], layer: Fragment) -> list[Hint]:
    """The packages that an installing command pins, `pip install x==1.0`."""
    if not items or not _INSTALLERS.match(items[0].text):
        return []
    if not any(item.text in ("install", "add", "run", "tool") for item in items) and not items[0].text.endswith("uvx"):
        return []
    return [
        Hint("pin", _pin(item, layer))
        for item in items[1:]
        if _PIN.fullmatch(item.text) and not item.text.endswith("@latest")
    ]


def _pin(item: Item, layer: Fragment) -> Fragment:
    """A pin as installers read it; `NAME@1.0` of those that run packages is `NAME==1.0`."""
    package = packaged(item) if "@" in item.text else None
    if package is None or package[1].text == "latest":
        return item.word(layer).fragment
    builder = Builder(layer)
    name, version = package
    for run in name.runs:
        builder.add(run.text, run.origin, run.kind, run.codec)
    builder.add("==", None, Kind.SYNTHETIC)
    for run in version.runs:
        builder.add(run.text, run.origin, run.kind, run.codec)
    return builder.build()


def comment(layer: Fragment, span: Span) -> Hint:
    """A comment as a hint."""
    return Hint("comment", layer.slice(*span))


def trailing(layer: Fragment, command: Span, same_line: Span | None) -> list[Span]:
    """Comments that belong to the command before them: on its last line, and directly below it in a block of their own.

    A comment block directly below a command belongs to it unless another command follows without an empty line.
    """
    text = layer.text
    newline = text.find("\n", (same_line or command).end)
    below: list[Span] = []
    position = newline + 1
    if newline >= 0 and not text[(same_line or command).end : newline].strip():
        while position < len(text) and (match := _COMMENT_LINE.match(text, position)):
            below.append(Span(*match.span(1)))
            position = match.end()
        rest = text[position : text.find("\n", position) if "\n" in text[position:] else len(text)]
        if rest.strip():
            below = []
    return [*below, *([same_line] if same_line else [])]


class Hints:
    """The hints met so far, the nearest last."""

    def __init__(self, before: tuple[Hint, ...] = ()) -> None:
        self._hints = list(before)

    def add(self, hints: list[Hint]) -> None:
        """Note hints; the farthest are forgotten when there are many."""
        self._hints += hints
        del self._hints[:-_MOST]

    def so_far(self) -> tuple[Hint, ...]:
        """What has been met."""
        return tuple(self._hints)
