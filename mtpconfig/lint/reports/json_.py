"""The JSON report. Keys may come; none goes or changes its meaning."""

from __future__ import annotations

import json
from typing import Any

from mtpconfig.launch import Target
from mtpconfig.lint.findings import Finding, LaunchReport
from mtpconfig.lint.reports import Run
from mtpconfig.secrets import hide, hide_quoted
from mtpconfig.text import Source, Span

SCHEMA = 1


def render(run: Run) -> str:
    """The whole run as one JSON document."""
    document = {
        "schema": SCHEMA,
        "files": len(run.reports),
        "launches": [_launch(report.path, launch) for report in run.reports for launch in report.launches],
        "findings": [_finding(finding) for finding in run.findings],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _target(target: Target | None) -> dict[str, Any] | None:
    if target is None:
        return None
    said: dict[str, Any] = {"range": str(target.range), "source": target.source, "assumed": target.assumed}
    if target.embeds is not None:
        said["embeds"] = {"engine": target.embeds.engine, "range": str(target.embeds.range)}
    return said


def _launch(path: str, report: LaunchReport) -> dict[str, Any]:
    spec = report.spec
    return {
        "path": path,
        "line": report.line,
        "engine": report.launch.engine,
        "program": report.launch.program,
        "carrier": report.launch.carrier,
        "label": report.launch.label,
        "target": _target(report.target),
        "read_as": str(report.version) if report.version else None,
        "outside_known_range": report.outside,
        "closed": not report.why_open,
        "spec": {
            "state": spec.state,
            "methods": list(spec.methods),
            "gamma": spec.gamma,
            "temperature": spec.temperature,
            "model": hide(spec.model) if spec.model is not None else None,
            "drafter": hide(spec.drafter) if spec.drafter is not None else None,
            "p_min": spec.p_min,
        },
    }


def _place(source: Source, offset: int) -> dict[str, int]:
    position = source.position(offset)
    return {"line": position.line, "column": position.column}


def _span(source: Source, span: Span) -> dict[str, Any]:
    return {"start": _place(source, span.start), "end": _place(source, span.end)}


def _finding(finding: Finding) -> dict[str, Any]:
    source = finding.source
    return {
        "code": finding.code,
        "name": finding.name,
        "rule": finding.rule,
        "severity": finding.severity,
        "certainty": finding.certainty,
        "path": source.path,
        "engine": finding.launch.engine if finding.launch else None,
        "target": _target(finding.target),
        **_span(source, finding.span),
        "message": hide_quoted(finding.message),
        "detail": hide_quoted(finding.detail),
        "why": hide_quoted(finding.why),
        "help": hide_quoted(finding.help),
        "verdicts": [{"range": str(v.range), "severity": v.severity} for v in finding.verdicts],
        "fix": None
        if finding.fix is None
        else {
            "title": finding.fix.title,
            "safety": finding.fix.safety,
            "edits": [{**_span(source, edit.span), "text": edit.text} for edit in finding.fix.edits],
        },
    }
