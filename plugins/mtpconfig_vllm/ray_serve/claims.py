"""Which YAML files hold Ray Serve's `LLMConfig`."""

from __future__ import annotations

import re

_YAML = re.compile(r"(?:.*\.ya?ml(?:\.\w+)?|[^.]*)", re.IGNORECASE)
_ENGINE = re.compile(r"^[ \t-]*[\"']?engine_kwargs[\"']?:", re.MULTILINE)
_BESIDE = re.compile(
    r"^[ \t-]*[\"']?(?:llm_configs|model_loading_config|import_path[\"']?:[ \t]*[\"']?ray\.serve\.llm)\b", re.MULTILINE
)


def is_llm_config(name: str, head: str) -> bool:
    """Whether a file is one: engine arguments beside what loads a model."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1]
    return bool(_YAML.fullmatch(base) and _ENGINE.search(head) and _BESIDE.search(head))
