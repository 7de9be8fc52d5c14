"""Values as Ollama reads them: Go's `strconv` for a Modelfile."""

from __future__ import annotations

import re

_INT = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:inf(?:inity)?|nan)"
    r"|0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)"
)
_MOST_CHARACTERS = 300
_GREATEST_INT = 2**63
_GREATEST_FLOAT = 3.4028235677973366e38
_TRUTHS = frozenset(("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"))

NOUNS = {"int": "a whole number", "float": "a number", "bool": "true or false"}


def numeral(text: str, kind: str) -> float | None:
    """What `ParseInt(text, 10, 64)` or `ParseFloat(text, 32)` makes of a text; None where it refuses it."""
    if len(text) > _MOST_CHARACTERS:
        return None
    if kind == "int":
        value = int(text) if _INT.fullmatch(text) else None
        return value if value is not None and -_GREATEST_INT <= value < _GREATEST_INT else None
    if not _FLOAT.fullmatch(text):
        return None
    number = float.fromhex(text) if "x" in text.lower() else float(text)
    infinite = "inf" in text.lower()
    return number if infinite or number != number or abs(number) < _GREATEST_FLOAT else None


def takes(text: str, kind: str) -> bool:
    """Whether a parameter of a type takes a text."""
    if kind == "bool":
        return text in _TRUTHS
    return kind not in ("int", "float") or numeral(text, kind) is not None
