"""Applies fixes, and proves each by reading the text again.

A fix stays only if, after it, every word of every launch is what it was, but for the words that its edits touched or
made, and no finding has come that was not there before.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import repeat

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carrier import NO_FILES, Files
from mtpconfig.launch import Launch
from mtpconfig.lint.findings import FileReport, Finding, Fix
from mtpconfig.lint.linter import Linter
from mtpconfig.text import Edit, Source, Span, apply_edits


class Fixed(Struct, frozen=True, eq=False):
    """A text after its fixes, the findings that they removed, and the report of what remains."""

    source: Source
    applied: tuple[Finding, ...]
    report: FileReport


def fix_source(linter: Linter, report: FileReport, *, unsafe: bool = False, files: Files = NO_FILES) -> Fixed:
    """Apply all safe fixes (and the unsafe ones, if asked) of a report, until none is left."""
    applied: list[Finding] = []
    for turn, _ in enumerate(report.findings):  # each turn removes one at least
        chosen = _compatible([f for f in report.findings if f.fix is not None and (unsafe or f.fix.safety == "safe")])
        if not turn and chosen and report.source is not None:
            report = linter.lint_source(report.source, files)  # a run tells each thing once; the proof wants all
        step = _most(linter, report, chosen, files)
        if step is None:
            report = replace(report, findings=[_unproven(f) if f in chosen else f for f in report.findings])
            break
        report, done = step
        applied += done
    assert report.source is not None or not applied
    return Fixed(report.source or Source(report.path, ""), tuple(applied), report)


def _unproven(finding: Finding) -> Finding:
    """A finding whose fix turns out to do something else as well: it has none."""
    return replace(finding, fix=None)


def _compatible(findings: Sequence[Finding]) -> list[Finding]:
    """Findings whose edits do not overlap, first come first."""
    taken: list[Edit] = []
    chosen: list[Finding] = []
    for finding in findings:
        assert finding.fix is not None
        if all(edit in taken or not any(_overlap(edit, other) for other in taken) for edit in finding.fix.edits):
            chosen.append(finding)
            taken += finding.fix.edits
    return chosen


def _overlap(one: Edit, other: Edit) -> bool:
    if one.span == other.span:
        return True
    return one.span.start < other.span.end and other.span.start < one.span.end


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
    edits = [edit for finding in findings for edit in _edits(finding.fix)]
    if source is None or not edits:
        return None
    fixed = replace(source, text=apply_edits(source.text, edits))
    after = linter.lint_source(fixed, files)
    if not _same_launches(report, after, edits) or _new_findings(report, after, findings):
        return None
    return after, list(findings)


def _edits(fix: Fix | None) -> tuple[Edit, ...]:
    return fix.edits if fix is not None else ()


def _same_launches(before: FileReport, after: FileReport, edits: Sequence[Edit]) -> bool:
    if len(before.launches) != len(after.launches):
        return False
    made = " ".join(edit.text for edit in edits)
    return all(
        _same_words(old.launch, new.launch, [edit.span for edit in edits], made)
        for old, new in zip(before.launches, after.launches)
    )


def _same_words(old: Launch, new: Launch, touched: Sequence[Span], made: str) -> bool:
    for old_words, new_words in (
        (list(old.argv), list(new.argv)),
        (
            [w for given in old.given for w in (given.name, given.value) if w],
            [w for g in new.given for w in (g.name, g.value) if w],
        ),
    ):
        texts, new_texts = [word.text for word in old_words], [word.text for word in new_words]
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, texts, new_texts, autojunk=False).get_opcodes():
            if tag == "equal":
                continue
            for word in old_words[i1:i2]:
                spans = word.fragment.locate_all() or ((word.site,) if word.site else ())
                if not any(span.start <= edge.end and edge.start <= span.end for span in spans for edge in touched):
                    return False
            if i2 - i1 == j2 - j1 and all(map(_is_edited, texts[i1:i2], new_texts[j1:j2], repeat(made))):
                continue
            if any(not any(text[k : k + 4] in made for k in range(max(1, len(text) - 3))) for text in new_texts[j1:j2]):
                return False
    return True


def _is_edited(old: str, new: str, made: str) -> bool:
    """Whether a word is an old one in which one stretch was rewritten, or from which something was taken."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    if new[start : len(new) - end] in made:
        return True
    rest = iter(old)
    return all(character in rest for character in new)


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((place for place, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def _new_findings(before: FileReport, after: FileReport, fixed: Sequence[Finding]) -> bool:
    """Whether the fixed findings are still there, or others have come."""
    had = Counter(finding.rule for finding in before.findings)
    had.subtract(Counter(finding.rule for finding in fixed))
    return bool(Counter(finding.rule for finding in after.findings) - had)


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
