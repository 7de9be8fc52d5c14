"""Proves fixes by reading the text again, before they are announced.

A fix holds only if, after it, every word of every launch is what it was, but for the words that its edits touched or
made, and no finding has come that was not there before.
A fix that brings a fault of its own is offered together with the fix of that fault, as one that is not safe; where
there is none, nothing is offered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import repeat

from msgspec.structs import replace

from mtpconfig.carrier import NO_FILES, Files
from mtpconfig.launch import Launch
from mtpconfig.lint.findings import FileReport, Finding, Fix
from mtpconfig.lint.linter import Linter
from mtpconfig.text import Edit, Span, apply_edits

MOST_PROOFS = 48
"""Texts read again for one file; fixes that are not reached are not announced."""


def proven(linter: Linter, report: FileReport, files: Files = NO_FILES) -> FileReport:
    """The report with the fixes that hold when the text is read again, all others taken off their findings."""
    planned = [finding for finding in report.findings if finding.fix is not None]
    if not planned or report.source is None:
        return report
    prover = _Prover(linter, linter.lint_source(report.source, files), files)
    kept: dict[int, Fix] = {}
    for safety in ("safe", "unsafe"):
        rest = [finding for finding in planned if finding.fix is not None and finding.fix.safety == safety]
        while rest:
            chosen = compatible(rest)
            prover.prove(chosen, kept)
            rest = [finding for finding in rest if finding not in chosen]
    findings = [replace(f, fix=kept.get(id(f))) if f.fix is not None else f for f in report.findings]
    return replace(report, findings=findings)


class _Prover:
    """The proofs of one file, counted; `full` tells each thing as often as it is there."""

    def __init__(self, linter: Linter, full: FileReport, files: Files) -> None:
        self._linter, self._full, self._files = linter, full, files
        self._left = MOST_PROOFS

    def prove(self, findings: Sequence[Finding], kept: dict[int, Fix]) -> None:
        """Note the fixes that hold: all together, or else by halves."""
        after = self._after(self._full, findings)
        if after is None:
            return
        if not come(self._full, after, findings):
            kept.update({id(finding): finding.fix for finding in findings if finding.fix is not None})
        elif len(findings) > 1:
            half = len(findings) // 2
            self.prove(findings[:half], kept)
            self.prove(findings[half:], kept)
        elif (chained := self._chained(after, findings[0])) is not None:
            kept[id(findings[0])] = chained

    def _after(self, report: FileReport, findings: Sequence[Finding]) -> FileReport | None:
        """The report of the text with these fixes; None where its launches are others, or no proof is left."""
        if self._left <= 0 or report.source is None:
            return None
        self._left -= 1
        edits = edited(findings)
        after = self._linter.lint_source(
            replace(report.source, text=apply_edits(report.source.text, edits)), self._files
        )
        return after if same_launches(report, after, edits) else None

    def _chained(self, after: FileReport, finding: Finding) -> Fix | None:
        """The fix together with those of the faults that come with it."""
        rules = come(self._full, after, [finding])
        more = compatible([each for each in after.findings if each.rule in rules and each.fix is not None])
        then = self._after(after, more) if more else None
        if then is None or finding.fix is None or come(self._full, then, [finding]):
            return None
        assert self._full.source is not None and then.source is not None
        titles = [finding.fix.title, *(each.fix.title for each in more if each.fix is not None)]
        edit = _whole(self._full.source.text, then.source.text)
        return Fix(" and ".join(dict.fromkeys(titles)), "unsafe", (edit,))


def _whole(old: str, new: str) -> Edit:
    """The one edit that makes one text of the other."""
    least = min(len(old), len(new))
    start = next((at for at in range(least) if old[at] != new[at]), least)
    end = next((at for at in range(least - start) if old[-1 - at] != new[-1 - at]), least - start)
    return Edit(Span(start, len(old) - end), new[start : len(new) - end])


def compatible(findings: Sequence[Finding]) -> list[Finding]:
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


def edited(findings: Sequence[Finding]) -> list[Edit]:
    """The edits of these findings' fixes."""
    return [edit for finding in findings if finding.fix is not None for edit in finding.fix.edits]


def same_launches(before: FileReport, after: FileReport, edits: Sequence[Edit]) -> bool:
    """Whether every word of every launch is what it was, but for those that the edits touched or made."""
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


def come(before: FileReport, after: FileReport, fixed: Sequence[Finding]) -> set[str]:
    """The rules that say more than before, when these findings were fixed; that of one that is still there too."""
    had = Counter(finding.rule for finding in before.findings)
    had.subtract(Counter(finding.rule for finding in fixed))
    return set(Counter(finding.rule for finding in after.findings) - had)
