"""What a file says to the linter: `mtpconfig: ignore[MTP101]`, `ignore-file`, `target ENGINE@VERSION`.

A directive stands in a comment of the file's own format. Behind code it speaks of that line; on a line of its own it
speaks of the next line that is neither blank nor a comment, and of the whole launch that begins there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from mtpconfig.lint.findings import Finding
from mtpconfig.text import Source, Span

MARK = "mtpconfig:"
_LEADER = r"(?:#|//|--|;|<!--|/\*|\bREM\b|::)"
_DIRECTIVE = re.compile(
    rf"(?P<before>^|.*?)(?P<leader>{_LEADER})[ \t#]*mtpconfig:[ \t]*"
    r"(?P<verb>ignore-file|ignore|target)\b(?:[ \t]*\[(?P<codes>[^\]\n]*)\]|[ \t]+(?P<target>[^\s>*]+))?",
    re.IGNORECASE,
)
_COMMENT_ONLY = re.compile(rf"\s*(?:{_LEADER}.*)?$", re.IGNORECASE)


@dataclass(eq=False)
class Ignore:
    """One `ignore[...]`: the codes (none = all), where it stands and the lines of which it speaks."""

    codes: tuple[str, ...]
    span: Span
    lines: tuple[int, int]
    used: set[str] = field(default_factory=set)

    def covers(self, finding: Finding, first: int, last: int, launch_line: int | None) -> bool:
        """Whether it silences a finding that stands on lines first..last, in a launch that begins on `launch_line`."""
        if self.codes and not any(finding.code.startswith(code) for code in self.codes):
            return False
        low, high = self.lines
        return (low <= last and first <= high) or (launch_line is not None and low <= launch_line <= high)


@dataclass(eq=False)
class Directives:
    """All directives of a file."""

    ignores: list[Ignore] = field(default_factory=list)
    ignore_file: bool = False
    targets: list[tuple[str, Span]] = field(default_factory=list)


def read_directives(source: Source) -> Directives:
    """Find the directives of a file; cheap where there is none."""
    found = Directives()
    if MARK not in source.text.lower():
        return found
    for number, start in enumerate(source.line_starts, 1):
        line = source.line(number)
        match = _DIRECTIVE.match(line)
        if match is None or _within_quotes(match["before"]):
            continue
        span = Span(start + match.start("leader"), start + match.end())
        match match["verb"].lower():
            case "ignore-file":
                found.ignore_file = True
            case "target" if match["target"]:
                found.targets.append((match["target"], span))
            case "ignore":
                codes = tuple(code.strip().upper() for code in (match["codes"] or "").split(",") if code.strip())
                own_line = not match["before"].strip()
                place = _next_code_line(source, number) if own_line else number
                found.ignores.append(Ignore(codes, span, (place, place)))
    return found


def _within_quotes(before: str) -> bool:
    return before.count("'") % 2 == 1 or before.count('"') % 2 == 1


def _next_code_line(source: Source, number: int) -> int:
    following = number + 1
    while following <= len(source.line_starts) and _COMMENT_ONLY.match(source.line(following)):
        following += 1
    return following


def silence(findings: Sequence[Finding], directives: Directives) -> list[Finding]:
    """The findings that no `ignore` covers; marks the ignores that were used."""
    kept: list[Finding] = []
    for finding in findings:
        source = finding.source
        first = source.position(finding.span.start).line
        last = source.position(max(finding.span.start, finding.span.end - 1)).line
        launch = finding.launch
        spans = launch.fragment.locate_all() if launch is not None else ()
        launch_line = source.position(spans[0].start).line if spans else None
        covering = [i for i in directives.ignores if i.covers(finding, first, last, launch_line)]
        for ignore in covering:
            ignore.used.add(finding.code)
        if not covering:
            kept.append(finding)
    return kept
