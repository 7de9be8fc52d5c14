"""Whether a number in a comment is the version in use, and no bound, wish or memory of one."""

from __future__ import annotations

import re

_HEDGED_BEFORE = re.compile(
    r"\b(?:not|no|never|avoid|(?<!pinned )to|try|todo|fixme|test(?:ed|ing)?|unlike|like|see|want|since|from|needs?|"
    r"requires?|required|before|until|till|after|upto|than|removed|added|broken?|broke|landed|gone|fixed|new|minimum|min|"
    r"least|worked|was|were|regression|introduced|instead|by)\b[^.;]{0,24}$|(?:n't|[<>=]=?|\.\.|-)\s*$",
    re.IGNORECASE,
)
_HEDGED_AFTER = re.compile(
    r"^\s*(?:\+|\.\.|->|-\s*b?\d|(?:or|and)\s+(?:newer|later|older|above|up|higher)|onwards?\b|[^.;]{0,16}\b(?:was|were|had|is|"
    r"needs?|needed|required|broke|broken|removed|introduced|added|adds|fixes|lacks|crash(?:es)?|does|did|has|have|works?|"
    r"worked)\b)",
    re.IGNORECASE,
)


def is_stated(text: str, start: int, end: int, engine: str) -> bool:
    """Whether the version that a comment names at a range is said to be the one in use; `engine` is the engine's name.

    "b9180+", "worked with b8700" and "not on 0.9" say something else.
    """
    before = text[:start]
    named = before.rstrip()
    if named.lower().endswith(engine.lower()):
        before = named[: -len(engine)]
    return not (_HEDGED_BEFORE.search(text[:start]) or _HEDGED_BEFORE.search(before) or _HEDGED_AFTER.match(text[end:]))
