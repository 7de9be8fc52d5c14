"""The here-documents of a command: their decoded bodies, and what they are piped into."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from mtpconfig.carriers.shell.codecs import BARE
from mtpconfig.carriers.shell.expand import Expander
from mtpconfig.carriers.shell.heredoc import decode
from mtpconfig.carriers.shell.lexer import Lexer
from mtpconfig.carriers.shell.pieces import Command, Parameter, RawWord, Redirect
from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.carriers.shell.scope import Scope
from mtpconfig.text import Fragment, Kind, Span


class Heredoc(NamedTuple):
    """The body of a here-document, decoded, and the words of a command that it is piped into."""

    body: Fragment
    piped: list[Item]


def heredocs_of(
    command: Command, nodes: Sequence[Node], layer: Fragment, lexer: Lexer, expander: Expander, scope: Scope
) -> Iterator[Heredoc]:
    """The here-documents of a command, given the grammar's nodes for them."""
    redirects = (redirect for redirect in command.redirects if redirect.operator in ("<<", "<<-"))
    for redirect, node in zip(redirects, nodes):
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        if body is not None:
            text = _body(redirect, Span(body.start_byte, body.end_byte), layer, expander, scope)
            yield Heredoc(text, _piped(node, lexer, expander, scope, len(layer.text)))


def _body(redirect: Redirect, span: Span, layer: Fragment, expander: Expander, scope: Scope) -> Fragment:
    delimiter = redirect.target.span if redirect.target else redirect.span
    quoted = bool(re.search(r"[\\'\"]", layer.text[slice(*delimiter)]))

    def resolve(parameter: Parameter) -> tuple[Run, ...]:
        choices = expander.scalar(RawWord((parameter,), parameter.origin), scope)
        if len(choices) == 1 and choices[0].runs is not None:
            return choices[0].runs
        return (Run("", None, Kind.SYNTHETIC, BARE, why="a branch"),)

    return decode(layer, span, quoted=quoted, tabs=redirect.operator.endswith("-"), resolve=resolve)


def _piped(node: Node, lexer: Lexer, expander: Expander, scope: Scope, limit: int) -> list[Item]:
    pipe = next((child for child in node.children if child.type == "pipeline"), None)
    if pipe is None or len(pipe.children) < 2:
        return []
    command = lexer.command(pipe.children[1].start_byte, limit)
    return [item for word in command.words for item in expander.words(word, scope).items]
