"""One line a finding: `path:line:column: severity[CODE] message`."""

from __future__ import annotations

from mtpconfig.lint.findings import Finding
from mtpconfig.lint.reports import Run
from mtpconfig.lint.reports.plain import plain, sentence


def heading(finding: Finding) -> str:
    """The line that names a finding."""
    place = finding.source.position(finding.span.start)
    where = plain(f"{finding.source.path}:{place.line}:{place.column}")
    return f"{where}: {finding.severity}[{finding.code}] {finding.name}: {sentence(finding.message)}"


def render(run: Run) -> str:
    """All findings, and the summary."""
    return "\n".join([*map(heading, run.findings), summary(run)])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 'es' if noun.endswith('ch') else 's'}"


def summary(run: Run) -> str:
    """What was found where, and what `--fix` would do."""
    found = run.findings
    counts = [
        _count(number, noun)
        for severity, noun in (("error", "error"), ("warning", "warning"), ("info", "note"))
        if (number := sum(finding.severity == severity for finding in found))
    ]
    where = f"in {_count(run.launches, 'launch')} ({_count(len(run.reports), 'file')})"
    text = f"Found {', '.join(counts)} {where}." if counts else f"No faults {where}."
    if run.fixed:
        text += f" Fixed {len(run.fixed)}."
    safe = sum(finding.fix is not None and finding.fix.safety == "safe" for finding in found)
    unsafe = sum(finding.fix is not None and finding.fix.safety == "unsafe" for finding in found)
    if safe:
        text += f" {safe} fixable with --fix"
        text += f" ({unsafe} more with --unsafe-fixes)." if unsafe else "."
    elif unsafe:
        text += f" {unsafe} fixable with --fix --unsafe-fixes."
    return text
