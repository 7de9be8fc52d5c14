"""What the linter says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from mtpconfig.carrier import NO_FILES, Files
from mtpconfig.launch import Launch, Target
from mtpconfig.match import Severity
from mtpconfig.spec import MTPSpec
from mtpconfig.text import Edit, Source, Span
from mtpconfig.version import Version, VersionRange

Certainty = Literal["sure", "if-version", "if-unset"]
Safety = Literal["safe", "unsafe"]

RANK: dict[str, int] = {"info": 1, "warning": 2, "error": 3}


class Fix(Struct, frozen=True):
    """Edits that remove a finding. Safe: it means the same and is right for every version that the target may be."""

    title: str
    safety: Safety
    edits: tuple[Edit, ...]


class Verdict(Struct, frozen=True):
    """What holds in a range of versions: a severity, or None where the same text is right."""

    range: VersionRange
    severity: Severity | None


class Finding(Struct, frozen=True, eq=False):
    """One thing said about one place.

    detail  what stands under the carets, in a few words
    why     what really happens, and how we know
    help    what to do
    """

    code: str
    name: str
    rule: str
    severity: Severity
    certainty: Certainty
    source: Source
    span: Span
    message: str
    detail: str = ""
    why: str = ""
    help: str = ""
    related: tuple[Span, ...] = ()
    launch: Launch | None = None
    target: Target | None = None
    verdicts: tuple[Verdict, ...] = ()
    fix: Fix | None = None


class LaunchReport(Struct, frozen=True, eq=False):
    """A launch that was found, as its target version reads it.

    choices  the methods of each of its branches, where these differ
    """

    launch: Launch
    target: Target | None
    version: Version | None
    spec: MTPSpec
    line: int
    outside: bool = False
    why_open: str = ""
    choices: tuple[tuple[str, ...], ...] = ()


class FileReport(Struct, frozen=True, eq=False):
    """All that was found in one file; `files` are the others that it may name."""

    path: str
    source: Source | None
    launches: Sequence[LaunchReport] = ()
    findings: Sequence[Finding] = ()
    files: Files = NO_FILES
