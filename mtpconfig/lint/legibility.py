"""Findings about the text itself: what could not be read, what fell off a command, what an ignore does not silence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtpconfig.errors import UsageError
from mtpconfig.launch import Launch
from mtpconfig.lint.findings import Finding, LaunchReport
from mtpconfig.lint.rule import Rule, code_names
from mtpconfig.lint.structure import stray_commands
from mtpconfig.lint.suppressions import VERBS, Directives
from mtpconfig.lint.target import parse_target
from mtpconfig.match import Severity
from mtpconfig.text import Source, Span


def _finding(code: str, rule: str, severity: Severity, source: Source, span: Span, message: str, help_: str) -> Finding:
    return Finding(code, code_names()[code]["name"], rule, severity, "sure", source, span, message, help=help_)


def unreadable(path: str, why: str) -> Finding:
    """MTP001: a file that was not read."""
    source = Source(path, "")
    help_ = "fix the file, or leave it out of the run"
    return _finding("MTP001", "unreadable-file", "error", source, Span(0, 0), f"the file was not read: {why}", help_)


def cut_short(missed: Sequence[tuple[Span, str]], source: Source) -> Iterator[Finding]:
    """MTP001: a file that was not read in full."""
    help_ = "mend the file, or leave it out of the run; launches that were not read are not checked"
    for span, message in missed:
        yield _finding("MTP001", "unreadable-file", "warning", source, span, message, help_)


def unresolved(report: LaunchReport) -> Iterator[Finding]:
    """MTP002: a launch whose words come from elsewhere, and that says nothing of speculation itself."""
    launch = report.launch
    if not launch.argv or not report.why_open or report.spec.state != "unknown":
        return
    first = launch.argv[0].fragment if launch.argv else launch.fragment
    span = (first.locate_all() or launch.fragment.locate_all())[0]
    why = report.why_open
    unseen = why if why.startswith("what ") else f"what {why} adds"
    message = f"{unseen} cannot be seen here: nobody can tell whether it speculates"
    help_ = "nothing to do if it is meant so; `mtpconfig verify URL` tells on the running server"
    home = first.source if first.locate_all() else launch.fragment.source
    yield _finding("MTP002", "unresolved-launch", "info", home, span, message, help_)


def fallen_off(rule: Rule, commands: Sequence[tuple[Launch, bool]]) -> Iterator[Finding]:
    """MTP209: a line of options that the command above does not hold."""
    for before, stray in stray_commands(commands):
        spans = stray.argv[0].fragment.locate_all()
        if before.ours and spans:
            message = f"`{stray.argv[0].text}` is a command of its own: the {before.program} command above has ended"
            yield Finding(
                rule.code, rule.name, rule.id, "error", "sure", stray.argv[0].fragment.source, spans[0], message,
                detail="not part of the command above", why=rule.why, help=rule.help,
                launch=before, target=before.target,
            )  # fmt: skip


def misunderstood(directives: Directives, source: Source) -> Iterator[Finding]:
    """MTP003: directives that say nothing, for a slip in them."""
    for verb, span in directives.unknown:
        message = f"`{verb}` is no directive (known: {', '.join(VERBS)})"
        yield _finding("MTP003", "unused-ignore", "warning", source, span, message, "write it as it is meant")
    for text, span in directives.targets:
        try:
            parse_target(text)
        except UsageError as error:
            yield _finding("MTP003", "unused-ignore", "warning", source, span, str(error), "write ENGINE@VERSION")


def unused_ignores(directives: Directives, source: Source) -> Iterator[Finding]:
    """MTP003: ignore directives that silence nothing."""
    for ignore in directives.ignores:
        unused = [code for code in ignore.codes if not any(used.startswith(code) for used in ignore.used)]
        if unused or not (ignore.codes or ignore.used):
            what = f"ignore[{', '.join(unused)}]" if unused else "ignore"
            message = f"`{what}` silences nothing here"
            yield _finding("MTP003", "unused-ignore", "warning", source, ignore.span, message, "remove it")
