"""What a check hands over: the place where a rule holds, and how the text could be put right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from mtpconfig.launch import Setting
from mtpconfig.text import Edit, Fragment
from mtpconfig.version import Version

Severity = Literal["error", "warning", "info"]


class FixPlan(Struct, frozen=True, eq=False):
    """A fix before it is known whether it is safe: edits with what is needed to judge them.

    same_meaning  whether the launch then does what was meant, and nothing else
    holds_at      whether the new text is right at a version
    """

    title: str
    edits: tuple[Edit, ...]
    same_meaning: bool
    holds_at: Callable[[Version], bool]


def plan(title: str, *edits: Edit | None, same_meaning: bool, holds_at: Callable[[Version], bool]) -> FixPlan | None:
    """A plan, or None when one of its edits cannot be written safely."""
    written = [edit for edit in edits if edit is not None]
    if not written or len(written) != len(edits):
        return None
    return FixPlan(title, tuple(written), same_meaning, holds_at)


class Match(Struct, frozen=True, eq=False):
    """A place where a rule holds, at one version.

    anchor   what to underline; the part `part` of it, if given
    message  the headline; detail, why, help and severity override the rule's own
    explains other words of which nothing else is said, as this tells what is wrong with them
    meant    the option that a misspelt name stands for: nothing is said of its absence
    """

    anchor: Fragment
    message: str
    setting: Setting | None = None
    part: tuple[int, int] | None = None
    detail: str = ""
    why: str = ""
    help: str = ""
    severity: Severity | None = None
    about_value: bool = False
    related: tuple[Fragment, ...] = ()
    explains: tuple[Fragment, ...] = ()
    meant: str = ""
    plan: FixPlan | None = None
