"""What several files of a run say together is said once.

A launch that is read with another file's text (a unit's drop-in) belongs to the file that it is written in, and so does
a finding. Of files of variables that others read, whoever starts the program knows more than they do:
`env_file` and its like name them; the `.env` beside a Compose file is put into that file's text, and given to nobody.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from msgspec.structs import replace

from mtpconfig.lint.findings import FileReport, Finding, LaunchReport


def told_once(reports: Sequence[FileReport]) -> list[FileReport]:
    """The reports, each launch and each finding in one of them: that of the file it stands in, else the first."""
    if not any(_foreign(report) for report in reports):
        return list(reports)
    launches: dict[object, str] = {}
    findings: dict[object, str] = {}
    for report in sorted(reports, key=lambda report: bool(_foreign(report))):
        for launch in report.launches:
            _claim(launches, _launch_key(launch), report.path)
        for finding in report.findings:
            _claim(findings, _finding_key(finding), report.path)
    return [
        replace(
            report,
            launches=[launch for launch in report.launches if launches[_launch_key(launch)] == report.path],
            findings=[finding for finding in report.findings if findings[_finding_key(finding)] == report.path],
        )
        for report in reports
    ]


def _foreign(report: FileReport) -> bool:
    sources = [launch.launch.fragment.source.path for launch in report.launches]
    return any(path != report.path for path in (*sources, *(finding.source.path for finding in report.findings)))


def _claim(owners: dict[object, str], key: tuple[str, object], path: str) -> None:
    """The file that something stands in has it; else whichever comes first."""
    if key not in owners or os.path.realpath(path) == key[0]:
        owners[key] = path


def _launch_key(report: LaunchReport) -> tuple[str, object]:
    launch = report.launch
    return os.path.realpath(launch.fragment.source.path), (launch.fragment.locate_all()[:1], launch.engine)


def _finding_key(finding: Finding) -> tuple[str, object]:
    return os.path.realpath(finding.source.path), (finding.span, finding.rule, finding.message)


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
