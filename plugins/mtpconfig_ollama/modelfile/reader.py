"""From the statements of a Modelfile to a launch."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Surroundings
from mtpconfig.launch import Given, Hint, Launch
from mtpconfig.text import Fragment, Span
from mtpconfig_ollama.modelfile.container import ModelfileContainer
from mtpconfig_ollama.modelfile.grammar import Document, Statement, parse
from mtpconfig_ollama.modelfile.words import COMMAND, NAME, name_of, value_of

_TEXTS = frozenset(("TEMPLATE", "SYSTEM", "LICENSE", "MESSAGE"))
"""Instructions whose values are prose."""

_MOST_GIVEN = 500
_MOST_HINTS = 20


def read(layer: Fragment, around: Surroundings, carrier: str) -> Iterator[Launch]:
    """The model of a text, if it has any statement that Ollama knows."""
    document = parse(layer.text)
    known = [statement for statement in document.statements if statement.fault != "command"]
    if not known:
        return
    container = ModelfileContainer(layer)
    first = next((statement for statement in known if statement.command == "FROM"), known[0])
    yield Launch(
        argv=(),
        fragment=layer.slice(first.word.start, first.value.end if first.value is not None else first.word.end),
        given=(*around.given, *_given(document, layer, container)),
        container=container,
        closed=not document.cut,
        why_open="the rest of a long file" if document.cut else "",
        hints=(*around.hints, *_hints(document, layer)),
        carrier=around.carrier or carrier,
        label=around.label,
    )


def _given(document: Document, layer: Fragment, container: ModelfileContainer) -> Iterator[Given]:
    said = [statement for statement in document.statements if statement.command not in _TEXTS]
    for statement in said[:_MOST_GIVEN]:
        given = _said(statement, layer)
        if given is not None:
            container.settle(given)
            yield given


def _said(statement: Statement, layer: Fragment) -> Given | None:
    """What a statement says; a parameter is found under its name also where the parser does not find it."""
    if statement.command != "PARAMETER":
        if statement.word.start == statement.word.end:
            return None
        name = name_of(layer, statement.word, COMMAND)
        return Given("instruction", name, value_of(layer, statement), site=statement.whole)
    value = value_of(layer, statement)
    if statement.fault == "parameter-name":
        return None
    if statement.fault == "no-value" and value is not None and value.text:  # `name=value`, `na-me value`
        start = statement.key.start
        written = layer.text[start : statement.value.end if statement.value else start].split()
        end = start + len(written[0]) if written else start
        name = name_of(layer, Span(start, end), NAME)
        return Given("param", name, None, site=statement.whole)
    if statement.key.start == statement.key.end:
        return None
    value = None if statement.fault == "no-value" else value
    return Given("param", name_of(layer, statement.key, NAME), value, site=statement.whole)


def _hints(document: Document, layer: Fragment) -> Iterator[Hint]:
    for span in document.comments[-_MOST_HINTS:]:
        yield Hint("comment", layer.slice(*span))
