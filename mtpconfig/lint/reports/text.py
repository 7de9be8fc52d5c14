"""The report for people: the source, what happens, why, and what to do."""

from __future__ import annotations

from collections.abc import Iterator

import click

from mtpconfig.launch import Target
from mtpconfig.lint.findings import Finding
from mtpconfig.lint.reports import Run
from mtpconfig.lint.reports.concise import summary
from mtpconfig.lint.reports.plain import plain, sentence
from mtpconfig.secrets import hide
from mtpconfig.text import Source

_COLOUR = {"error": "red", "warning": "yellow", "info": "cyan"}
_WIDTH = 200


def render(run: Run) -> str:
    """All findings with their source frames, and the summary; colour is stripped where it is not wanted."""
    blocks = ["\n".join(_block(finding)) for finding in run.findings]
    return "\n\n".join([*blocks, "\n".join([*_outside(run), summary(run)])])


def _outside(run: Run) -> Iterator[str]:
    for report in run.reports:
        for launch in report.launches:
            if launch.outside and launch.target is not None:
                what = "what runs" if launch.target.unreleased else str(launch.target.range)
                yield (
                    f"{plain(report.path)}:{launch.line}: {launch.target.engine}: {what} is none of the known "
                    f"versions: read as {launch.version}, {_unjudged(launch.target)} not judged"
                )


def _unjudged(target: Target) -> str:
    moving = target.unreleased and target.range.first is not None
    return "names that it may have got are" if moving else "names are"


def _block(finding: Finding) -> Iterator[str]:
    source, colour = finding.source, _COLOUR[finding.severity]
    place = source.position(finding.span.start)
    code = click.style(f"{finding.severity}[{finding.code}]", fg=colour, bold=True)
    where = plain(f"{source.path}:{place.line}:{place.column}")
    yield f"{where}: {code} {finding.name}: {sentence(finding.message)}"
    if not source.text:
        return
    gutter = len(str(place.line))
    bar = click.style("|", fg="blue")
    yield f"{' ' * gutter} {bar}"
    before = source.line(place.line - 1)
    if before.strip():
        yield f"{place.line - 1:>{gutter}} {bar} {_shown(before, source.line(place.line - 2))}"
    yield f"{place.line:>{gutter}} {bar} {_shown(source.line(place.line), before)}"
    yield f"{' ' * gutter} {bar} {_carets(source, finding, colour)}"
    yield f"{' ' * gutter} {bar}"
    notes = [("why", finding.why), ("fix", _fix(finding)), ("help", _help(finding)), ("target", _target(finding))]
    width = max(len(name) for name, text in notes if text) + 1 if any(text for _, text in notes) else 0
    for name, text in notes:
        if text:
            yield f"{' ' * gutter} {click.style('=', fg='blue')} {(name + ':').ljust(width)} {sentence(text)}"


def _shown(line: str, above: str) -> str:
    text = hide(line, above).replace("\t", " ")
    text = "".join(char if char.isprintable() else "\ufffd" for char in text)
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."


def _carets(source: Source, finding: Finding, colour: str) -> str:
    start = source.position(finding.span.start)
    line_end = source.line_starts[start.line - 1] + len(source.line(start.line))
    length = max(1, min(finding.span.end, line_end) - finding.span.start)
    marks = click.style("^" * length, fg=colour, bold=True)
    return f"{' ' * (start.column - 1)}{marks} {sentence(finding.detail)}".rstrip()


def _fix(finding: Finding) -> str:
    fix = finding.fix
    if fix is None:
        return ""
    return f"{fix.title} ({fix.safety}; run with --fix{'' if fix.safety == 'safe' else ' --unsafe-fixes'})"


def _help(finding: Finding) -> str:
    return "" if finding.fix is not None and finding.fix.safety == "safe" else finding.help


def _target(finding: Finding) -> str:
    target = finding.target
    if target is None:
        return ""
    if target.assumed:
        say = f"{target.engine}@{target.range.last}"
        return f"any of {target.range}: {target.source}; say it with `# mtpconfig: target {say}` or --target {say}"
    where = f" on line {finding.source.position(target.span.start).line}" if target.span is not None else ""
    return f"{'no release' if target.unreleased else target.range}, from {target.source}{where}"
