"""Which files are Docker Compose files."""

from __future__ import annotations

import re

_NAME = re.compile(r"(?:.*[.-])?(?:docker-)?compose(?:[._-][\w.-]*)?\.ya?ml")
_TEMPLATE = re.compile(r"\.(?:j2|jinja2?|tmpl|tpl|template|example|sample|dist|in|bak)\Z")
_YAML = re.compile(r".*\.ya?ml|-|stdin|<stdin>|")
_SERVICES = re.compile(
    r"^services:[ \t]*(?:&\S+[ \t]*)?(?:#[^\r\n]*)?\r?\n(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*[ \t]+[\w.\"'-]+:[ \t]*", re.M
)
_RUNS = re.compile(r"^[ \t]+(?:image|build|command|entrypoint|extends):|\b(?:image|build): *[^\s,]+", re.M)


def is_compose(name: str, head: str) -> bool:
    """Whether a file is Compose's, by its name, else by a `services` map whose entries run something."""
    base = _TEMPLATE.sub("", name.replace("\\", "/").rsplit("/", 1)[-1].lower())
    if _NAME.fullmatch(base):
        return True
    return bool(_YAML.fullmatch(base) and _SERVICES.search(head) and _RUNS.search(head))
