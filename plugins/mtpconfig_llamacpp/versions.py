"""Where people write llama.cpp's build number."""

from __future__ import annotations

import re

from mtpconfig.engine import VersionHint
from mtpconfig.launch import HintKind
from mtpconfig.version import BUILD, VersionRange

_IMAGE = re.compile(r"llama\.cpp(?:[-/][\w.-]+)?:(?:[\w.-]*-)?b(?P<build>\d{4,6})(?=$|@|-)")
_PATH = re.compile(
    r"(?:llama(?:\.cpp|-cpp|cpp)?[-_/]|[-_/])b(?P<build>\d{4,6})(?![0-9A-Za-z])|llama(?:\.cpp|cpp)?[-_](?P<bare>\d{4,5})(?=/)"
)
_COMMENT = re.compile(
    r"(?:\bllama[.-]?cpp\W{1,3}(?:(?:build|version|release|tag|rev)\W{1,2})?b?|\bbuild\W{1,2}b?|\bversion:\s*|(?<![\w.-])b)(?P<build>\d{4,6})\b",
    re.IGNORECASE,
)
_HEDGED_BEFORE = re.compile(
    r"(?:\bnot|\bno|(?<!pinned )\bto|\btry|\bunlike|\blike|\bsee|\bwant|since|from|needs?|requires?|required|before|"
    r"until|till|after|upto|up to|than|removed(?: in)?|added(?: in)?|"
    r"broken?(?: in)?|landed(?: in)?|gone(?: in)?|fixed(?: in)?|new in|minimum|min|at least|"
    r"[<>=]=?|\.\.|-)\W*(?:llama\.cpp\W*)?(?:build\W*)?$",
    re.IGNORECASE,
)
_HEDGED_AFTER = re.compile(
    r"^\s*(?:\+|\.\.|-\s*b?\d|or\s+(?:newer|later|older|above|up|higher)|and\s+(?:newer|later|older|up|above)|onwards?)",
    re.IGNORECASE,
)


def find(kind: HintKind, text: str) -> VersionHint | None:
    """The one build that a text names as the build in use; None when it names none, several, or a bound ("b9180+")."""
    if kind == "pin":
        return None
    if kind == "comment":
        found = list(_COMMENT.finditer(text))
        if len({match["build"] for match in found}) != 1:
            return None
        match = found[0]
        if _HEDGED_BEFORE.search(text[: match.start()]) or _HEDGED_AFTER.match(text[match.end() :]):
            return None
        return _hint(match, "build")
    match_ = (_IMAGE if kind == "image" else _PATH).search(text)
    if match_ is None:
        return None
    return _hint(match_, "build" if match_["build"] else "bare")


def _hint(match: re.Match[str], group: str) -> VersionHint:
    version = BUILD.parse(match[group])
    start = match.start(group)
    return VersionHint(
        VersionRange(version, version), start - (match.string[start - 1 : start] == "b"), match.end(group)
    )
