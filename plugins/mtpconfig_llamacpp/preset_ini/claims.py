"""Which INI files are llama-server's."""

from __future__ import annotations

import re

_NAMED = re.compile(r"(?:.*[._-])?(?:presets?|models?|llama[\w.-]*)(?:[._-].*)?\.ini(?:\.[\w-]+)?|config\.ini")
_ANY = re.compile(r".*\.(?:ini|cfg|conf)(?:\.(?:j2|tmpl|in|example|sample|template))?|[^.]*")

_NAMELESS = ("", "fence.ini")
"""The names of texts that stand in no file of their own."""

_OTHERS = ("setup.cfg", "tox.ini", "pytest.ini")

_ONLY_ITS = re.compile(
    r"^[ \t]*-{0,2}(?:spec-(?:type|default|draft-[\w-]+|ngram-[\w-]+)|draft-(?:max|min|n|p-min)|model-draft|md|hfd"
    r"|hf-repo-draft|LLAMA_ARG_\w+)[ \t]*=",
    re.MULTILINE,
)
_ITS = re.compile(
    r"^[ \t]*(m|model|mu|model-url|hf|hfr|hf-repo|hf-file|c|ctx-size|ngl|n-gpu-layers|gpu-layers|b|ub|batch-size"
    r"|ubatch-size|fa|flash-attn|np|parallel|ctk|ctv|cache-type-[kv]|jinja|mmproj|no-mmproj|no-mmap|load-on-startup"
    r"|n-cpu-moe|chat-template[\w-]*|temp|top-p|top-k|min-p)[ \t]*=",
    re.MULTILINE,
)
_ALL_MODELS = re.compile(r"^\ufeff?\[\*\]", re.MULTILINE)
_SECTION = re.compile(r"^\ufeff?\[[^\]\r\n]+\]", re.MULTILINE)


def is_preset(name: str, head: str) -> bool:
    """Whether a file is one, by its name and its keys; the less the name says, the more the keys must."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if not _SECTION.search(head):
        return False
    if _NAMED.fullmatch(base):
        return bool(_ONLY_ITS.search(head) or _ITS.search(head))
    if base in _OTHERS or not _ANY.fullmatch(base):
        return False
    telling, usual = bool(_ONLY_ITS.search(head)), {match[1] for match in _ITS.finditer(head)}
    if telling and (usual or base in _NAMELESS):
        return True
    return len(usual) >= 3 or bool((telling or usual) and _ALL_MODELS.search(head))
