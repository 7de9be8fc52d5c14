"""Text that comes out of linted files, made fit for a terminal: no secrets, no control characters."""

from __future__ import annotations

from mtpconfig.secrets import hide, hide_quoted


def plain(text: str) -> str:
    """One line of a file without secrets; what is not printable stands as an escape such as `\\x1b`."""
    return hide(_printable(text))


def sentence(text: str) -> str:
    """The same of a sentence of ours, in which only what stands in backticks comes from a file."""
    return hide_quoted(_printable(text))


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
