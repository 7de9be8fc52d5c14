"""Numbers as vLLM reads them: by Python's `int` and `float` on the command line, by pydantic inside JSON.

Facts (run, 0.32.0): in JSON, `true` is 1, `2e0` is 2, and texts are taken as `int` takes them; a value behind a dot may
end in `k`, `M` and their like (`human_readable_int`).
"""

from __future__ import annotations

import re

from mtpconfig.launch import Setting

_INT = re.compile(r"[+-]?[0-9]+(?:_[0-9]+)*")
_SUFFIXED = re.compile(r"([0-9]+(?:\.[0-9]+)?)([kKmMgGtT])")
_POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}
_MOST_DIGITS = 300


def numeral(text: str, kind: str, setting: Setting) -> float | None:
    """The number that a text is read as; None where it is refused.

    `argparse` refuses `3.0` for a whole number; in JSON it is one.
    """
    text = text.strip()
    if len(text) > _MOST_DIGITS:
        return None
    coerced = setting.surface in ("json", "kwarg")
    if coerced and text in ("true", "false", "True", "False"):
        return float(text.lower() == "true")
    if setting.form == "dotted" and (suffixed := _SUFFIXED.fullmatch(text)) is not None:
        return _suffixed(*suffixed.groups())
    if kind == "int" and not coerced:
        return float(text.replace("_", "")) if _INT.fullmatch(text) else None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if kind == "float" or number == number // 1 else None


def _suffixed(number: str, suffix: str) -> float | None:
    """`1k` is 1000, `1K` is 1024, and `1.5K` is refused."""
    base = 1000 if suffix.islower() else 1024
    return None if base == 1024 and "." in number else float(int(float(number) * base ** _POWERS[suffix.lower()]))
