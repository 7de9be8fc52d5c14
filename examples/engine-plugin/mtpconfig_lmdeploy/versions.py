"""Where people write LMDeploy's release: image tags, pins, comments. Read narrowly."""

from __future__ import annotations

import re

from mtpconfig.engine import VersionHint
from mtpconfig.launch import HintKind
from mtpconfig.stated import is_stated
from mtpconfig.version import PEP440, VersionRange

_RELEASE = r"(?P<release>\d+\.\d+\.\d+(?:\.post\d+)?)"
_PATTERNS: dict[HintKind, re.Pattern[str]] = {
    "image": re.compile(rf"(?:^|/)lmdeploy:v?{_RELEASE}(?=$|[-@])"),
    "pin": re.compile(rf"""^["']?lmdeploy(?:\[[\w,]+\])?\s*===?\s*{_RELEASE}["']?\s*$""", re.IGNORECASE),
    "comment": re.compile(rf"(?<![\w./-])lmdeploy(?:==|[ \t:]+)v?{_RELEASE}(?![\w.]*\w)", re.IGNORECASE),
}


def find(kind: HintKind, text: str) -> VersionHint | None:
    """The release that a text names as the one in use; None when it names none."""
    pattern = _PATTERNS.get(kind)
    found = pattern.search(text) if pattern is not None else None
    if found is None or (kind == "comment" and not is_stated(text, *found.span(), "lmdeploy")):
        return None
    version = PEP440.parse(found["release"])
    return VersionHint(VersionRange(version, version), *found.span("release"))
