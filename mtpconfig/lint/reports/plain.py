"""Text that comes out of linted files, made fit for a terminal: no secrets, no control characters."""

from __future__ import annotations

from mtpconfig.secrets import hide


def plain(text: str) -> str:
    """One line without secrets; what is not printable stands as an escape such as `\\x1b`."""
    if text.isprintable():
        return hide(text)
    return hide("".join(char if char.isprintable() else repr(char)[1:-1] for char in text))
