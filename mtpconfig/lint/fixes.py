"""Applies fixes that are proven, and proves again what they do together."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carrier import NO_FILES, Files
from mtpconfig.lint.findings import FileReport, Finding
from mtpconfig.lint.linter import Linter
from mtpconfig.lint.proving import come, compatible, edited, proven, same_launches
from mtpconfig.text import Source, apply_edits


class Fixed(Struct, frozen=True, eq=False):
    """A text after its fixes, the findings that they removed, and the report of what remains."""

    source: Source
    applied: tuple[Finding, ...]
    report: FileReport


def fix_source(linter: Linter, report: FileReport, *, unsafe: bool = False, files: Files = NO_FILES) -> Fixed:
    """Apply all safe fixes (and the unsafe ones, if asked) of a report, until none is left."""
    applied: list[Finding] = []
    report = proven(linter, report, files)
    for turn, _ in enumerate(report.findings):  # each turn removes one at least
        chosen = compatible([f for f in report.findings if f.fix is not None and (unsafe or f.fix.safety == "safe")])
        if not chosen or report.source is None:
            break
        full = report if turn else linter.lint_source(report.source, files)  # a run tells each thing once
        step = _most(linter, full, chosen, files)
        if step is None:
            report = replace(report, findings=[_unproven(f) if f in chosen else f for f in report.findings])
            break
        after, done = step
        report = proven(linter, after, files)
        applied += done
    assert report.source is not None or not applied
    return Fixed(report.source or Source(report.path, ""), tuple(applied), report)


def _unproven(finding: Finding) -> Finding:
    """A finding whose fix turns out to do something else as well: it has none."""
    return replace(finding, fix=None)


Step = tuple[FileReport, list[Finding]]


def _most(linter: Linter, report: FileReport, findings: Sequence[Finding], files: Files) -> Step | None:
    """The report after all these fixes, or where that proves wrong after those of one half."""
    step = _apply(linter, report, findings, files)
    if step is not None or len(findings) < 2:
        return step
    half = len(findings) // 2
    return _most(linter, report, findings[:half], files) or _most(linter, report, findings[half:], files)


def _apply(linter: Linter, report: FileReport, findings: Sequence[Finding], files: Files) -> Step | None:
    """The report after these fixes, or None when the proof fails."""
    source = report.source
    edits = edited(findings)
    if source is None or not edits:
        return None
    fixed = replace(source, text=apply_edits(source.text, edits))
    after = linter.lint_source(fixed, files)
    if not same_launches(report, after, edits) or come(report, after, findings):
        return None
    return after, list(findings)


def write_atomically(path: str, data: bytes) -> None:
    """Replace a file's contents in one step, keeping its mode. Raises OSError; the file is then as it was."""
    target = os.path.realpath(path)
    mode = stat.S_IMODE(os.stat(target).st_mode)
    handle, temporary = tempfile.mkstemp(prefix=".mtpconfig-", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
