"""Templates in YAML (Helm, Jinja, GitHub's `${{ }}`): they are masked for the loader, character for character.

A template inside a value becomes marks that the loader takes for letters. A line that holds nothing but templates
becomes a comment: in a block scalar it stays content. What stands between `if` and `end` is guarded.
"""

from __future__ import annotations

import bisect
import re

from msgspec import Struct, field

from mtpconfig.launch import ALWAYS, Guard
from mtpconfig.text import Span

MARK = "\ue000"
FIRST_BRANCH = 1_000_000  # the layers inside number theirs from 0
_LONGEST = 4000
_TEMPLATE = re.compile(
    rf"(?:\$)?\{{\{{(?:(?!\{{\{{|\}}\}}).){{0,{_LONGEST}}}?\}}\}}+|\{{%(?:(?!%\}}|\{{%).){{0,{_LONGEST}}}?%\}}"
    rf"|(?<!\$)\{{#(?:(?!#\}}|\{{#).){{0,{_LONGEST}}}?#\}}",
    re.DOTALL,
)
_VERB = re.compile(r"\{[{%]-?\s*(if|with|range|for|else|elif|endif|endfor|end|define|block)\b")
_NINDENT = re.compile(r"\bn?indent\s*\(?\s*(\d+)")
_OPENS = ("if", "with", "range", "for", "define", "block")
_BLANK_REST = re.compile(r"[ \t]*(?:[\r\n]|\Z)")
_MOST = 20_000


class Line(Struct, frozen=True):
    """A template that has a line of its own.

    verb    `if`, `else`, `end` ...; empty for one that puts text here
    column  the indentation of the text that it puts here
    """

    span: Span
    verb: str
    column: int


class Masks(Struct):
    """A text without its templates, and where they were."""

    text: str
    lines: list[Line] = field(default_factory=list)
    guards: list[tuple[int, Guard]] = field(default_factory=list)
    found: bool = False

    def guard(self, offset: int) -> Guard:
        """The arms of template branches that hold at an offset."""
        place = bisect.bisect_right(self.guards, offset, key=lambda entry: entry[0])
        return self.guards[place - 1][1] if place else ALWAYS

    def within(self, start: int, end: int) -> list[Line]:
        """The template lines between two offsets."""
        low = bisect.bisect_left(self.lines, start, key=lambda line: line.span.start)
        high = bisect.bisect_left(self.lines, end, key=lambda line: line.span.start)
        return self.lines[low:high]


def mask(text: str) -> Masks:
    """Hide the templates of a text."""
    if "{{" not in text and "{%" not in text:
        return Masks(text)
    masks = Masks(text, found=False)
    parts: list[str] = []
    cursor = 0
    for count, match in enumerate(_TEMPLATE.finditer(text)):
        if count >= _MOST:
            break
        masks.found = True
        start, end = match.span()
        written = match[0]
        verb = _VERB.match(written.removeprefix("$"))
        hidden = re.sub(r"[^\r\n]", MARK, written)
        if _alone(text, start, end):
            hidden = "#" + re.sub(r"([\r\n]+)[^\r\n]", r"\1#", hidden[1:])
            column = start - (text.rfind("\n", 0, start) + 1)
            moved = _NINDENT.search(written)
            masks.lines.append(Line(Span(start, end), verb[1] if verb else "", int(moved[1]) if moved else column))
        else:
            hidden = hidden.replace("\r", MARK).replace("\n", MARK)
        parts += (text[cursor:start], hidden)
        cursor = end
    masks.text = "".join((*parts, text[cursor:]))
    _guard(masks)
    return masks


def _alone(text: str, start: int, end: int) -> bool:
    """Whether nothing else stands on the lines of a template."""
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    return (start == 0 or text[start - 1] in "\r\n") and _BLANK_REST.match(text, end) is not None


def _guard(masks: Masks) -> None:
    """Number the branches of template lines and note from where each arm holds."""
    stack: list[tuple[int, int, Guard]] = []
    branch = FIRST_BRANCH
    for line in masks.lines:
        guard = masks.guards[-1][1] if masks.guards else ALWAYS
        if line.verb in _OPENS:
            stack.append((branch, 0, guard))
            branch += 1
        elif line.verb in ("else", "elif") and stack:
            number, arm, outer = stack.pop()
            stack.append((number, arm + 1, outer))
        elif line.verb in ("end", "endif", "endfor") and stack:
            _, _, outer = stack.pop()
            masks.guards.append((line.span.end, outer))
            continue
        else:
            continue
        number, arm, outer = stack[-1]
        masks.guards.append((line.span.end, outer | {(number, arm)}))
