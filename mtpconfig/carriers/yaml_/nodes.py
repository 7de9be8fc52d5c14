"""What a YAML text holds: scalars, lists and maps that know where they were written."""

from __future__ import annotations

import re
from functools import cached_property

from msgspec import Struct

from mtpconfig.carriers.yaml_.scalars import Style, decode
from mtpconfig.carriers.yaml_.templates import MARK
from mtpconfig.launch import ALWAYS, Guard, Hint
from mtpconfig.text import Fragment, Span

_COMMENT = re.compile(r"[ \t,\]}]*[ \t](#[^\r\n]*)")
_HEADER_COMMENT = re.compile(r"[|>][+\-0-9]*[ \t]+(#[^\r\n]*)")


class Scalar(Struct, frozen=True, eq=False, dict=True):
    """One value.

    layer   the text given, in which all spans of nodes count
    span    where it stands, quotes or block header included; a block scalar ends with its last character
    loaded  the loader's value, with the marks of masked templates still in it
    tag     what it is read as, e.g. `tag:yaml.org,2002:str` (YAML 1.1 rules)
    flow    whether it stands inside `[]` or `{}`
    shared  whether other places have the same text, through an alias or a merge key: it is not to be edited for one
    guard   the arms of template branches that it stands in
    """

    layer: Fragment
    span: Span
    style: Style
    loaded: str
    tag: str
    flow: bool = False
    shared: bool = False
    guard: Guard = ALWAYS
    masked: str = ""
    written: Span = Span(0, 0)

    @cached_property
    def fragment(self) -> Fragment:
        """The decoded value as a child layer of the text given."""
        return decode(
            self.layer,
            self.masked,
            self.written,
            self.style,
            self.loaded,
            flow=self.flow,
            shared=self.shared,
        )

    @property
    def text(self) -> str:
        """The decoded value; templates stand in it as they were written."""
        return self.fragment.text if MARK in self.loaded else self.loaded

    @property
    def null(self) -> bool:
        """Whether it is nothing at all: `key:`, `~`, `null`."""
        return self.tag.endswith(":null")

    @property
    def template(self) -> str:
        """The first template inside, as written; empty if there is none."""
        start, end = self.span
        written, masked = self.layer.text[start:end], self.masked[start:end]
        if written == masked:
            return ""
        at = next(i for i, (a, b) in enumerate(zip(written, masked)) if a != b)
        size = len(masked[at:]) - len(masked[at:].lstrip(masked[at]))
        return written[at : at + size]

    @property
    def comment(self) -> Hint | None:
        """The comment behind it on the same line; behind the header of a block scalar."""
        if self.style in ("literal", "folded"):
            match = _HEADER_COMMENT.match(self.layer.text, self.span.start)
        else:
            match = _COMMENT.match(self.layer.text, self.span.end)
        return Hint("comment", self.layer.slice(*match.span(1))) if match else None


class Items(Struct, frozen=True, eq=False):
    """A list. `why_open` is the template that may add items; empty if there is none."""

    items: tuple[Node, ...]
    flow: bool
    span: Span
    shared: bool = False
    guard: Guard = ALWAYS
    why_open: str = ""


class Entries(Struct, frozen=True, eq=False, dict=True):
    """A map with its merge keys resolved: what it says itself comes first and wins; keys may be said twice."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span
    shared: bool = False
    flow: bool = False
    guard: Guard = ALWAYS
    why_open: str = ""

    @cached_property
    def _by_name(self) -> dict[str, tuple[Scalar, Node]]:
        return {key.text: (key, value) for key, value in self.entries}

    def get(self, name: str) -> Node | None:
        """The value of a key, the last one where the key is said twice."""
        found = self._by_name.get(name)
        return found[1] if found else None

    def key(self, name: str) -> Scalar | None:
        """The key itself, as written."""
        found = self._by_name.get(name)
        return found[0] if found else None


Node = Scalar | Items | Entries


class Document(Struct, frozen=True, eq=False):
    """One document of a YAML text.

    templated  it holds templates (Helm, Jinja, `${{ }}`); they are read around as far as that is safe
    fault      where reading ended, and why, if it is no valid YAML or too long: `root` holds what stands before
    """

    root: Node | None
    templated: bool = False
    fault: tuple[int, str] | None = None
