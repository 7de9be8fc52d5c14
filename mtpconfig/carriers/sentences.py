"""Lines that speak of a command and are none: sentences and synopses."""

from __future__ import annotations

import re

_MOST = 2000
_SYNOPSIS = re.compile(r"\[(?:-|[Oo]ptions|OPTIONS|[A-Z_]+\])|\.\.\.\s*$")
_SENTENCE = re.compile(r"\w[)\"'`]?[.:!?]$")
_STATEMENT = re.compile(
    r"\s--?[A-Za-z][\w-]*[`\"']?(?:[ =][^\s;|&\"'-][^\s;|&\"']*)?"
    r"\s(?:is|are|was|were|has|have|does|did|will|would|should|must|cannot)\s"
)


def is_synopsis(line: str) -> bool:
    """Whether a line shows how a command is written: `prog [options] --a N`."""
    return bool(_SYNOPSIS.search(line[:_MOST]))


def is_sentence(line: str) -> bool:
    """Whether a line ends as sentences do, or says something of an option: `prog --a 1 is no longer supported`."""
    return bool(_SENTENCE.search(line) or _STATEMENT.search(line[:_MOST]))
