"""Hides what scripts should not hold and often do: keys, tokens and passwords are never echoed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

_WORD = r"(?:api[_-]?keys?|secret|passw(?:or)?d|passwd|credentials?|authorization|bearer)"
_NAME = rf"(?:[\w-]{{0,40}}(?:{_WORD}|[_-](?:key|pass|pw|token)|token)|-hft)"
_VALUE = r"(?P<secret>\"[^\"\n]*\"|'[^'\n]*'|(?:[^\s\"'\\`,}\]]|[,}\]](?=\w))+)"
"""A comma or a bracket before anything but a word ends the value: it belongs to what the value stands in."""
_COUNTED = re.compile(r"(?:^|[_-])(?:n|num|max|min)[_-](?:\w+[_-])?token$", re.IGNORECASE)
_NAMED = re.compile(r"[\w-]+(?=\W*(?:Bearer\W+)?$)", re.IGNORECASE)
_LONGEST = 4000
"""Lines beyond this are not shown in full anywhere."""


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Compiled when the first line is shown: a clean run shows none."""
    return (
        re.compile(
            rf"(?P<kept>(?<![\w-])-{{0,2}}{_NAME}(?:[\"'][ \t]*,|(?:\\{{0,4}}[\"'])?[ \t]*[=:])"
            rf"[ \t]*(?:\\{{1,4}}[\"'])?(?:Bearer[ \t]+)?){_VALUE}",
            re.IGNORECASE,
        ),
        re.compile(
            rf"(?P<kept>\bname[\"']?[ \t]*:[ \t]*[\"']?{_NAME}[\"']?[ \t]*,"
            rf"[ \t]*[\"']?value[\"']?[ \t]*:[ \t]*){_VALUE}",
            re.IGNORECASE,
        ),
        re.compile(rf"(?P<kept>(?<![\w-])-{{1,2}}{_NAME}[ \t]+(?:Bearer[ \t]+)?){_VALUE}", re.IGNORECASE),
    )


@cache
def _shapes() -> tuple[re.Pattern[str], ...]:
    """What is a secret by its own looks, whatever stands before it."""
    return (
        re.compile(r"(?P<kept>)(?P<secret>\bhf_[A-Za-z0-9]{20,200}(?![\w-]))"),
        re.compile(r"(?P<kept>)(?P<secret>\b(?:sk-|ghp_|github_pat_|glpat-|xox[bp]-)[\w-]{6,200})"),
        re.compile(r"(?P<kept>://[^\s/:@]{1,100}:)(?P<secret>[^\s/@]{1,200})(?=@)"),
    )


@cache
def _name_alone() -> re.Pattern[str]:
    """A line that ends with the name of a secret, as a list item or a `name:`."""
    return re.compile(
        rf"(?:^[ \t]*(?:-[ \t]+)?[\"']?-{{1,2}}|\bname[\"']?[ \t]*:[ \t]*[\"']?){_NAME}[\"']?[ \t]*,?[ \t]*\r?$", re.I
    )


@cache
def _item() -> re.Pattern[str]:
    """The value on the next line: `value: x`, a list item, or a quoted text that is no key."""
    value = r"[\"']?value[\"']?[ \t]*:[ \t]*"
    item = r"-[ \t]+(?![\w-]+:\s)|(?=[\"'])(?![\"'][^\"']*[\"'][ \t]*:)"
    return re.compile(rf"^(?P<kept>[ \t]*(?:{value}|{item})){_VALUE}", re.IGNORECASE)


def hide(text: str, above: str = "") -> str:
    """The text with each secret replaced by as many asterisks, so that columns stay; long lines are cut.

    above  the line before it: a list may have the name there (`- --api-key`, `- name: HF_TOKEN`)
    """
    lines = [line[:_LONGEST] for line in text.split("\n")]
    return "\n".join(_hidden(line, before) for before, line in zip((above[:_LONGEST], *lines), lines))


def hide_quoted(text: str) -> str:
    """A sentence of ours without secrets: what it quotes in backticks comes from a file, its own words do not."""
    parts = text[:_LONGEST].split("`")
    if len(parts) % 2 == 0:
        return hide(text)  # a backtick of the file's own: nobody can tell which words are ours
    parts[1::2] = map(hide, parts[1::2])
    return _masked("`".join(parts), _shapes())


def _hidden(line: str, above: str) -> str:
    if _name_alone().search(above):
        line = _item().sub(_mask, line, count=1)
    return _masked(line, (*_patterns(), *_shapes()))


def _masked(line: str, patterns: Iterable[re.Pattern[str]]) -> str:
    for pattern in patterns:
        line = pattern.sub(_mask, line)
    return line


def _mask(match: re.Match[str]) -> str:
    secret = match["secret"]
    if secret.startswith(("$", "-", "<", '"$', "'$")) or _counts(match["kept"], secret):
        return match[0]  # a variable, the next option, or a count such as `--max-tokens 64`
    quote = secret[0] if secret[0] in "\"'" else ""
    return match["kept"] + quote + "*" * (len(secret) - 2 * len(quote)) + quote


def _counts(kept: str, value: str) -> bool:
    """Whether a name with `token` in it is that of a number of tokens."""
    name = _NAMED.search(kept)
    if name is None:
        return False
    said = name[0].lower()
    return said.endswith(("token", "tokens")) and (value.isdigit() or _COUNTED.search(said) is not None)
