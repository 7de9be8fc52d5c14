"""Numbers as SGLang reads them: Python's `int` and `float`, through argparse."""

from __future__ import annotations

import re

_INT = re.compile(r"[+-]?[0-9]+(?:_[0-9]+)*")
_MOST_DIGITS = 300


def numeral(text: str, kind: str) -> float | None:
    """The number that a text is read as; None where it is refused: `3.0` is no whole number."""
    text = text.strip()
    if len(text) > _MOST_DIGITS:
        return None
    if kind == "int":
        return float(text.replace("_", "")) if _INT.fullmatch(text) else None
    try:
        return float(text)
    except ValueError:
        return None
