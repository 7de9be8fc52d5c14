"""The instructions of a Dockerfile, as tree-sitter-containerfile finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Language, Node, Parser

from mtpconfig.text import Span

_FLOOD = re.compile(r"<{16,}")  # no here-document, and the grammar would brood over it
_BLANKS = re.compile(r"[\x0b\x0c]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_ESCAPE = re.compile(r"(?:[ \t]*#[ \t]*\w+[ \t]*=[^\n]*\n)*?[ \t]*#[ \t]*escape[ \t]*=[ \t]*([\\`])[ \t]*\r?\n", re.I)
_MARKER = re.compile(r"<<(?P<tabs>-?)(?P<quote>[\"']?)(?P<name>[^\s\"']+)(?P=quote)")


class Heredoc(NamedTuple):
    """A here-document of an instruction: its body's place, and how its marker was written."""

    body: Span
    marker: Span
    quoted: bool
    tabs: bool


class Instruction(NamedTuple):
    """One instruction.

    keyword    in capitals
    whole      from the keyword to the end of the last line
    arguments  behind the keyword and its `--options`, here-documents left out
    """

    keyword: str
    whole: Span
    arguments: Span
    heredocs: tuple[Heredoc, ...] = ()


class Comment(NamedTuple):
    """A comment on a line of its own, also between the lines of an instruction."""

    span: Span


@lru_cache(maxsize=1)
def _parser() -> Parser:
    import tree_sitter_containerfile

    return Parser(Language(tree_sitter_containerfile.language()))


def escape_character(text: str) -> str:
    """The character that continues lines and escapes: a backslash unless a directive at the top says otherwise."""
    match = _ESCAPE.match(text)
    return match[1] if match else "\\"


@lru_cache(maxsize=2)
def continuation(escape: str) -> re.Pattern[str]:
    """What Docker removes at a continued line end: blanks behind the escape, and the empty and comment lines below."""
    mark = re.escape(escape)
    return re.compile(rf"(?<!{mark}){mark}[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*|\r)?\n)*")


def read_instructions(text: str) -> Iterator[Instruction | Comment]:
    """Instructions and comments in order; what the grammar cannot place is left out."""
    joined = continuation(escape_character(text))
    root = _parser().parse(_stand_in(text, joined).encode("ascii")).root_node
    for node in root.children:
        if node.type == "comment":
            end = node.start_byte + len(text[node.start_byte : node.end_byte].rstrip())
            yield Comment(Span(node.start_byte, end))
        elif node.type.endswith("_instruction"):
            yield from _inner_comments(text, node, joined)
            if node.type == "onbuild_instruction":
                yield from _onbuild(text, node, joined)
            elif node.type != "healthcheck_instruction":
                yield _instruction(text, node, joined)


def _stand_in(text: str, joined: re.Pattern[str]) -> str:
    """A text of the same length in which bytes are code points and no empty line follows a continued one."""

    def at_the_end(match: re.Match[str]) -> str:
        first = match[0].index("\n") + 1
        written = match[0]
        return written if first == len(written) else " " * (len(written) - 2) + written[0] + "\n"

    plain = _NOT_ASCII.sub(".", _BLANKS.sub(" ", text))
    return joined.sub(at_the_end, _FLOOD.sub(lambda match: "." * len(match[0]), plain))


def _inner_comments(text: str, node: Node, joined: re.Pattern[str]) -> Iterator[Comment]:
    for run in joined.finditer(text, node.start_byte, node.end_byte):
        for match in re.compile(r"#[^\r\n]*").finditer(text, run.start(), run.end()):
            yield Comment(Span(*match.span()))


def _instruction(text: str, node: Node, joined: re.Pattern[str]) -> Instruction:
    keyword = node.children[0]
    blocks = [child for child in node.children if child.type == "heredoc_block"]
    options = [child for child in node.children if child.type in ("param", "mount_param")]
    start = options[-1].end_byte if options else keyword.end_byte
    end = _line_end(text, start, joined)
    if blocks:
        end = min(end, blocks[0].start_byte)
    inside = text[start:end]
    start += len(inside) - len(inside.lstrip())
    end = start + len(text[start:end].rstrip())
    marks = [Span(*match.span()) for match in _MARKER.finditer(text, start, end)]
    heredocs = tuple(_heredoc(text, mark, block) for mark, block in zip(marks, blocks))
    whole = Span(node.start_byte, max(end, node.end_byte))
    name = text[keyword.start_byte : keyword.end_byte].upper()
    return Instruction(name, whole, Span(start, max(start, end)), heredocs)


def _onbuild(text: str, node: Node, joined: re.Pattern[str]) -> Iterator[Instruction]:
    """What a later build starts, as if it were run here: it shares nothing with the instructions around it."""
    for child in node.children:
        if child.type in ("run_instruction", "cmd_instruction", "entrypoint_instruction"):
            yield _instruction(text, child, joined)._replace(keyword="RUN")


def _line_end(text: str, start: int, joined: re.Pattern[str]) -> int:
    """The end of the logical line that an offset lies in."""
    position = start
    while True:
        newline = text.find("\n", position)
        if newline < 0:
            return len(text)
        line = joined.search(text, max(start, text.rfind("\n", 0, newline) + 1), newline + 1)
        # The search may stop at this line's end only, as a match begins with the last character of the line.
        if line is None:
            return newline
        full = joined.match(text, line.start())
        position = full.end() if full else newline + 1


def _heredoc(text: str, mark: Span, block: Node) -> Heredoc:
    match = _MARKER.match(text, mark.start)
    tabs, quoted = bool(match and match["tabs"]), bool(match and match["quote"])
    first = text.find("\n", block.start_byte) + 1
    last = next((child for child in block.children if child.type == "heredoc_end"), None)
    end = text.rfind("\n", first - 1, last.start_byte) + 1 if last is not None else block.end_byte
    return Heredoc(Span(first, max(first, end)), mark, quoted, tabs)
