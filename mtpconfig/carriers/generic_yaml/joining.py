"""One text made of several that stand in the same layer: lines of a script, the parts of an image's name."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from mtpconfig.carriers.yaml_.codecs import REFUSED
from mtpconfig.text import Builder, Fragment, Kind


def joined(layer: Fragment, parts: Sequence[Fragment | str]) -> Fragment:
    """Child layers of `layer` one behind the other, with texts between them that stand nowhere.

    Each part keeps its own places and its own way of being written, so that each can be edited alone.
    """
    builder = Builder(layer)
    for part in parts:
        if isinstance(part, str):
            builder.add(part, None, Kind.SYNTHETIC)
            continue
        for segment in part.segments:
            builder.add(part.text[segment.start : segment.end], segment.origin, segment.kind, segment.codec)
    return builder.build()


def fixed(fragment: Fragment) -> Fragment:
    """The same text where it cannot be edited, as other places use it too."""
    return replace(fragment, segments=tuple(replace(segment, codec=REFUSED) for segment in fragment.segments))
