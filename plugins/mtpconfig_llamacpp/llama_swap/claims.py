"""Which YAML files are llama-swap's."""

from __future__ import annotations

import re

_YAML = re.compile(r"(?:.*\.ya?ml(?:\.\w+)?|[^.]*)", re.IGNORECASE)
_NAMED = re.compile(r".*llama[-_]?swap.*", re.IGNORECASE)
_MODELS = re.compile(r"^[\"']?models[\"']?:", re.MULTILINE)
_COMMAND = re.compile(r"^[ \t]+[\"']?cmd[\"']?:", re.MULTILINE)
_OWN = re.compile(r"^(?:macros|healthCheckTimeout|startPort|globalTTL|logRequests|groups|matrix|hooks):", re.MULTILINE)


def is_llama_swap(name: str, head: str) -> bool:
    """Whether a file is one: models with a `cmd`, or, where these come late, its name and its other keys."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1]
    if not _YAML.fullmatch(base):
        return False
    if _MODELS.search(head) and _COMMAND.search(head):
        return True
    return bool(_NAMED.fullmatch(base) and (_MODELS.search(head) or _OWN.search(head)))
