"""Which files are shell scripts."""

from __future__ import annotations

import re

_SUFFIXES = (".sh", ".bash", ".zsh", ".ksh", ".command", ".bats", ".sh.example", ".sh.in", ".sbatch", ".slurm")
_NAMES = frozenset(
    (
        ".envrc",
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_aliases",
        ".profile",
        ".zshrc",
        ".zprofile",
        ".zshenv",
        ".kshrc",
        ".xinitrc",
        ".xprofile",
    )
)
_SHEBANG = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*)?(?:\S*/)?(?:ba|z|k|da|a|rba|mk)?sh\b")
_CONTENT = re.compile(
    r"^\s*(?:set -[a-z]+|export [A-Za-z_]\w*=|[A-Za-z_]\w*=\(|if \[|for \w+ in |.*\S[ \t]\\\r?$)", re.MULTILINE
)
_ZSH = re.compile(r"#!.*\bzsh\b")


def is_shell(name: str, head: str) -> bool:
    """Whether a file is a shell script, by its name, else by its shebang, else (without a name) by its content."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if base.endswith(_SUFFIXES) or base in _NAMES:
        return True
    if _SHEBANG.match(head.lstrip("\ufeff")):
        return True
    return base in ("", "-", "stdin", "<stdin>") and bool(_CONTENT.search(head))


def is_zsh(name: str, head: str) -> bool:
    """Whether a script is zsh's, where unquoted variables are not split."""
    base = name.rsplit("/", 1)[-1].lower()
    return base.endswith(".zsh") or base in (".zshrc", ".zprofile", ".zshenv") or bool(_ZSH.match(head))
