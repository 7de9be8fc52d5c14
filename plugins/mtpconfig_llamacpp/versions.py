"""Where people write llama.cpp's build number.

Comments are read narrowly: the engine's name with a build, or a comment that begins with the build. A number that
belongs to something else, or a build that is a bound or a memory ("b9180+", "worked with b8700"), does not state the
build in use.
"""

from __future__ import annotations

import re

from mtpconfig.engine import VersionHint
from mtpconfig.launch import HintKind
from mtpconfig.stated import is_stated
from mtpconfig.version import BUILD, VersionRange

_IMAGE = re.compile(r"llama\.cpp(?:[-/][\w.-]+)?:(?:[\w.-]*-)?b(?P<build>\d{4,6})(?=$|@|-)")
_COMPONENT = re.compile(r"[^/\\]+")
_IN_COMPONENT = re.compile(r"(?<![0-9A-Za-z])b(?P<build>\d{4,6})(?![0-9A-Za-z])")
_BARE_IN_COMPONENT = re.compile(r"llama(?:\.cpp|-cpp|cpp)?[-_](?P<build>\d{4,5})(?![0-9A-Za-z])")
_YEAR = re.compile(r"20[0-4]\d")
_COMMENT = re.compile(
    r"llama[.-]?cpp\W{1,3}(?:(?:build|version|release|tag|rev)\W{1,2})?b?(?P<named>\d{4,6})\b"
    r"|^[\s#;/*!-]{0,6}(?:(?:build|version)\W{1,2}b?|b)(?P<first>\d{4,6})\b",
    re.IGNORECASE,
)
_FETCHED = re.compile(
    r"(?:--branch|-b)[ =]b(?P<branch>\d{4,6})\s[^\n]*llama\.cpp"
    r"|llama\.cpp[^\n]*\s(?:--branch|-b)[ =]b(?P<clone>\d{4,6})\b"
    r"|releases/download/b(?P<release>\d{4,6})/llama-b(?P=release)-"
)
_UNRELEASED = re.compile(r"\bpull/\d+/head\b|\bgh pr checkout\b|\+ PR #?\d+\b")


def find(kind: HintKind, text: str) -> VersionHint | None:
    """The one build that a text names as the build in use; None when it names none, several, or only a bound."""
    match kind:
        case "image":
            found = _IMAGE.search(text)
            return _hint(found, "build", 0) if found else None
        case "path":
            return _in_path(text)
        case "comment":
            return _in_comment(text)
        case _:
            return None


def _in_comment(text: str) -> VersionHint | None:
    text = text[:400]
    if (built := _UNRELEASED.search(text)) is not None:
        return VersionHint(VersionRange(), *built.span(), released=False)
    if (fetched := _FETCHED.search(text)) is not None:
        return _hint(fetched, fetched.lastgroup or "", 0)
    found = [match for match in _COMMENT.finditer(text) if is_stated(text, *match.span(), "llama.cpp")]
    builds = {match["named"] or match["first"] for match in found}
    return _hint(found[0], "named" if found[0]["named"] else "first", 0) if len(builds) == 1 else None


def _in_path(text: str) -> VersionHint | None:
    """A build in a folder's name that also says llama, or a folder named by the build alone below one that does."""
    llama = False
    for component in _COMPONENT.finditer(text):
        name = component[0]
        llama = llama or "llama" in name.lower()
        found = _IN_COMPONENT.search(name) if "llama" in name.lower() else None
        if found is None and llama:
            found = re.fullmatch(_IN_COMPONENT, name) or _BARE_IN_COMPONENT.search(name)
        if found is not None and not (found.re is _BARE_IN_COMPONENT and _YEAR.fullmatch(found["build"])):
            return _hint(found, "build", component.start())
    return None


def _hint(match: re.Match[str], group: str, shift: int) -> VersionHint:
    version = BUILD.parse(match[group])
    start, end = match.span(group)
    start -= match.string[start - 1 : start] in ("b", "B") if start else 0
    return VersionHint(VersionRange(version, version), start + shift, end + shift)
