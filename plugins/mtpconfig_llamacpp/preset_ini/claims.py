"""Which INI files are llama-server's."""

from __future__ import annotations

import re

_NAMED = re.compile(r"(?:.*[._-])?(?:presets?|models?|llama[\w.-]*)(?:[._-].*)?\.ini(?:\.[\w-]+)?|config\.ini")
_ANY = re.compile(r".*\.(?:ini|cfg|conf)(?:\.(?:j2|tmpl|in|example|sample|template))?|[^.]*")

_ONLY_ITS = re.compile(
    r"^[ \t]*-{0,2}(?:spec-(?:type|default|draft-[\w-]+|ngram-[\w-]+)|draft-(?:max|min|n|p-min)|model-draft|md|hfd"
    r"|hf-repo-draft|LLAMA_ARG_\w+)[ \t]*=",
    re.MULTILINE,
)
_ITS = re.compile(
    r"^[ \t]*(?:m|model|mu|model-url|hf|hfr|hf-repo|hf-file|c|ctx-size|ngl|n-gpu-layers|gpu-layers|b|ub|batch-size"
    r"|ubatch-size|fa|flash-attn|np|parallel|ctk|ctv|cache-type-[kv]|jinja|mmproj|no-mmproj|no-mmap|load-on-startup"
    r"|n-cpu-moe|chat-template[\w-]*|temp|top-p|top-k|min-p)[ \t]*=",
    re.MULTILINE,
)
_SECTION = re.compile(r"^\ufeff?\[[^\]\r\n]+\]", re.MULTILINE)


def is_preset(name: str, head: str) -> bool:
    """Whether a file is one, by its name and its keys; the less the name says, the more the keys must."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if not _SECTION.search(head):
        return False
    if _NAMED.fullmatch(base):
        return bool(_ONLY_ITS.search(head) or _ITS.search(head))
    if not _ANY.fullmatch(base):
        return False
    return bool(_ONLY_ITS.search(head)) or len({match[0].split("=")[0].strip() for match in _ITS.finditer(head)}) >= 3
