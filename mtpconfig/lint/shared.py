"""Files that others of the run name (`env_file`): whoever starts the program knows more of the version than they do."""

from __future__ import annotations

import os
from collections.abc import Sequence

from msgspec.structs import replace

from mtpconfig.lint.findings import FileReport, Finding, LaunchReport


def judged_once(reports: Sequence[FileReport]) -> list[FileReport]:
    """The reports without what a file of variables says alone, where a launch with a stated version reads it."""
    read = {path for report in reports for launch in report.launches for path in _named(launch, report.path)}
    if not read:
        return list(reports)
    return [_as_named(report) if os.path.realpath(report.path) in read else report for report in reports]


def _named(report: LaunchReport, path: str) -> set[str]:
    if report.target is None or report.target.assumed:
        return set()
    sources = {given.name.fragment.source.path for given in report.launch.given} - {path}
    return {os.path.realpath(source) for source in sources}


def _as_named(report: FileReport) -> FileReport:
    return replace(report, findings=[finding for finding in report.findings if not _alone(finding)])


def _alone(finding: Finding) -> bool:
    launch, target = finding.launch, finding.target
    return launch is not None and not launch.argv and target is not None and target.assumed
