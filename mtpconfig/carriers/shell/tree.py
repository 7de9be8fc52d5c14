"""The grammar library, and the few facts that are wanted of the whole tree before it is walked."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice

import tree_sitter_bash
from msgspec import Struct
from tree_sitter import Language, Node, Parser
from tree_sitter import Tree as SyntaxTree

SUBSTITUTIONS = frozenset(("command_substitution", "process_substitution"))
_SPANNED = SUBSTITUTIONS | {"arithmetic_expansion"}
_NOT_ASCII = re.compile(r"[^\x01-\x7f]")
_TELLING_ONLY = frozenset(("echo", "printf", "test", "[", ":", "log", "logger", "die", "info", "warn"))
_HEREDOC = re.compile(r"(?<![<(])<<-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1")
_MOST_HEREDOCS = 20  # that begin on one line
_FLOOD = re.compile(r"([<>|&;()])\1{15,}")
_CHUNK = 4096
_LONGEST = 2.0  # seconds of CPU time
_PARAMETER = re.compile(r"\$\{?[#!]?([A-Za-z_]\w*)", re.ASCII)


class Tree(Struct, frozen=True):
    """A parsed text. Offsets of its nodes are code points.

    ends  start of each substitution -> its end
    uses  how often each variable is expanded for something that runs; messages and tests do not count
    given_up  parsing took too long: the tree is empty
    """

    root: Node
    ends: dict[int, int]
    uses: Counter[str]
    given_up: bool = False


@cache
def _language() -> Language:
    return Language(tree_sitter_bash.language())


def _parsed(text: bytes) -> SyntaxTree | None:
    """The grammar library's tree; None for a text over which it would brood (`<<<<...`)."""
    parser, end = Parser(_language()), time.process_time() + _LONGEST
    try:
        return parser.parse(
            lambda at, _: text[at : at + _CHUNK], progress_callback=lambda *_: time.process_time() > end
        )
    except ValueError:
        return None


def parse(text: str) -> Tree:
    """Parse a text as bash."""
    parsed = _parsed(_one_byte_each(text).encode("ascii"))
    if parsed is None:
        return Tree(Parser(_language()).parse(b"").root_node, {}, Counter(), given_up=True)
    root = parsed.root_node
    ends: dict[int, int] = {}
    uses: Counter[str] = Counter()
    stack: list[tuple[Node, bool, str]] = [(root, True, "")]
    while stack:
        node, counts, assigned = stack.pop()
        kind = node.type
        if kind in _SPANNED:
            ends[node.start_byte] = node.end_byte
        elif kind in ("simple_expansion", "expansion"):
            name = _PARAMETER.match(text, node.start_byte)
            if counts and name and name[1] != assigned:
                uses[name[1]] += 1
        elif kind == "command":
            counts = not _only_tells(node, text)
        elif kind == "test_command":
            counts = False
        elif kind == "variable_assignment" and node.children:
            assigned = text[node.children[0].start_byte : node.children[0].end_byte]
        stack += [(child, counts, assigned) for child in node.children]
    return Tree(root, ends, uses)


def _one_byte_each(text: str) -> str:
    """A stand-in of the same length in which bytes are code points and every line ends in a newline.

    Characters beyond ASCII mean nothing to the shell. Of a CR LF, the CR becomes a second newline, which means nothing
    either, except behind a backslash, where it moves behind the newline as a blank. Two backslashes are two characters
    that mean nothing, in every kind of quotes; the grammar at times takes the second for an escape. Over a flood of
    operators, which no shell would take, it would brood.
    """
    ascii_only = _without_false_ends(_NOT_ASCII.sub(".", text).replace("\\\\", ".."))
    ascii_only = _FLOOD.sub(lambda match: "." * len(match[0]), ascii_only)
    return ascii_only.replace("\\\r\n", "\\\n ").replace("\r\n", "\n\n")


def _without_false_ends(text: str) -> str:
    """The text, but no line of a here-document begins with its delimiter: the grammar would end it there."""
    if "<<" not in text:
        return text
    lines = text.split("\n")
    ends = {line.strip("\t\r"): number for number, line in enumerate(lines)}
    waiting: list[str] = []
    for number, line in enumerate(lines):
        if not waiting:
            marks = islice(_HEREDOC.finditer(line), _MOST_HEREDOCS)
            waiting = [mark[2] for mark in marks if ends.get(mark[2], 0) > number]
        elif line.strip("\t\r") == waiting[0]:
            del waiting[0]
        elif line.lstrip("\t").startswith(waiting[0]):
            tabs = len(line) - len(line.lstrip("\t"))
            lines[number] = line[:tabs] + "." + line[tabs + 1 :]
    return "\n".join(lines)


def _only_tells(command: Node, text: str) -> bool:
    name = command.children[0] if command.children else None
    return name is not None and text[name.start_byte : name.end_byte] in _TELLING_ONLY


def substitutions(node: Node) -> Iterator[Node]:
    """The outermost `$(...)` and `<(...)` below a node, in order of their text."""
    stack = [node]
    while stack:
        inner = stack.pop()
        if inner.type in SUBSTITUTIONS:
            yield inner
        else:
            stack += reversed(inner.children)


def heredocs(node: Node) -> list[Node]:
    """The here-document nodes of a redirected statement, in order of their text."""
    return [child for child in node.children if child.type == "heredoc_redirect"]
