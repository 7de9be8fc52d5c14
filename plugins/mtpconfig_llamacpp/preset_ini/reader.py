"""From the sections of an INI file to launches."""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Given, Hint, Known, Launch, Opaque, Value, Word
from mtpconfig.text import Codec, Fragment, Kind, Segment, Span
from mtpconfig_llamacpp.preset_ini.container import SectionContainer
from mtpconfig_llamacpp.preset_ini.grammar import KEY, MOST_LINES, SHARED, VALUE, Document, Entry, Section, parse

_MOST_SECTIONS = 500
_MOST_HINTS = 20
_MOST_TIMES = 20
_CONFIG = re.compile(r"(?:^|/)llama\.cpp/config\.ini$")
_TEMPLATE = re.compile(r"\{\{(?:(?!\{\{).){0,2000}?\}\}|\$\{[^}$]{0,200}\}|\$\([^)$]{0,200}\)|@[A-Z_]{1,80}@")


def read(layer: Fragment, opener: Opener, around: Surroundings, carrier: str) -> Iterator[Launch]:
    """The launches of a file; what `[*]` says is part of each, and not edited for one of them."""
    document = parse(layer.text)
    config = bool(_CONFIG.search(layer.source.path.replace("\\", "/"))) and layer.parent is layer.source
    surface = "config" if config else "ini"
    shared = next((section for section in document.sections if section.name == SHARED), None)
    common = tuple(_given(shared, layer, surface, None)) if shared is not None else ()
    for section in document.sections[_MOST_SECTIONS : _MOST_SECTIONS + 1]:
        opener.miss(layer, section.header.start, f"it holds more than {_MOST_SECTIONS} sections")
    if document.unread is not None:
        opener.miss(layer, document.unread, f"it has more than {MOST_LINES} lines")
    for section in document.sections[:_MOST_SECTIONS]:
        if section.name == SHARED:
            continue
        container = SectionContainer(layer)
        own = tuple(_given(section, layer, surface, container))
        if own or (common and section.name):
            yield Launch(
                argv=(),
                fragment=layer.slice(*section.header),
                given=(*common, *own),
                container=container,
                closed=not config,
                why_open="the command line" if config else "",
                hints=(*around.hints, *_hints(document, section, layer)),
                carrier=around.carrier or carrier,
                label=section.name or around.label,
            )


def _given(section: Section, layer: Fragment, surface: str, container: SectionContainer | None) -> Iterator[Given]:
    """What a section says, `version` left out; without a container it is shared by several launches."""
    for entry in _latest(section.entries, layer.text):
        name = layer.text[slice(*entry.key)]
        if name == "version":
            continue
        given = Given(
            surface,
            Word(_word(layer, entry.key, KEY, container), Known(name)),
            Word(_word(layer, entry.value, VALUE, container), _value(layer.text[slice(*entry.value)])),
            site=entry.line,
        )
        if container is not None:
            container.settle(given, entry.line)
        yield given


def _latest(entries: Sequence[Entry], text: str) -> list[Entry]:
    """The entries without the first ones of a key that is said over and over: the last one counts."""
    times: Counter[str] = Counter()
    kept: list[Entry] = []
    for entry in reversed(entries):
        name = text[slice(*entry.key)]
        times[name] += 1
        if times[name] <= _MOST_TIMES:
            kept.append(entry)
    return kept[::-1]


def _word(layer: Fragment, span: Span, codec: Codec, container: SectionContainer | None) -> Fragment:
    text = layer.text[slice(*span)]
    kind = Kind.COPY if container is not None else Kind.SUBSTITUTED
    return Fragment(text, (Segment(0, len(text), span, kind, codec),), layer)


def _value(text: str) -> Value:
    """A value as it is written, unless something is still to be filled in."""
    match = _TEMPLATE.search(text)
    return Opaque(match[0]) if match else Known(text)


def _hints(document: Document, section: Section, layer: Fragment) -> Iterator[Hint]:
    """The comments up to a section's end, the nearest last."""
    end = section.entries[-1].line.end if section.entries else section.header.end
    last = bisect.bisect_left(document.comments, end, key=lambda span: span.start)
    for span in document.comments[max(last - _MOST_HINTS, 0) : last]:
        yield Hint("comment", layer.slice(*span))
