"""What a file says to the linter: `mtpconfig: ignore[MTP101]`, `ignore-file`, `target ENGINE@VERSION`.

A directive stands in a comment of the file's own format. Behind code it speaks of that line; on a line of its own it
speaks of the next line that is neither blank nor a comment, and of the whole launch that begins there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from mtpconfig.lint.findings import Finding
from mtpconfig.text import Source, Span

MARK = "mtpconfig:"
_LEADER = r"(?:#|//|--|;|<!--|/\*|\bREM\b|::)"
_LED = re.compile(rf"{_LEADER}[ \t#]{{0,40}}$", re.IGNORECASE)
_VERB = re.compile(
    r"mtpconfig:[ \t]{0,40}(?P<verb>[\w-]{1,40})"
    r"(?:[ \t]{0,40}\[(?P<codes>[^\]\n]{0,400})\]|[ \t]{1,40}(?P<target>[^\s>*]{1,100}))?",
    re.IGNORECASE,
)
_COMMENT_ONLY = re.compile(rf"\s*(?:{_LEADER}.*)?$", re.IGNORECASE)
VERBS = ("ignore", "ignore-file", "target")


class Ignore(Struct, eq=False):
    """One `ignore[...]`: the codes (none = all), where it stands and the line of which it speaks."""

    codes: tuple[str, ...]
    span: Span
    line: int
    used: set[str] = field(default_factory=set)

    def names(self, code: str) -> bool:
        """Whether it speaks of a code."""
        return not self.codes or any(code.startswith(prefix) for prefix in self.codes)


class Directives(Struct, eq=False):
    """All directives of a file."""

    ignores: list[Ignore] = field(default_factory=list)
    ignore_file: bool = False
    targets: list[tuple[str, Span]] = field(default_factory=list)
    unknown: list[tuple[str, Span]] = field(default_factory=list)


def read_directives(source: Source) -> Directives:
    """Find the directives of a file; cheap where there is none."""
    found = Directives()
    if MARK not in source.text.lower():
        return found
    following = _code_lines(source)
    for number, start in enumerate(source.line_starts, 1):
        line = source.line(number)
        at = line.lower().find(MARK)
        led = _LED.search(line[max(0, at - 60) : at]) if at >= 0 else None
        if led is None:
            continue
        begin = max(0, at - 60) + led.start()
        before, match = line[:begin], _VERB.match(line, at)
        if match is None or _within_quotes(before):
            continue
        span = Span(start + begin, start + match.end())
        match match["verb"].lower():
            case "ignore-file":
                found.ignore_file = True
            case "target":
                found.targets.append((match["target"] or "", span))
            case "ignore":
                codes = tuple(code.strip().upper() for code in (match["codes"] or "").split(",") if code.strip())
                found.ignores.append(Ignore(codes, span, number if before.strip() else following[number]))
            case other:
                found.unknown.append((other, span))
    return found


def _within_quotes(before: str) -> bool:
    return any(before.count(quote) % 2 == 1 for quote in "'\"`")


def _code_lines(source: Source) -> list[int]:
    """For each line number, the next line that is neither blank nor a comment."""
    count = len(source.line_starts)
    following = [count + 1] * (count + 2)
    for number in range(count, 0, -1):
        here = number + 1
        silent = here > count or _COMMENT_ONLY.match(source.line(here))
        following[number] = following[here] if silent else here
    return following


def heard(findings: Sequence[Finding], source: Source, directives: Directives) -> list[Finding]:
    """The findings that nothing silences: those in another text (`env_file`) obey that text's own directives."""
    kept = silence([finding for finding in findings if finding.source.path == source.path], directives)
    elsewhere: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.source.path != source.path:
            elsewhere.setdefault(finding.source.path, []).append(finding)
    for others in elsewhere.values():
        theirs = read_directives(others[0].source)
        kept += () if theirs.ignore_file else silence(others, theirs)
    return kept


def silence(findings: Sequence[Finding], directives: Directives) -> list[Finding]:
    """The findings that no `ignore` covers; marks the ignores that were used."""
    if not directives.ignores:
        return list(findings)
    by_line: dict[int, list[Ignore]] = {}
    for ignore in directives.ignores:
        by_line.setdefault(ignore.line, []).append(ignore)
    kept: list[Finding] = []
    for finding in findings:
        source = finding.source
        first = source.position(finding.span.start).line
        last = source.position(max(finding.span.start, finding.span.end - 1)).line
        launch = finding.launch
        spans = launch.fragment.locate_all() if launch is not None and launch.fragment.source is source else ()
        launch_line = source.position(spans[0].start).line if spans else None
        lines = {*range(first, last + 1), *([launch_line] if launch_line is not None else [])}
        covering = [i for line in lines for i in by_line.get(line, ()) if i.names(finding.code)]
        for ignore in covering:
            ignore.used.add(finding.code)
        if not covering:
            kept.append(finding)
    return kept
