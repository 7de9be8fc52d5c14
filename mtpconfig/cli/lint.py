"""`mtpconfig lint`."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from mtpconfig.errors import UsageError
from mtpconfig.hooks import engines
from mtpconfig.lint.findings import FileReport, Finding
from mtpconfig.lint.linter import STDIN, Linter, Selection
from mtpconfig.lint.reports import Run
from mtpconfig.lint.shared import judged_once, told_once
from mtpconfig.lint.target import Targets, parse_targets
from mtpconfig.lint.walk import files_below

_FORMATS = {"text": "text", "concise": "concise", "json": "json_"}


def _codes(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    codes = tuple(code.strip().upper() for item in value for code in item.split(",") if code.strip())
    if value and not codes:
        raise UsageError("an empty list of codes names no check: leave the option out, or write codes such as MTP101")
    return codes


@click.command(short_help="check launches in scripts, manifests, units, docs")
@click.argument("paths", nargs=-1)
@click.option("--fix", "apply", is_flag=True, help="Rewrite files with all safe fixes.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also fixes that change what the launch does.")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="ENGINE@VERSION",
    help="The version that launches run on (also FIRST..LAST).",
)
@click.option(
    "--select", multiple=True, callback=_codes, metavar="CODES", help="Only these codes (prefixes, comma list)."
)
@click.option("--ignore", multiple=True, callback=_codes, metavar="CODES", help="Not these codes.")
@click.option("--extend-select", multiple=True, callback=_codes, metavar="CODES", help="These codes too.")
@click.option("--output-format", type=click.Choice(list(_FORMATS)), default="text", show_default=True)
@click.option(
    "--stdin-filename", metavar="FILE", help="The name under which text from standard input (PATH `-`) is read."
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even when something was found.")
@click.option("--isolated", is_flag=True, help="No configuration, no cache (neither is read so far).")
def command(
    paths: tuple[str, ...],
    apply: bool,
    diff: bool,
    unsafe_fixes: bool,
    targets: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    output_format: str,
    stdin_filename: str | None,
    exit_zero: bool,
    isolated: bool,
) -> int:
    """Check the launches in files and folders.

    \b
    mtpconfig lint start.sh
    mtpconfig lint . --target llama.cpp@b11434
    mtpconfig lint . --diff            show the fixes
    mtpconfig lint . --fix             apply the safe ones
    """
    if unsafe_fixes and not (apply or diff):
        raise UsageError("--unsafe-fixes goes with --fix or --diff")
    selection = Selection(select, ignore, extend_select)
    selection.check()
    if not engines():
        raise UsageError("no engine plugin is loaded, so nothing would be checked (see MTPCONFIG_PLUGINS)")
    linter = Linter(Targets(parse_targets(targets)), selection)
    from_stdin = paths == (STDIN,)
    if STDIN in paths and not from_stdin:
        raise UsageError("- (standard input) stands alone, not beside files")
    if stdin_filename is not None and not from_stdin:
        raise UsageError("--stdin-filename goes with - (standard input)")
    reports = _lint(linter, paths or (".",), stdin_filename)
    fixed: list[Finding] = []
    if apply or diff:
        from mtpconfig.cli.fixing import fix_all

        reports, fixed = fix_all(linter, reports, unsafe=unsafe_fixes, diff=diff, to_stdout=from_stdin)
        reports = told_once(judged_once(reports))
    else:
        reports = [_proven(linter, report) for report in reports]
    run = Run(reports, fixed)
    if not diff:
        _print(run, output_format, to_stderr=apply and from_stdin)
    failed = bool(fixed) if diff else run.failed()
    return int(failed and not exit_zero)


def _lint(linter: Linter, paths: tuple[str, ...], stdin_filename: str | None) -> list[FileReport]:
    if paths == (STDIN,):
        return [linter.lint_bytes(stdin_filename or STDIN, sys.stdin.buffer.read())]
    return told_once(judged_once([linter.lint_path(path, root) for path, root in files_below(paths)]))


def _proven(linter: Linter, report: FileReport) -> FileReport:
    """Only fixes that hold are announced."""
    if all(finding.fix is None for finding in report.findings):
        return report
    from mtpconfig.lint.proving import proven

    return proven(linter, report, report.files)


def _print(run: Run, output_format: str, *, to_stderr: bool) -> None:
    render = import_module(f"mtpconfig.lint.reports.{_FORMATS[output_format]}").render
    click.echo(render(run), err=to_stderr)
