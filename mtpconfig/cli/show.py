"""`mtpconfig show`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from mtpconfig.errors import UsageError
from mtpconfig.hooks import find_engine
from mtpconfig.launch import Default, OneOf, Opaque, Value, Word
from mtpconfig.lint.findings import FileReport, Finding, LaunchReport
from mtpconfig.lint.linter import Linter
from mtpconfig.lint.reports.plain import plain, sentence
from mtpconfig.lint.target import Targets, parse_targets
from mtpconfig.lint.walk import files_below
from mtpconfig.spec import MTPSpec
from mtpconfig.text import Source


@click.command(short_help="what the engine will really receive")
@click.argument("files", nargs=-1, required=True)
@click.option("--target", "targets", multiple=True, metavar="ENGINE@VERSION", help="The version that launches run on.")
def command(files: tuple[str, ...], targets: tuple[str, ...]) -> int:
    """Show each launch as the engine receives it.

    Words stand as they are after quoting, folding and substitution; then the version and why, and the spec.
    """
    linter = Linter(Targets(parse_targets(targets)))
    blocks: list[str] = []
    for path, root in files_below(files):
        report = linter.lint_path(path, root)
        for finding in report.findings:
            if finding.code == "MTP001":
                raise UsageError(f"{path}: {finding.message}")
        if report.source is not None:
            blocks += [_block(path, report, launch) for launch in report.launches]
    click.echo("\n\n".join(blocks) if blocks else "no launch of a known engine found")
    return 0


def _block(path: str, file: FileReport, report: LaunchReport) -> str:
    launch, source = report.launch, file.source
    assert source is not None
    if not launch.ours:
        return f"{path}:{report.line}  {launch.engine}: seen, not read; its options are left alone"
    target = report.target
    assert target is not None
    title = find_engine(launch.engine).title
    why = (
        f"any version, {target.source}; read as {report.version}"
        if target.assumed
        else f"{target.range}, from {target.source}"
    )
    lines = [f"{path}:{report.line}  {title} {why}" + (f"  ({launch.label})" if launch.label else "")]
    heads = [launch.program, *(["(image " + launch.image.text + ")"] if launch.image is not None else [])]
    rows = _rows(list(launch.args), source)
    width = max((len(row[0]) for row in rows), default=0)
    lines.append(f"  argv  {'  '.join(heads)}")
    lines += [f"        {text.ljust(width)}  {place}".rstrip() for text, place in rows]
    mine = tuple(find_engine(launch.engine).words)
    for given in launch.given:
        if given.surface != "env" or given.name.text.startswith(mine):
            value = _word(given.value) if given.value is not None else ""
            lines.append(f"  {given.surface:5} {given.name.text}={value}")
    if report.why_open:
        lines.append(f"  open  {report.why_open} may add words that cannot be seen here")
    lines.append(f"  spec  {_spec(report.spec, report.choices)}")
    told = [
        f"  {finding.severity:5} {plain(_place(finding, source))}: {sentence(finding.message)} [{finding.code}]"
        for finding in file.findings
        if finding.launch is not None and finding.launch.fragment is launch.fragment and finding.severity == "error"
    ]
    return "\n".join([*map(plain, lines), *told])


def _place(finding: Finding, source: Source) -> str:
    line = finding.source.position(finding.span.start).line
    return f"line {line}" if finding.source.path == source.path else f"{finding.source.path}:{line}"


def _rows(words: list[Word], source: Source) -> list[tuple[str, str]]:
    """An option with its values on a row, and where a word was written when that is not where the option stands."""
    rows: list[tuple[str, str]] = []
    for word in words:
        text = _word(word)
        if rows and not word.text.startswith("-") and rows[-1][0].startswith("-") and "  " not in rows[-1][0]:
            rows[-1] = (f"{rows[-1][0]}  {text}", rows[-1][1])
            continue
        spans = word.fragment.locate_all()
        position = source.position(spans[0].start) if spans else None
        rows.append((text, f"<- line {position.line}, column {position.column}" if position else ""))
    return rows


def _word(word: Word) -> str:
    branch = " [in one branch]" if word.guard else ""
    return f"{word.text}{_value(word.value)}{branch}"


def _value(value: Value) -> str:
    match value:
        case Default(_, variable):
            return f" (if {variable} is unset)"
        case OneOf(texts):
            return f" (one of {', '.join(texts)})"
        case Opaque(why):
            return f" (not known here: {why})"
        case _:
            return ""


def _method(name: str) -> str:
    return name.upper() if name == "mtp" else name


def _spec(spec: MTPSpec, choices: Sequence[tuple[str, ...]]) -> str:
    if spec.state == "off":
        state = "speculation off"
    elif spec.state == "on":
        named = [" + ".join(map(_method, methods)) or "another method" for methods in choices]
        methods = f"one of {', '.join(named)}" if named else " + ".join(map(_method, spec.methods))
        state = f"{methods or 'speculation'} on"
    else:
        state = {"auto": "the engine decides by the model", "unknown": "not known from this text"}[spec.state]
    gamma = f", \u03b3 = {spec.gamma}" if spec.gamma is not None else ""
    temperature = f"temperature {spec.temperature:g}" if spec.temperature is not None else "temperature not set here"
    return f"{state}{gamma}, {temperature}"
