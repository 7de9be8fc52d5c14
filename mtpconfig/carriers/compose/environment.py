"""The environment of a service: its map or list, and its files of variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from mtpconfig.carriers.compose.interpolation import Lookup, interpolate
from mtpconfig.carriers.compose.services import Service
from mtpconfig.carriers.yaml_ import Entries, Items, Scalar
from mtpconfig.launch import Given, Known, Opaque, Word
from mtpconfig.text import Fragment, Span

ReadVariables = Callable[[str], Iterable[Given]]


def given_to(service: Service, lookup: Lookup, read: ReadVariables) -> tuple[Given, ...]:
    """What a service's program sees: the last one to set a variable wins, and `environment` wins over files."""
    found: dict[str, Given] = {}
    for name in service.env_files:
        found |= {given.name.text: given for given in read(name)}
    for node in service.environment:
        found |= {given.name.text: given for given in _said(node, lookup)}
    return tuple(found.values())


def _said(node: Entries | Items, lookup: Lookup) -> Iterator[Given]:
    if isinstance(node, Entries):
        for key, value in node.entries:
            if isinstance(value, Scalar):
                name = Word(key.fragment, Known(key.text), value.guard)
                yield Given("env", name, _value(key.text, value, lookup), value.guard, Span(*key.span))
        return
    for item in node.items:
        if isinstance(item, Scalar):
            yield from _assignment(item, lookup)


def _assignment(item: Scalar, lookup: Lookup) -> Iterator[Given]:
    """`NAME=value`, or `NAME` alone for what the variable is outside."""
    read = interpolate(item.fragment, lookup)
    name, equals, _ = read.text.partition("=")
    if not name or any(mark.why and mark.span.start < len(name) for mark in read.marks):
        return
    word = Word(_part(read.fragment, 0, len(name)), Known(name), item.guard)
    if equals:
        start, end = len(name) + 1, len(read.text)
        value = read.word(_part(read.fragment, start, end), start, end, item.guard, None)
    else:
        value = _outside(word.fragment, name, lookup)
    yield Given("env", word, value, item.guard, item.span)


def _value(name: str, value: Scalar, lookup: Lookup) -> Word:
    if value.null:
        return _outside(value.fragment, name, lookup)
    read = interpolate(value.fragment, lookup)
    return read.word(read.fragment, 0, len(read.text), value.guard, value.span)


def _outside(fragment: Fragment, name: str, lookup: Lookup) -> Word:
    """A variable that is passed on from outside."""
    known = lookup(name)
    return Word(Fragment.synthetic(known or "", fragment), Opaque(f"${name}") if known is None else Known(known))


def _part(fragment: Fragment, start: int, end: int) -> Fragment:
    return fragment.slice(start, end)
