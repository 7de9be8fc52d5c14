"""Which files are Python."""

from __future__ import annotations

import re

_SHEBANG = re.compile(r"#!\s*\S*(?:/env\s+(?:-S\s+)?(?:\S+\s+)*?|/)?(?:python[\d.]*|uv run\b.*)(?:\s|$)")
_TEST = re.compile(r"(?:^|[/\\])(?:tests?[/\\][^/\\]*|test_[^/\\]*|[^/\\]*_test\.py|conftest\.py)$")


def is_python(name: str, head: str) -> bool:
    """Whether a file is Python: by its suffix, else, where it has none, by its first line."""
    base = re.split(r"[/\\]", name)[-1].lower()
    if base.endswith((".py", ".pyw")):
        return True
    return "." not in base.strip(".") and bool(_SHEBANG.match(head.lstrip("\ufeff").split("\n", 1)[0]))


def is_test(path: str) -> bool:
    """Whether a file holds tests, in which lists of words may be samples that nothing starts."""
    return bool(_TEST.search(path))
