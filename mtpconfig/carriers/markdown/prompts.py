"""Terminal sessions: prompts are dropped, and so is the output between the commands."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from mtpconfig.text import Builder, Fragment, Kind, Span

_USER = r"(?:\([\w. -]+\)[ ]?)?(?:\[?[\w.-]+@[\w.-]+(?:[: ][^\s\]$#%>]*)?\]?|[~/][\w./~-]*)[ ]?[$#%][ ]"
_PROMPT = re.compile(rf"[ ]*(?:(?:\([\w. -]+\)[ ])?[$❯][ ]+|{_USER})(?=\S)")
_ROOT = re.compile(r"[ ]*#[ ]+(?=\S)")
_ROOT_COMMAND = re.compile(r"[ ]*#[ ]+(?:[A-Za-z_]\w*=\S*[ ]+)*[a-z./~][\w./+-]*[ ](?:.*[ ])?--?[a-z]")
_SECOND = re.compile(r"[ ]*>[ ]|[ ]*>(?=\r?$)")
_COMMENT = re.compile(r"[ ]*#(?:[ ]|$)")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_MARK = re.compile(r"""\\["'\\]|["']""")
_REFUSAL = re.compile(
    r"error while handling argument|error: (?:invalid|unknown) argument|unknown argument|has been removed",
    re.IGNORECASE,
)
_MOST_LINES = 400
_MOST_OUTPUT = 60
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class _OneLine:
    """Text inside a typed line, which can hold no line end."""

    def encode(self, text: str) -> str | None:
        return None if "\n" in text else text


_TYPED = _OneLine()


def typed(text: str) -> bool:
    """Whether a text is a terminal session: its first line that is no comment begins with a prompt."""
    for line in _LINE.finditer(text):
        if line[0].strip() and not _COMMENT.match(line[0]):
            return bool(_PROMPT.match(line[0]))
    return False


def without_prompts(terminal: Fragment, *, session: bool) -> Fragment | None:
    """The commands that were typed, each with its continuation lines, and comments; None where there is no prompt.

    A command that the output below it refuses shows what fails, and is left out.
    `session` tells that the text is labelled as one: then `# ` may be the prompt of root.
    """
    text = terminal.text
    prompt = _prompt(text, session)
    if prompt is None:
        return None
    lines = [Span(*match.span()) for match in _LINE.finditer(text)]
    builder = Builder(terminal)
    place = 0
    while place < len(lines):
        line = lines[place]
        if found := prompt.match(text, *line):
            end = _end(text, lines, place, prompt)
            if not _refused(text, lines[end:], prompt):
                _add(builder, text, [Span(found.end(), line.end), *lines[place + 1 : end]])
            place = end
            continue
        if prompt is _PROMPT and _COMMENT.match(text, *line):
            builder.add(text[slice(*line)], line, Kind.COPY, _TYPED)
        place += 1
    return builder.build()


def _prompt(text: str, session: bool) -> re.Pattern[str] | None:
    lines = [match[0] for match in _LINE.finditer(text)]
    if any(_PROMPT.match(line) for line in lines):
        return _PROMPT
    first = next((line for line in lines if line.strip()), "")
    return _ROOT if session and _ROOT_COMMAND.match(first) else None


def _refused(text: str, following: Iterable[Span], prompt: re.Pattern[str]) -> bool:
    """Whether the output before the next prompt says that the program does not know an argument."""
    output = itertools.takewhile(lambda line: not prompt.match(text, *line), following)
    return any(_REFUSAL.search(text, *line) for line in itertools.islice(output, _MOST_OUTPUT))


def _add(builder: Builder, text: str, lines: list[Span]) -> None:
    """Add the lines of one command; a line end stands for itself and the secondary prompt behind it."""
    start = lines[0].start
    for line, following in itertools.zip_longest(lines, lines[1:]):
        if following is None:
            builder.add(text[start : line.end], Span(start, line.end), Kind.COPY, _TYPED)
            return
        second = _SECOND.match(text, *following)
        end = line.end - (2 if text.endswith("\r\n", start, line.end) else 1)
        builder.add(text[start:end], Span(start, end), Kind.COPY, _TYPED)
        start = second.end() if second else following.start
        builder.add(text[end : line.end], Span(end, start), Kind.ESCAPE, _TYPED)


def _end(text: str, lines: list[Span], place: int, prompt: re.Pattern[str]) -> int:
    """The place behind the last line of the command that begins at a place."""
    quote = _quote_after(text, lines[place], "")
    reached = place + 1
    for following in range(place + 1, min(len(lines), place + _MOST_LINES)):
        before = lines[following - 1]
        if opened := _HEREDOC.search(text, *before):
            return _behind_heredoc(text, lines, following, opened[2], prompt)
        goes_on = text[slice(*before)].rstrip("\r\n").endswith("\\") or _SECOND.match(text, *lines[following])
        if not goes_on and (not quote or prompt.match(text, *lines[following])):
            break
        quote = _quote_after(text, lines[following], quote)
        if goes_on or not quote:
            reached = following + 1
    return reached


def _behind_heredoc(text: str, lines: list[Span], place: int, delimiter: str, prompt: re.Pattern[str]) -> int:
    for end in range(place, min(len(lines), place + _MOST_LINES)):
        if prompt.match(text, *lines[end]):
            break
        if text[slice(*lines[end])].removeprefix("> ").strip() == delimiter:
            return end + 1
    return place


def _quote_after(text: str, line: Span, quote: str) -> str:
    """The quotation mark that is open at the end of a line, given the one that is open at its start."""
    for match in _MARK.finditer(text, *line):
        mark = match[0]
        if mark.startswith("\\"):
            continue
        if not quote:
            quote = mark
        elif quote == mark:
            quote = ""
    return quote
