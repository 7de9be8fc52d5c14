"""A scalar as a word of a launch."""

from __future__ import annotations

from mtpconfig.carriers.yaml_.nodes import Scalar
from mtpconfig.launch import Known, Opaque, Word


def word_of(scalar: Scalar) -> Word:
    """One word: known, unless a template stands in it."""
    template = scalar.template
    return Word(scalar.fragment, Opaque(template) if template else Known(scalar.text), scalar.guard, scalar.span)
