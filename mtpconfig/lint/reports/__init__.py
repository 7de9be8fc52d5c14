"""Faces of a lint run: text for people, concise lines for greps, JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mtpconfig.lint.findings import FileReport, Finding


class Run(Struct, frozen=True):
    """All reports of one run. `fixed` holds what fixes removed."""

    reports: Sequence[FileReport]
    fixed: Sequence[Finding] = ()

    @property
    def findings(self) -> list[Finding]:
        """All findings, file by file."""
        return [finding for report in self.reports for finding in report.findings]

    @property
    def launches(self) -> int:
        """How many launches of known engines were found."""
        return sum(launch.launch.ours for report in self.reports for launch in report.launches)

    def failed(self) -> bool:
        """Whether the run fails: anything above a note was found."""
        return any(finding.severity != "info" for finding in self.findings)
