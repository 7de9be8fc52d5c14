"""The lowest floor: what was written, and where.

A `Source` is one file as text. A `Fragment` is text decoded out of a source, layer by layer, and knows for each of its
characters where that character was written. An `Edit` changes a source; the layers between encode it outward.
"""

from mtpconfig.text.edit import Edit, apply_edits
from mtpconfig.text.fragment import VERBATIM, Builder, Codec, Fragment, Kind, Segment
from mtpconfig.text.source import Position, Source, Span

__all__ = [
    "VERBATIM",
    "Builder",
    "Codec",
    "Edit",
    "Fragment",
    "Kind",
    "Position",
    "Segment",
    "Source",
    "Span",
    "apply_edits",
]
