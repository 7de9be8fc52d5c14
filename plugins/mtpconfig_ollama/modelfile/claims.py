"""Which texts are Modelfiles."""

from __future__ import annotations

import re

_NAMED = re.compile(r"modelfile|modelfile[._-][\w.-]*|(?:.*[._-])?modelfile", re.ASCII)
_OTHERS = (".md", ".mdx", ".py", ".sh", ".go", ".rs", ".ts", ".js", ".json", ".yaml", ".yml", ".html", ".rst", ".ps1")
_NAMELESS = ("", "-", "stdin", "<stdin>", "fence.txt")
_FIRST = re.compile(r"\A\ufeff?(?:[ \t]*(?:#[^\r\n]*)?(?:\r?\n|\r))*[ \t]*FROM[ \t]+\S", re.IGNORECASE)
_ITS = re.compile(
    r"^[ \t]*(?:PARAMETER[ \t]+[a-z_]+[ \t]|(?:TEMPLATE|SYSTEM|LICENSE)[ \t]+\"|ADAPTER[ \t]+\S|DRAFT[ \t]+\S"
    r"|MESSAGE[ \t]+(?:system|user|assistant)[ \t]|(?:RENDERER|PARSER|REQUIRES)[ \t]+\S)",
    re.IGNORECASE | re.MULTILINE,
)
_DOCKER = re.compile(r"^[ \t]*(?:RUN|COPY|ENV|CMD|ENTRYPOINT|WORKDIR|EXPOSE|ARG|ADD)[ \t]+\S", re.MULTILINE)


def may_be_modelfile(name: str) -> bool:
    """Whether a file of this name, in lower case, may be one: the question before this package's code is imported."""
    return "modelfile" in name or "." not in name or name in _NAMELESS


def is_modelfile(name: str, head: str) -> bool:
    """Whether a text is one, by its file name, or without a telling name by its instructions."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if _NAMED.fullmatch(base) and not base.endswith(_OTHERS):
        return True
    return base in _NAMELESS and bool(_FIRST.match(head) and _ITS.search(head)) and not _DOCKER.search(head)
