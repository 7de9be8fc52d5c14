"""Where people write Ollama's version.

Comments are read narrowly: Ollama's name with a version, or the version that an installer is told. A bound or a memory
("0.32.7 or newer", "worked with 0.24.0") does not state the version in use.
"""

from __future__ import annotations

import re

from mtpconfig.engine import VersionHint
from mtpconfig.launch import HintKind
from mtpconfig.version import PEP440, VersionRange

_NUMBER = r"v?(?P<{name}>0\.\d{{1,3}}\.\d{{1,3}}(?:-rc\d{{1,3}})?)(?![\w.]*\d)"
_IMAGE = re.compile(r"(?:^|/)ollama/ollama:" + _NUMBER.format(name="tag") + r"(?=$|@|-)")
_PATH = re.compile(r"(?:^|[/\\])ollama[-_]" + _NUMBER.format(name="path") + r"(?=[/\\]|$)")
_COMMENT = re.compile(
    r"\bollama\W{1,3}(?:(?:version|release|tag|is|at|server)\W{1,2}){0,3}" + _NUMBER.format(name="named")
    + r"|\bOLLAMA_VERSION\s{0,2}[=:]\s{0,2}[\"']?" + _NUMBER.format(name="asked")
    + r"|ollama/releases/download/" + _NUMBER.format(name="fetched"),
    re.IGNORECASE,
)  # fmt: skip
_HEDGED_BEFORE = re.compile(
    r"\b(?:not|no|never|avoid|to|try|todo|fixme|test(?:ed|ing)?|unlike|like|see|want|since|from|needs?|requires?|required|"
    r"before|until|till|after|upto|than|removed|added|broken?|broke|gone|fixed|new|minimum|min|least|worked|was|were|"
    r"regression|introduced|instead|by)\b[^.;]{0,24}$|(?:n't|[<>=]=?|\.\.)\s*$",
    re.IGNORECASE,
)
_HEDGED_AFTER = re.compile(
    r"^\s*(?:\+|\.\.|->|-\s*v?\d|(?:or|and)\s+(?:newer|later|older|above|up|higher)|onwards?\b|[^.;]{0,16}\b(?:was|were|"
    r"needs?|needed|required|broke|broken|removed|introduced|added|adds|fixes|lacks|does|did|has|have|works?|worked)\b)",
    re.IGNORECASE,
)


def find(kind: HintKind, text: str) -> VersionHint | None:
    """The one version that a text names as the one in use; None when it names none, several, or only a bound."""
    match kind:
        case "image":
            found = _IMAGE.search(text[:400])
            return _hint(found) if found else None
        case "path":
            found = _PATH.search(text[:400])
            return _hint(found) if found else None
        case "comment":
            return _in_comment(text[:400])
        case _:
            return None


def _in_comment(text: str) -> VersionHint | None:
    found = [
        match
        for match in _COMMENT.finditer(text)
        if not _HEDGED_BEFORE.search(text[: match.start()]) and not _HEDGED_AFTER.match(text[match.end() :])
    ]
    versions = {match[match.lastgroup or ""] for match in found}
    return _hint(found[0]) if len(versions) == 1 else None


def _hint(match: re.Match[str]) -> VersionHint:
    group = match.lastgroup or ""
    version = PEP440.parse(match[group])
    return VersionHint(VersionRange(version, version), *match.span(group))
