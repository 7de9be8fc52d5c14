"""The grammar of a Modelfile (parser/parser.go, ParseFile): statements, where they stand, and what stops the parser.

A statement is letters, one blank, and a value up to the end of its line. `#` begins a comment at the beginning of a
line alone. A value that begins with `"` or with three of them goes on, over line ends, up to a line end before which
the same quotes stand. `PARAMETER` and the name of the parameter are parted by exactly one blank. A carriage return ends
a line too. Characters that do not print are dropped from values.

Ollama stops at the first fault. Here the text is read on, from the next line, so that what stands behind is known too.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.text import Span

MOST_STATEMENTS = 5_000
"""Statements read of one file."""

Style = Literal["bare", "quoted", "triple"]
Fault = Literal["", "command", "parameter-name", "no-value", "role", "unclosed"]

_BLANK = " \t"
_NEWLINE = re.compile(r"[\r\n]")
_BETWEEN = re.compile(r"(?:[ \t\r\n]+|#[^\r\n]*)*")
_COMMENT = re.compile(r"#[^\r\n]*")
_NAME = re.compile(r"[^ \t\r\n#][A-Za-z]*", re.ASCII)
_PARAMETER = re.compile(r"[A-Za-z0-9_]*", re.ASCII)
_ROLE = re.compile(r"[A-Za-z]*", re.ASCII)
_ROLES = ("system", "user", "assistant")
_QUOTES: dict[Style, str] = {"bare": "", "quoted": '"', "triple": '"""'}
COMMANDS = frozenset(
    (
        "FROM", "LICENSE", "TEMPLATE", "SYSTEM", "ADAPTER", "DRAFT", "RENDERER", "PARSER", "PARAMETER", "MESSAGE",
        "REQUIRES",
    )
)  # fmt: skip
"""The commands of the newest release that was read; whether a release knows one is told by the option history."""


class Statement(Struct, frozen=True):
    """One statement.

    command  the instruction as it is looked up, in capitals; `word` is where it stands
    key      the parameter's name or the message's role; empty where there is none
    value    where the value stands, without its quotes and the blanks around it; None where it has none
    whole    its lines, the last line end included
    fault    what stops Ollama's parser here, at the character `stopped`
    """

    command: str
    word: Span
    key: Span
    value: Span | None
    style: Style
    whole: Span
    fault: Fault = ""
    stopped: int = 0


class Document(Struct, frozen=True, eq=False):
    """A whole text: its statements, and the places of its comments."""

    text: str
    statements: tuple[Statement, ...]
    comments: tuple[Span, ...]
    cut: bool = False

    @property
    def complaint(self) -> str:
        """What Ollama's parser says of the text; empty where it takes it."""
        for statement in self.statements:
            if statement.fault not in ("", "parameter-name"):  # an empty name is found later, when it is looked up
                return _said(self.text, statement)
        return "" if any(statement.command == "FROM" for statement in self.statements) else "no FROM line"


def is_kept(character: str) -> bool:
    """Whether the parser keeps a character of a value: it drops what does not print."""
    return character.isprintable() or character in "\t\r\n"


def kept(text: str, span: Span) -> str:
    """The text of a value as the parser keeps it."""
    return "".join(filter(is_kept, text[slice(*span)]))


def parse(text: str, commands: frozenset[str] = COMMANDS) -> Document:
    """Take a text apart, as a release that knows these commands does."""
    statements: list[Statement] = []
    comments: list[Span] = []
    position = 1 if text.startswith("\ufeff") else 0
    while len(statements) < MOST_STATEMENTS:
        between = _BETWEEN.match(text, position)
        start = between.end() if between else position
        comments += [Span(*match.span()) for match in _COMMENT.finditer(text, position, start)]
        if start >= len(text):
            return Document(text, tuple(statements), tuple(comments))
        statement = _statement(text, start, commands)
        statements.append(statement)
        position = statement.whole.end
    return Document(text, tuple(statements), tuple(comments), cut=True)


def _statement(text: str, start: int, commands: frozenset[str]) -> Statement:
    name = _NAME.match(text, start)
    assert name is not None
    end = name.end()
    command = "".join(c for c in name[0] if c.isprintable()).upper()
    word = Span(start + (not name[0][0].isprintable()), end)
    if text[end : end + 1] not in _BLANK or end >= len(text) or command not in commands:
        return _broken(text, command, word, Span(end, end), "command", end)
    if command == "PARAMETER":
        return _keyed(text, command, word, _PARAMETER)
    if command == "MESSAGE":
        return _keyed(text, command, word, _ROLE)
    return _valued(text, command, word, Span(end, end))


