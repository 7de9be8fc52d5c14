"""Files of variables that others of the run read: whoever starts the program knows more than they do.

`env_file` and its like name them; the `.env` beside a Compose file is put into that file's text, and given to nobody.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from msgspec.structs import replace

from mtpconfig.lint.findings import FileReport, Finding, LaunchReport


def judged_once(reports: Sequence[FileReport]) -> list[FileReport]:
    """The reports without what a file of variables says alone, where a launch with a stated version reads it."""
    composed = {_folder(report.path) for report in reports if any(map(_by_compose, report.launches))}
    read = {path for report in reports for launch in report.launches for path in _named(launch, report.path)}
    return [
        replace(report, findings=[finding for finding in report.findings if not _alone(finding)])
        if os.path.realpath(report.path) in read or _is_put_into(report.path, composed)
        else report
        for report in reports
    ]


def _folder(path: str) -> str:
    return os.path.dirname(os.path.realpath(path))


def _by_compose(report: LaunchReport) -> bool:
    return report.launch.carrier == "docker compose"


def _is_put_into(path: str, composed: set[str]) -> bool:
    return os.path.basename(path) == ".env" and _folder(path) in composed


def _named(report: LaunchReport, path: str) -> set[str]:
    if report.target is None or report.target.assumed:
        return set()
    sources = {given.name.fragment.source.path for given in report.launch.given} - {path}
    return {os.path.realpath(source) for source in sources}


def _alone(finding: Finding) -> bool:
    launch, target = finding.launch, finding.target
    return launch is not None and not launch.argv and target is not None and target.assumed
