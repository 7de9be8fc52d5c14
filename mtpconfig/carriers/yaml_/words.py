"""A scalar as a word of a launch."""

from __future__ import annotations

import re

from mtpconfig.carriers.yaml_.nodes import Scalar
from mtpconfig.carriers.yaml_.templates import MARK
from mtpconfig.launch import Known, Opaque, Word

_MARKS = re.compile(f"{MARK}+")


def word_of(scalar: Scalar) -> Word:
    """One word: known, unless a template stands in it."""
    template = scalar.template
    if not template:
        return Word(scalar.fragment, Known(scalar.text), scalar.guard, scalar.span)
    holes = tuple(match.span() for match in _MARKS.finditer(scalar.loaded))
    return Word(scalar.fragment, Opaque(template), scalar.guard, scalar.span, holes=holes)
