"""`lint --fix` and `lint --diff`: what becomes of the fixed texts."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from difflib import unified_diff

import click

from mtpconfig.errors import UsageError
from mtpconfig.lint.findings import FileReport, Finding
from mtpconfig.lint.fixes import fix_source, write_atomically
from mtpconfig.lint.linter import Linter
from mtpconfig.secrets import hide
from mtpconfig.text import Source

_COLOURS = {"-": "red", "+": "green", "@": "cyan"}


def fix_all(
    linter: Linter, reports: Sequence[FileReport], *, unsafe: bool, diff: bool, to_stdout: bool
) -> tuple[list[FileReport], list[Finding]]:
    """Fix every file; the reports of what remains, and the findings that were fixed.

    With `diff` the changes are shown and nothing is written; with `to_stdout` the fixed text goes to standard output.
    """
    remaining: list[FileReport] = []
    fixed: list[Finding] = []
    for report in reports:
        if report.source is None:
            remaining.append(report)
            continue
        result = fix_source(linter, report, unsafe=unsafe, files=report.files)
        if diff:
            _show(report.path, report.source, result.source)
        elif to_stdout:
            sys.stdout.buffer.write(result.source.to_bytes())
        elif result.applied:
            _write(report.path, result.source)
        fixed += result.applied
        remaining.append(result.report)
    return remaining, fixed


def _write(path: str, source: Source) -> None:
    try:
        write_atomically(path, source.to_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be rewritten: {error.strerror}; it is as it was") from None


def _show(path: str, before: Source, after: Source) -> None:
    old, new = (re.findall(r"[^\n]*\n|[^\n]+", source.text) for source in (before, after))
    above, whole = "", True
    for line in unified_diff(old, new, path, path):
        shown = line[:1] + hide(line[1:], above)
        whole = whole and shown == line
        above = line[1:].rstrip("\r\n")
        colour = _COLOURS.get(line[:1])
        if line.endswith("\n"):
            click.secho(shown, fg=colour, nl=False)
        else:
            click.secho(shown, fg=colour)
            click.echo("\\ No newline at end of file")
    if not whole:
        click.echo(
            f"mtpconfig: what is secret in {path} is hidden here: this is to be read, no patch; use --fix", err=True
        )
