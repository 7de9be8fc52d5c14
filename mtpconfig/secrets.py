"""Hides what scripts should not hold and often do: keys, tokens and passwords are never echoed."""

from __future__ import annotations

import re

_NAME = r"(?:[\w-]*(?:api[_-]?key|token|secret|passw(?:or)?d|credential|authorization)[\w-]*|-hft)"
_PATTERNS = (
    re.compile(
        rf"(?i)(?P<kept>(?<![\w-])-{{0,2}}{_NAME}(?:\s*[=:]\s*|\s+)[\"']?(?:Bearer\s+)?)(?P<secret>[^\s\"'\\]+)"
    ),
    re.compile(r"(?P<kept>)(?P<secret>\b(?:hf_|sk-|ghp_|github_pat_|glpat-|xox[bp]-)[\w-]{6,})"),
    re.compile(r"(?P<kept>://[^\s/:@]+:)(?P<secret>[^\s/@]+)(?=@)"),
)
_NUMBER = re.compile(r"\d{1,9}")


def hide(text: str) -> str:
    """The text with each secret replaced by as many asterisks, so that columns stay."""
    for pattern in _PATTERNS:
        text = pattern.sub(_mask, text)
    return text


def _mask(match: re.Match[str]) -> str:
    secret = match["secret"]
    if secret.startswith(("$", "-", "<")) or _NUMBER.fullmatch(secret):
        return match[0]  # a variable, the next option or a count such as `--max-tokens 64`
    return match["kept"] + "*" * len(secret)
