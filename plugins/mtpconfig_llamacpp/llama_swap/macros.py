"""llama-swap's macros: `${name}` in a command is replaced by the text of a macro, before anything else is done to it.

The macro that was defined last is put in first, so that a macro may use those defined before it. A model's own macro
stands in the place of the global one with the same name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from mtpconfig.carriers.shell.runs import Run
from mtpconfig.carriers.systemd.words import Runs
from mtpconfig.carriers.yaml_ import Entries, Node, Scalar
from mtpconfig.text import VERBATIM, Kind

MOST_CHARACTERS = 100_000
"""A command that macros make longer than this is not expanded any further."""

_USE = re.compile(r"\$\{([A-Za-z0-9_-]+)\}")
_MOST_MACROS = 500

Macros = Mapping[str, tuple[Run, ...]]
"""Macros in the order of their definition; those that several places use are marked as shared."""


def macros_of(node: Node | None, uses: Counter[str]) -> dict[str, tuple[Run, ...]]:
    """The macros of a `macros:` map; one that holds a list or a map is none that a command can use."""
    found: dict[str, tuple[Run, ...]] = {}
    for key, value in node.entries[:_MOST_MACROS] if isinstance(node, Entries) else ():
        if isinstance(value, Scalar):
            shared = uses[key.text] > 1
            found[key.text] = tuple(replace(run, shared=shared) for run in runs_of(value))
    return found


def uses_in(nodes: Iterable[Node | None]) -> Counter[str]:
    """How often each macro is used in the scalars at and below some nodes."""
    found: Counter[str] = Counter()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            found.update(_USE.findall(node.loaded))
        elif isinstance(node, Entries):
            waiting += [value for _, value in node.entries]
        elif node is not None:
            waiting += node.items
    return found


def runs_of(scalar: Scalar) -> Iterator[Run]:
    """A scalar's text as runs on the layer that it stands in."""
    text = scalar.text
    for segment in scalar.fragment.segments:
        yield Run(text[segment.start : segment.end], segment.origin, segment.kind, segment.codec)


def model_id(key: Scalar) -> tuple[Run, ...]:
    """What `${MODEL_ID}` stands for."""
    return (Run(key.text, key.span, Kind.SUBSTITUTED, VERBATIM),)


def expand(runs: Sequence[Run], macros: Macros) -> tuple[Run, ...]:
    """A command with its macros put in, the last one first."""
    text = Runs(runs)
    for name in reversed(list(macros)):
        macro = macros[name]
        use = f"${{{name}}}"
        size = sum(len(run.text) for run in macro)
        if use in text.text and len(text.text) + text.text.count(use) * size <= MOST_CHARACTERS:
            text = Runs(list(_put_in(text, use, macro)))
    return text.cut(0, len(text.text))


def _put_in(text: Runs, use: str, macro: Sequence[Run]) -> Iterator[Run]:
    cursor = 0
    for match in re.finditer(re.escape(use), text.text):
        start, end = match.span()
        if cursor < start:
            yield from text.cut(cursor, start)
        shared = any(run.shared for run in text.cut(start, end))
        yield from (replace(run, shared=run.shared or shared) for run in macro)
        cursor = end
    if cursor < len(text.text):
        yield from text.cut(cursor, len(text.text))
