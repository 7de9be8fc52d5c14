"""Texts that may name a version: comments, a script's own metadata, what a program installs or which image it takes."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from mtpconfig.carriers.python_.tree import Tree
from mtpconfig.launch import Hint
from mtpconfig.text import Span

_MOST = 40
_COMMENT = re.compile(r"#[^\r\n]*")
_METADATA = re.compile(r"^# /// script\s*$(?P<body>(?:\r?\n#(?: [^\r\n]*)?(?=\r?$))*?)\r?\n# ///\s*$", re.MULTILINE)
_REQUIREMENT = re.compile(r"[\"'](?P<text>[A-Za-z0-9][\w.-]*(?:\[[\w,.-]*\])?\s*(?:===?|~=|>=|<=|<|>)[^\"'#;]+)[\"']")
PIN = re.compile(r"[A-Za-z0-9][\w.-]*(?:\[[\w,.-]*\])?\s*(?:===?|~=|@|>=|<=|<|>)\s*\S.*")


class Comments:
    """The comments of a text, and what stands in its inline metadata (PEP 723)."""

    def __init__(self, tree: Tree) -> None:
        self._layer = tree.layer
        spans = list(_comments(tree))
        self._starts = [span.start for span in spans]
        self._hints = [Hint("comment", self._layer.slice(*span)) for span in spans]
        self._pins = [
            Hint(
                "pin",
                self._layer.slice(match.start("body") + found.start("text"), match.start("body") + found.end("text")),
            )
            for match in _METADATA.finditer(self._layer.text[:20_000])
            for found in _REQUIREMENT.finditer(match["body"])
        ]

    def before(self, end: int) -> tuple[Hint, ...]:
        """The metadata, and the comments up to the end of an offset's line, the nearest last."""
        count = bisect_right(self._starts, max(self._layer.text.find("\n", end), end))
        near = self._hints[max(0, count - _MOST) : count]
        return (*self._pins, *(self._hints[:3] if count > _MOST else ()), *near)


def _comments(tree: Tree) -> Iterator[Span]:
    """The comments; a `#` in a string begins none."""
    text = tree.layer.text
    strings = sorted(
        tree.span(node)
        for node in tree.nodes
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and _holds(node.value))
    )
    starts, ends = [span.start for span in strings], _reach(strings)
    at = 0
    while (match := _COMMENT.search(text, at)) is not None:
        place = bisect_right(starts, match.start()) - 1
        if place >= 0 and ends[place] > match.start():
            at = ends[place]
        else:
            yield Span(*match.span())
            at = match.end()


def _holds(value: object) -> bool:
    return "#" in value if isinstance(value, str) else isinstance(value, bytes) and b"#" in value


def _reach(spans: Sequence[Span]) -> list[int]:
    """For each span, where it and all before it end."""
    ends: list[int] = []
    for span in spans:
        ends.append(max(span.end, ends[-1] if ends else 0))
    return ends