def _keyed(text: str, command: str, word: Span, pattern: re.Pattern[str]) -> Statement:
    """A statement whose first word behind the command is a name; only one blank may stand before it."""
    match = pattern.match(text, word.end + 1)
    assert match is not None
    key = Span(*match.span())
    if text[key.end : key.end + 1] not in _BLANK or key.end >= len(text):
        return _broken(text, command, word, key, "no-value", key.end)
    if command == "MESSAGE" and match[0] not in _ROLES:
        return _broken(text, command, word, key, "role", key.end)
    found = _valued(text, command, word, key)
    return found if match[0] or found.fault else replace(found, fault="parameter-name", stopped=key.end)


def _broken(text: str, command: str, word: Span, key: Span, fault: Fault, stopped: int) -> Statement:
    """A statement that the parser stops at; the rest of its line is its value."""
    last = _line_end(text, word.end)
    return Statement(
        command, word, key, _trimmed(text, Span(key.end, last)), "bare", _lines(text, word, last), fault, stopped
    )


def _valued(text: str, command: str, word: Span, key: Span) -> Statement:
    begin = max(key.end, word.end) + 1
    first = _line_end(text, begin)
    style = _style(kept(text, Span(begin, first)).lstrip(_BLANK))
    if style == "bare":
        value = _trimmed(text, Span(begin, first))
        return Statement(command, word, key, value, style, _lines(text, word, first))
    last = _closed_at(text, begin, style)
    if last is None:
        end = len(text)
        value = _trimmed(text, Span(begin, end))
        return Statement(command, word, key, value, style, _lines(text, word, end), "unclosed", end)
    outer, quotes = _trimmed(text, Span(begin, last)), len(_QUOTES[style])
    return Statement(
        command, word, key, Span(outer.start + quotes, outer.end - quotes), style, _lines(text, word, last)
    )


def _style(text: str) -> Style:
    return "triple" if text.startswith('"""') else "quoted" if text.startswith('"') else "bare"


def _closed_at(text: str, begin: int, style: Style) -> int | None:
    """The line end, or the end of the text, before which the quotes close."""
    mark = _QUOTES[style]
    place = text.find(mark, text.index('"', begin) + len(mark))
    while place >= 0:
        end = place + len(mark)
        while end < len(text) and text[end] not in "\r\n" and _is_trimmed(text[end]):
            end += 1
        if end >= len(text) or text[end] in "\r\n":
            return end
        place = text.find(mark, place + 1)
    return None


def _is_trimmed(character: str) -> bool:
    """Whether a character is left out at the ends of a value."""
    return character in " \t\r\n" or not character.isprintable()


def _trimmed(text: str, span: Span) -> Span:
    """A span without the blanks, line ends and unprinted characters at both ends."""
    start, end = span
    while start < end and _is_trimmed(text[start]):
        start += 1
    while end > start and _is_trimmed(text[end - 1]):
        end -= 1
    return Span(start, end)


def _line_end(text: str, position: int) -> int:
    match = _NEWLINE.search(text, position)
    return match.start() if match else len(text)


def _lines(text: str, word: Span, last: int) -> Span:
    """From the beginning of a statement's first line to the end of its last, the line end included."""
    start = max(text.rfind("\n", 0, word.start), text.rfind("\r", 0, word.start)) + 1
    return Span(start, min(last + (2 if text.startswith("\r\n", last) else 1), len(text)))


def _said(text: str, statement: Statement) -> str:
    """The parser's own words. It counts a carriage return as a line end, and the character that it stops at."""
    line = 1 + sum(c in "\r\n" for c in text[: statement.stopped + 1])
    match statement.fault:
        case "command" if statement.stopped >= len(text):
            return "unexpected EOF"
        case "command":
            return f"(line {line}): command must be one of ..."
        case "role":
            return f'(line {line}): message role must be one of "system", "user", or "assistant"'
        case "no-value" if statement.stopped < len(text):
            return f"unexpected EOF: {text[slice(*statement.key)]}"
        case _:
            return "unexpected EOF"
