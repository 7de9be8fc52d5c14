"""A rendering, read back with the rules of its engine: what is spelt must not be what `lint` warns of."""

from __future__ import annotations

from mtpconfig.engine import Rendering
from mtpconfig.lint.linter import STDIN, Linter
from mtpconfig.lint.target import Targets
from mtpconfig.text import Source
from mtpconfig.version import VersionRange
from mtpconfig.writers import shell


def objections(rendering: Rendering) -> tuple[str, ...]:
    """What the rules say against a rendering at its own version, a sentence each with its code; the gravest first.

    Hints (`info`) are none. The rendering is read as the command line that `render` prints, so that its quotes are
    read too; only the rules of its own engine are loaded.
    """
    linter = Linter(Targets({rendering.engine: VersionRange(rendering.version, rendering.version)}))
    report = linter.lint_source(Source(STDIN, shell(rendering)))
    said = {
        f"{finding.code} {finding.message}": finding.severity != "error"
        for finding in report.findings
        if finding.severity != "info"
    }
    return tuple(sorted(said, key=said.__getitem__))
