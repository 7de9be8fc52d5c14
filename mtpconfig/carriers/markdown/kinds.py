"""What stands in a code block: by its label, and by its content where the label is missing or wrong."""

from __future__ import annotations

import re
from typing import NamedTuple

from mtpconfig.carriers.markdown.blocks import CodeBlock
from mtpconfig.carriers.markdown.content import evident, first_line, likely
from mtpconfig.carriers.markdown.prompts import typed, without_prompts
from mtpconfig.text import Fragment

NESTED = "fence.md"
"""The name of a block that is Markdown itself."""

_SHELL = "fence.sh"
_FILES = {
    _SHELL: ("bash", "sh", "shell", "shellscript", "shell-script", "ksh", "ash", "dash", "posix", "commandline", "cli"),
    "fence.zsh": ("zsh",),
    "fence.fish": ("fish",),
    "fence.yaml": ("yaml", "yml", "docker-compose", "compose", "k8s", "kubernetes", "helm"),
    "fence.json": ("json", "jsonc", "json5"),
    "fence.ini": ("ini", "cfg", "conf", "config", "properties", "dosini"),
    "fence.toml": ("toml",),
    "fence.py": ("python", "py", "python3", "ipython"),
    "fence.service": ("systemd", "service", "unit"),
    "fence.ps1": ("powershell", "pwsh", "ps1", "ps", "posh"),
    "fence.bat": ("bat", "batch", "cmd", "dos", "batchfile"),
    "fence.nix": ("nix",),
    "fence.js": ("javascript", "js", "node"),
    "fence.ts": ("typescript", "ts"),
    NESTED: ("markdown", "md", "mdx"),
    ".env": ("env", "dotenv"),
    "Dockerfile": ("dockerfile", "docker", "containerfile"),
    "Modelfile": ("modelfile",),
    "Makefile": ("makefile", "make"),
    "justfile": ("just", "justfile"),
}
_NAMES = {label: name for name, labels in _FILES.items() for label in labels}
_SESSIONS = frozenset(
    ("console", "shell-session", "shellsession", "sh-session", "bash-session", "terminal", "term", "zsh-session")
)
_SHOWS = frozenset(
    ("text", "txt", "plain", "plaintext", "output", "log", "logs", "diff", "patch", "ansi", "csv", "mermaid", "none")
)
_CONFIGURATIONS = frozenset(
    ("fence.yaml", "fence.ini", "fence.toml", "fence.json", "fence.service", "Dockerfile", "Modelfile")
)
_TRUSTED = frozenset(("fence.py", NESTED, "fence.nix", "fence.js", "fence.ts", "Makefile", "justfile"))
_TITLE = re.compile(r"""(?:title|file_?name|file|path)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s}"']+))|^\w+:(\S+)""", re.I)
_FILE_NAME = re.compile(r"[\w.-]*\.[A-Za-z]\w*|Dockerfile\S*|Containerfile|Modelfile\S*|Makefile|justfile")
_OPTION = re.compile(r"--?[A-Za-z]")


class Reading(NamedTuple):
    """The text of a code block as a carrier reads it, and the name of a file of its kind."""

    body: Fragment
    name: str


def reading_of(block: CodeBlock) -> Reading | None:
    """How to read a code block; None for one that shows output, or that nobody can tell."""
    text = block.body.text
    label, title = _label(block.info or "")
    if label in _SHOWS or not text.strip():
        return None
    if title:
        return Reading(block.body, title)
    if label in _SESSIONS or typed(text):
        body = without_prompts(block.body, session=label in _SESSIONS)
        if body is not None:
            return Reading(body, _SHELL)
    name = _name(label, text)
    if name == _SHELL and _OPTION.match(first_line(text)):
        return None  # a list of options, no command
    return Reading(block.body, name) if name else None


def _name(label: str, text: str) -> str:
    if label in _SESSIONS:
        return evident(text) or _SHELL
    if not label:
        return evident(text) or likely(text)
    own = _NAMES.get(label, "")
    if own in _TRUSTED:
        return own
    other = evident(text)
    if not own:
        return other if other in _CONFIGURATIONS else ""
    if other:
        return other
    guess = likely(text)
    mislabelled = (guess == _SHELL and own in _CONFIGURATIONS) or (guess == "fence.yaml" and own == _SHELL)
    return guess if mislabelled else own


def _label(info: str) -> tuple[str, str]:
    """The language, in lower case, and the file that an info string names: `{.bash}`, `yaml title=compose.yml`."""
    inner = info.strip()
    if inner.startswith("{"):
        inner = inner.strip("{}").strip()
    label = re.split(r"[\s{,:]", inner, maxsplit=1)[0].lstrip(".").lower() if "=" not in inner.split(" ")[0] else ""
    named = _TITLE.search(inner)
    title = next((group for group in named.groups() if group), "").rsplit("/", 1)[-1] if named else ""
    return label, title if _FILE_NAME.fullmatch(title) else ""
