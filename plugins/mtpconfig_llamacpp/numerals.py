"""Numbers as llama.cpp reads them: `std::stoi` and `std::stof` stop at the first character that does not fit."""

from __future__ import annotations

import re

_INT = re.compile(r"\s*([+-]?[0-9]+)")
_FLOAT = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:nan|inf(?:inity)?))")
_MOST_DIGITS = 300
_INT_MAX = 2**31 - 1


def numeral(text: str, kind: str) -> float | None:
    """What the parser makes of a text as `int` or `float`; None when it refuses it.

    `2.5` is read as 2 and `4k` as 4, without a word.
    """
    match = (_INT if kind == "int" else _FLOAT).match(text)
    if match is None:
        return None
    if len(match[1]) > _MOST_DIGITS:
        return None
    value = int(match[1]) if kind == "int" else float(match[1])
    return value if kind == "float" or -_INT_MAX - 1 <= value <= _INT_MAX else None
