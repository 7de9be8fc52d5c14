"""Which YAML files are vLLM's own configuration: all keys are its options, and some are nobody else's."""

from __future__ import annotations

import re
from functools import lru_cache

_YAML = re.compile(r"(?:.*\.ya?ml(?:\.\w+)?|[^.]*)", re.IGNORECASE)
_OWN = re.compile(
    r"^(?:speculative[-_]config|tensor[-_]parallel[-_]size|gpu[-_]memory[-_]utilization|max[-_]model[-_]len"
    r"|max[-_]num[-_](?:seqs|batched[-_]tokens)|enable[-_]prefix[-_]caching|served[-_]model[-_]name"
    r"|spec[-_]tokens|kv[-_]cache[-_]dtype|compilation[-_]config)[ \t]*:",
    re.MULTILINE,
)
_KEY = re.compile(r"^[\"']?([A-Za-z][\w-]*)[\"']?[ \t]*:(?=[ \t\r\n]|\Z)", re.MULTILINE)
_OTHER = re.compile(r"^(?:[-?%{\[]|apiVersion\b|\{\{)", re.MULTILINE)
_FEWEST = 2


def is_config(name: str, head: str) -> bool:
    """Whether a file is one; a key that vLLM never had makes it somebody else's."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1]
    if not _YAML.fullmatch(base) or not _OWN.search(head) or _OTHER.search(head.removeprefix("---")):
        return False
    keys = _KEY.findall(head)
    return len(keys) >= _FEWEST and all(key.replace("_", "-") in _options() for key in keys)


@lru_cache(maxsize=1)
def _options() -> frozenset[str]:
    """Every option that vLLM ever had, without its dashes."""
    from mtpconfig.history import bare
    from mtpconfig.knowledge import load_history

    return frozenset(bare(spelling) for spelling in load_history("vllm").names("flag"))
