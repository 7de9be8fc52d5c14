"""Numbers as vLLM reads them: by Python's `int` and `float` on the command line, by pydantic inside JSON."""

from __future__ import annotations

import re

_INT = re.compile(r"[+-]?[0-9]+(?:_[0-9]+)*")
_WHOLE = re.compile(r"[+-]?[0-9]+(?:\.0*)?")
_MOST_DIGITS = 300


def numeral(text: str, kind: str, surface: str) -> float | None:
    """The number that a text is read as; None where it is refused.

    `argparse` refuses `3.0` for a whole number; in JSON it is one, in a string too.
    """
    text = text.strip()
    if len(text) > _MOST_DIGITS:
        return None
    if kind == "int":
        pattern = _WHOLE if surface in ("json", "kwarg") else _INT
        return float(text.replace("_", "")) if pattern.fullmatch(text) else None
    try:
        return float(text)
    except ValueError:
        return None
