"""Texts that a server said, made fit to be shown: one short line, no secrets, no control characters."""

from __future__ import annotations

from mtpconfig.lint.reports.plain import plain

_LONGEST = 160


def shown(text: str) -> str:
    """One line of at most 160 characters; the rest is left out."""
    line = plain(" ".join(text[: 4 * _LONGEST].split()))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
