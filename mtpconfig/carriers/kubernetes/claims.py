"""Which YAML (and JSON) texts are manifests, or values of a chart."""

from __future__ import annotations

import re

_SUFFIXES = (".yaml", ".yml", ".json")
_TEMPLATED = (".tpl", ".tmpl", ".gotmpl", ".j2", ".example", ".sample")
_KEY = r"(?:^|[{,\[-])[ \t]*[\"']?(?:%s)[\"']?[ \t]*:(?:\s|\Z|[\[{\"])"
_VERSION = re.compile(_KEY % "apiVersion", re.MULTILINE)
_KIND = re.compile(_KEY % "kind", re.MULTILINE)
_CONTAINERS = re.compile(_KEY % "containers|initContainers", re.MULTILINE)
_IMAGE = re.compile(_KEY % "image|repository", re.MULTILINE)
_STARTS = re.compile(
    _KEY % "command|args|extraArgs|containerArgs|argv|additionalArgs|serverArgs|extra_args|extraArguments|entrypoint",
    re.MULTILINE,
)
_PIPELINE = re.compile(r"^(?:jobs|stages|pipelines|workflows|steps|tasks):", re.MULTILINE)
"""A top key of files whose images are those of jobs, and whose commands are steps."""

_VALUES = re.compile(r"(?:.*[._-])?values(?:[._-].*)?\.ya?ml")


def is_manifest(name: str, head: str) -> bool:
    """Whether a text is a manifest or holds containers, by what it says; a chart's values also by their name."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    for suffix in _TEMPLATED:
        base = base.removesuffix(suffix)
    if not base.endswith(_SUFFIXES) and "." in base:
        return False
    head = head.removeprefix("\ufeff")
    if _VERSION.search(head) and _KIND.search(head):
        return True
    if not base.endswith(_SUFFIXES):
        return False
    if _VALUES.fullmatch(base) or _CONTAINERS.search(head):
        return True
    return not _PIPELINE.search(head) and bool(_IMAGE.search(head) and _STARTS.search(head))
