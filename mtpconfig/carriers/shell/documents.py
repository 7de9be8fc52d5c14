"""The texts that a command writes: its here-documents, and what `echo` and `printf` print."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from mtpconfig.carriers.shell.codecs import BARE
from mtpconfig.carriers.shell.content import Alternatives, Part
from mtpconfig.carriers.shell.expand import Expander
from mtpconfig.carriers.shell.heredoc import parts
from mtpconfig.carriers.shell.lexer import Lexer
from mtpconfig.carriers.shell.pieces import Command, Parameter, RawWord, Redirect
from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.carriers.shell.scope import Scope
from mtpconfig.carriers.shell.unwrap import Start, base_name
from mtpconfig.text import Fragment, Kind, Span


class Target(NamedTuple):
    """The file that a text goes to; `adds` to what is there (`>>`)."""

    name: str
    adds: bool


class Document(NamedTuple):
    """A text that a command hands on.

    parts    the text
    unseen   what may add to it
    piped    the words of the command that it is piped into
    target   the file that it goes to when the command itself says nothing
    printed  the command makes it; else it is what the command reads
    """

    parts: list[Part]
    unseen: str = ""
    piped: Sequence[Item] = ()
    target: Target | None = None
    printed: bool = False


def heredocs_of(
    command: Command, nodes: Sequence[Node], layer: Fragment, lexer: Lexer, expander: Expander, scope: Scope
) -> Iterator[Document]:
    """The here-documents of a command, given the grammar's nodes for them."""
    redirects = (redirect for redirect in command.redirects if redirect.operator in ("<<", "<<-"))
    for redirect, node in zip(redirects, nodes):
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        if body is not None:
            text = _body(redirect, Span(body.start_byte, body.end_byte), layer.text, expander, scope)
            yield Document(text, piped=_piped(node, lexer, expander, scope, len(layer.text)))


def _body(redirect: Redirect, span: Span, text: str, expander: Expander, scope: Scope) -> list[Part]:
    delimiter = redirect.target.span if redirect.target else redirect.span
    quoted = bool(re.search(r"[\\'\"]", text[slice(*delimiter)]))

    def resolve(parameter: Parameter) -> Sequence[Part]:
        choices = expander.scalar(RawWord((parameter,), parameter.origin), scope)
        arms = [(choice.guard, choice.runs) for choice in choices if choice.runs is not None]
        if len(arms) == len(choices) == 1:
            return arms[0][1]
        if len(arms) == len(choices) and all(guard for guard, _ in arms):
            return (Alternatives(tuple(arms), text[slice(*parameter.origin)]),)
        return (Run("", None, Kind.SYNTHETIC, BARE, why="a branch"),)

    return list(parts(text, span, quoted=quoted, tabs=redirect.operator.endswith("-"), resolve=resolve))


def target_of(command: Command, expander: Expander, scope: Scope) -> Target | None:
    """The file that a command's standard output goes to."""
    for redirect in command.redirects:
        if redirect.operator in (">", ">>", ">|", "&>", "&>>") and redirect.target is not None:
            items = expander.words(redirect.target, scope).items
            return Target(items[0].text if items else "", redirect.operator.endswith(">>"))
    return None


def tee_of(start: Start) -> Target | None:
    """The first file that `tee` writes."""
    if base_name(start.first) != "tee":
        return None
    texts = [item.text for item in start.items[1:]]
    name = next((text for text in texts if not text.startswith("-")), "")
    return Target(name, any(text in ("-a", "--append") for text in texts))


def _piped(node: Node, lexer: Lexer, expander: Expander, scope: Scope, limit: int) -> list[Item]:
    pipe = next((child for child in node.children if child.type == "pipeline"), None)
    if pipe is None or len(pipe.children) < 2:
        return []
    command = lexer.command(pipe.children[1].start_byte, limit)
    return [item for word in command.words for item in expander.words(word, scope).items]
