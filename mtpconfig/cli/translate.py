"""`mtpconfig translate`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence

import click

from mtpconfig.cli.choosing import check_format, engine_at
from mtpconfig.errors import CannotRender, UsageError
from mtpconfig.hooks import find_engine
from mtpconfig.lint.findings import LaunchReport
from mtpconfig.lint.linter import Linter
from mtpconfig.lint.reports.plain import plain
from mtpconfig.lint.target import Targets, parse_targets
from mtpconfig.lint.walk import files_below
from mtpconfig.text import Source
from mtpconfig.translation import Left, Translation, translate
from mtpconfig.version import VersionRange
from mtpconfig.writers import WRITERS, shell

_JSON = "json"


@click.command(short_help="a launch as another engine or version says it")
@click.argument("file")
@click.option(
    "--to",
    "where",
    required=True,
    metavar="ENGINE[@VERSION]",
    help="The engine to translate to; without a version, the newest known.",
)
@click.option(
    "--target", "targets", multiple=True, metavar="ENGINE@VERSION", help="The version that the file's launches run on."
)
@click.option("--format", "form", default="shell", show_default=True, metavar="|".join(WRITERS))
@click.option("--explain", is_flag=True, help="Say on standard error how each setting came to be.")
def command(file: str, where: str, targets: tuple[str, ...], form: str, explain: bool) -> int:
    """Say the launches of a file for another engine, or for another version of their own.

    \b
    mtpconfig translate start.sh --to vllm
    mtpconfig translate start.sh --target llama.cpp@b8900 --to llama.cpp@b11549
    mtpconfig translate compose.yaml --to sglang@0.5.20 --format json

    Standard output holds the launches alone, each below a comment where there are several (as JSON always a list, as
    argv a line each); what has no counterpart is told on standard error. Exits with 1 when anything was not translated,
    with 2 when nothing was.
    """
    check_format(form)
    target, version = engine_at(where)
    reports = _launches(file, targets)
    done: list[Translation] = []
    failures: list[str] = []
    for report in reports:
        place = f"{file}:{report.line}"
        try:
            if not report.launch.ours:
                raise CannotRender(f"{report.launch.engine} is seen, not read")
            source = find_engine(report.launch.engine)
            done.append(translate(report, source, target, version))
        except CannotRender as error:
            failures.append(f"{place} is not translated: {error}")
    if not done:
        raise CannotRender("; ".join(failures))
    _print(done, file, form, commented=len(reports) > 1)
    for failure in failures:
        click.echo(plain(f"mtpconfig: {failure}"), err=True)
    heard: set[str] = set()
    for translation in done:
        _tell(translation, f"{file}:{translation.report.line}", heard, explain=explain)
    return int(bool(failures) or not all(translation.complete for translation in done))


def _launches(file: str, targets: tuple[str, ...]) -> Sequence[LaunchReport]:
    """The launches of a file. Raises UsageError where it cannot be read or holds none."""
    if os.path.isdir(file):
        raise UsageError(f"{file} is a folder: translate takes one file")
    linter = Linter(Targets(parse_targets(targets)))
    ((path, root),) = files_below((file,))
    report = linter.lint_path(path, root)
    for finding in report.findings:
        if finding.code == "MTP001":
            raise UsageError(f"{file}: {finding.message}")
    if not report.launches:
        raise UsageError(f"{file} holds no launch of a known engine")
    return report.launches


def _print(done: Sequence[Translation], file: str, form: str, *, commented: bool) -> None:
    if form == _JSON:
        click.echo(json.dumps([_entry(one, file) for one in done], indent=2, ensure_ascii=False))
        return
    for place, one in enumerate(done):
        if commented and form == "shell":
            report = one.report
            label = f"  ({report.launch.label})" if report.launch.label else ""
            title = find_engine(report.launch.engine).title
            click.echo(("\n" if place else "") + plain(f"# {file}:{report.line}  {title} {report.version}{label}"))
        click.echo(WRITERS[form](one.rendering))


def _entry(one: Translation, file: str) -> dict[str, object]:
    report = one.report
    return {
        **json.loads(WRITERS[_JSON](one.rendering)),
        "from": {
            "path": file,
            "line": report.line,
            "label": report.launch.label,
            "engine": report.launch.engine,
            "version": str(report.version),
        },
        "spec": one.spec.to_dict(),
        "left": [{"text": left.text, "why": left.why} for left in one.left],
        "notes": list(one.notes),
    }


def _tell(one: Translation, place: str, heard: set[str], *, explain: bool) -> None:
    """What is not said, one line for each reason; then what is worth knowing and was not told of another launch."""
    lines: list[str] = []
    missing = [Left(field, why) for field, why in one.rendering.dropped.items()]
    for verb, found in (("dropped", missing), ("not translated", one.left)):
        reasons: dict[str, list[str]] = {}
        for left in found:
            reasons.setdefault(left.why, []).append(left.text)
        lines += [f"{place}: {verb}: {', '.join(texts)} ({why})" for why, texts in reasons.items()]
    notes = (*one.notes, *(one.rendering.notes if explain else ()), *_found_in(one))
    lines += [f"{place}: {note}" for note in notes if note not in heard]
    heard.update(notes)
    for line in lines:
        click.echo(plain(f"mtpconfig: {line}"), err=True)


def _found_in(one: Translation) -> Iterator[str]:
    """What lint has to say about the words that were written: a version may not do what its options say."""
    rendering = one.rendering
    exact = {rendering.engine: VersionRange(rendering.version, rendering.version)}
    source = Source("translation.sh", shell(rendering) + "\n")
    for finding in Linter(Targets(exact)).lint_source(source).findings:
        placed = any(text in finding.message for text in one.unknown)
        if finding.severity != "info" and not placed:
            yield f"{finding.severity} in what is written: {finding.message} [{finding.code}]"
