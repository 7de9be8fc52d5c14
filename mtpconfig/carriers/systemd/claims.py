"""Which files are unit files, drop-ins of units, or Podman's quadlets."""

from __future__ import annotations

import re

_SUFFIXES = (".service", ".container")
_TEMPLATED = (".in", ".j2", ".jinja2", ".tmpl", ".tpl", ".template", ".example", ".sample", ".dist", ".erb")
_UNNAMED = ("", ".conf", ".ini", ".cfg", ".unit", ".systemd", ".txt")
_SECTION = re.compile(r"^[ \t]*\[(?:Service|Container)\][ \t]*\r?$", re.MULTILINE)
_KEY = re.compile(r"^[ \t]*(?:Exec[A-Z]\w*|Exec|Environment(?:File)?|Image)[ \t]*=", re.MULTILINE)


def is_unit(name: str, head: str) -> bool:
    """Whether a file is a unit, by its name, or by its sections where its name says little (`override.conf`)."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    for suffix in _TEMPLATED:
        base = base.removesuffix(suffix)
    if base.endswith(_SUFFIXES):
        return True
    _, dot, suffix = base.rpartition(".")
    return (dot + suffix if dot else "") in _UNNAMED and bool(_SECTION.search(head) and _KEY.search(head))
