"""Template tags in a text (`{{ value }}`, `{% if %}`, `${{ expression }}`), and the branches that they make."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mtpconfig.launch import ALWAYS, Guard
from mtpconfig.text import Span

_LONGEST = 2000
_TAG = re.compile(
    rf"\$?\{{\{{(?:(?!\{{\{{).){{0,{_LONGEST}}}?\}}\}}|\{{%(?:(?!\{{%).){{0,{_LONGEST}}}?%\}}"
    rf"|(?<!\$)\{{#(?:(?!\{{#).){{0,{_LONGEST}}}?#\}}",
    re.DOTALL,
)
_MOST = 20_000
_DEEPEST = 40
_COMMENT = re.compile(r"\{#|\{\{-?\s*/\*")
_WORDS = re.compile(r"\{[{%][-~+]?\s*(\w+)(?:\s+(\w+))?")
_GO_CONTROLS = frozenset(("if", "with", "range", "else", "end", "define", "block"))
_CONDITIONS = frozenset(("if", "with", "unless"))
_LOOPS = frozenset(("range", "for"))
_BLOCKS = frozenset(("define", "block", "macro", "raw", "filter", "call"))


class Tag(Struct, frozen=True):
    """One tag. `verb` is what it does to the text around it: `if`, `else`, `end` ...; empty if it puts a value here."""

    span: Span
    text: str
    verb: str = ""


def tags_of(text: str) -> list[Tag]:
    """The tags of a text, in order."""
    if "{{" not in text and "{%" not in text and "{#" not in text:
        return []
    matches = itertools.islice(_TAG.finditer(text), _MOST)
    return [Tag(Span(*match.span()), match[0], _verb(match[0])) for match in matches]


def _verb(written: str) -> str:
    if _COMMENT.match(written):
        return "comment"
    match = _WORDS.match(written)
    first, second = (match[1], match[2]) if match else ("", None)
    if written.startswith("{%"):
        return "elif" if first in ("elsif", "elseif") else first or "set"
    if first not in _GO_CONTROLS:
        return ""
    return "elif" if first == "else" and second else first


def whole_values(text: str, tags: Sequence[Tag]) -> list[Tag]:
    """The tags, where `if ... end` inside of a word (`--x={% if a %}1{% endif %}`) is one value tag."""
    found: list[Tag] = []
    depth = start = 0
    for tag in tags:
        opens = tag.verb in _CONDITIONS or tag.verb in _LOOPS
        if depth:
            depth += opens - tag.verb.startswith("end")
            if depth == 0:
                found.append(Tag(Span(start, tag.span.end), text[start : tag.span.end]))
        elif opens and _before(text, tag).strip(" \t\r\n}"):
            depth, start = 1, tag.span.start
        else:
            found.append(tag)
    return found


def _before(text: str, tag: Tag) -> str:
    """The character right before a tag."""
    return text[max(tag.span.start - 1, 0) : tag.span.start]


class _Open(Struct):
    verb: str
    branch: int
    outer: Guard
    number: int = 0
    complete: bool = False

    @property
    def guard(self) -> Guard:
        """What must hold for the text in the present arm to be there."""
        return self.outer | {(self.branch, self.number)} if self.verb else self.outer


def branches(tags: Sequence[Tag], numbers: Iterator[int]) -> tuple[list[tuple[int, Guard]], dict[int, tuple[int, ...]]]:
    """The guard that holds from each control tag on, and the arms of the branches that surely take one (by an else)."""
    guards: list[tuple[int, Guard]] = []
    exhaustive: dict[int, tuple[int, ...]] = {}
    stack: list[_Open] = []
    skipped = 0
    for tag in tags:
        outer = stack[-1].guard if stack else ALWAYS
        if tag.verb in _CONDITIONS or tag.verb in _LOOPS or tag.verb in _BLOCKS:
            if len(stack) >= _DEEPEST:
                skipped += 1
                continue
            plain = tag.verb in _BLOCKS
            stack.append(_Open("" if plain else tag.verb, 0 if plain else next(numbers), outer))
        elif skipped and tag.verb.startswith("end"):
            skipped -= 1
            continue
        elif stack and not skipped and tag.verb.startswith("el"):
            stack[-1].number += 1
            stack[-1].complete |= tag.verb == "else"
        elif stack and tag.verb.startswith("end"):
            ended = stack.pop()
            if ended.complete and ended.verb in _CONDITIONS:
                exhaustive[ended.branch] = tuple(range(ended.number + 1))
        else:
            continue
        guards.append((tag.span.end, stack[-1].guard if stack else ALWAYS))
    return guards, exhaustive
