"""Which YAML files are SGLang's own configuration: all keys are its options, and some are nobody else's."""

from __future__ import annotations

import re
from functools import lru_cache

_YAML = re.compile(r"(?:.*\.ya?ml(?:\.\w+)?|[^.]*)", re.IGNORECASE)
_OWN = re.compile(
    r"^ {0,8}(?:speculative[-_](?:algorithm|num[-_]steps|eagle[-_]topk|num[-_]draft[-_]tokens)"
    r"|mem[-_]fraction[-_]static|mamba[-_](?:scheduler|radix[-_]cache)[-_]strategy"
    r"|chunked[-_]prefill[-_]size|disable[-_]radix[-_]cache)[ \t]*:",
    re.MULTILINE,
)
_KEY = re.compile(r"^( *)[\"']?([A-Za-z][\w-]*)[\"']?[ \t]*:(?:[ \t]+(?P<value>[^#\s].*)?|(?=\r?$)|\Z)", re.MULTILINE)
_OTHER = re.compile(r"^(?:[-?%{\[]|apiVersion\b|services[ \t]*:|\{\{)", re.MULTILINE)
_FEWEST = 2


def is_config(name: str, head: str) -> bool:
    """Whether a file is one, or a map of named ones; a key that SGLang never had makes it somebody else's."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1]
    if not _YAML.fullmatch(base) or not _OWN.search(head) or _OTHER.search(head.removeprefix("---")):
        return False
    keys = [(len(key[1]), key[2], bool(key["value"])) for key in _KEY.finditer(head)]
    top = [(key, valued) for indent, key, valued in keys if not indent]
    if any(valued for _, valued in top):
        return len(top) >= _FEWEST and all(map(_known, (key for key, _ in top)))
    first = next((indent for indent, _, _ in keys if indent), 0)
    inner = [key for indent, key, _ in keys if indent == first]
    return bool(first) and len(inner) >= _FEWEST and all(map(_known, inner))


def _known(key: str) -> bool:
    return key.replace("_", "-") in _options()


@lru_cache(maxsize=1)
def _options() -> frozenset[str]:
    """Every option that SGLang ever had, without its dashes."""
    from mtpconfig.history import bare
    from mtpconfig.knowledge import load_history

    return frozenset(bare(spelling) for spelling in load_history("sglang").names("flag"))
