"""Which versions a launch will run on, and why we think so.

The first that says something wins: the command line, a directive in the file, the image tag, a package pin, the path of
the program, a comment beside the command, the configuration. Else all known versions are assumed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from mtpconfig.engine import Engine, VersionHint
from mtpconfig.errors import UsageError
from mtpconfig.hooks import find_engine
from mtpconfig.launch import Hint, HintKind, Launch, Target, texts_of
from mtpconfig.lint.suppressions import MARK
from mtpconfig.text import Fragment, Span
from mtpconfig.version import VersionRange

_COMMENT = re.compile(r"[ \t]*(?:#|//|;)")
_SILENT = re.compile(r"[ \t]*(?:$|#|//|;|set\s|\[)")


class Targets(Struct, frozen=True):
    """Ranges by engine id: those of the command line and those of the configuration."""

    stated: Mapping[str, VersionRange] = field(default_factory=dict)
    configured: Mapping[str, VersionRange] = field(default_factory=dict)


def parse_target(text: str) -> tuple[str, VersionRange]:
    """Read `ENGINE@VERSION` or `ENGINE@FIRST..LAST`. Raises UsageError with one sentence."""
    name, at, version = text.partition("@")
    engine = find_engine(name.strip())
    if not at or not version.strip():
        raise UsageError(f"target {text!r} has no version: write {engine.id}@{engine.options().newest}")
    try:
        return engine.id, engine.scheme.range(version)
    except UsageError as error:
        raise UsageError(f"target {text!r}: {error}") from None


def parse_targets(texts: Sequence[str]) -> dict[str, VersionRange]:
    """Read several targets, one for each engine. Raises UsageError when an engine is named twice."""
    found: dict[str, VersionRange] = {}
    for text in texts:
        engine, wanted = parse_target(text)
        if engine in found:
            raise UsageError(f"--target names {engine} twice: write one version, or a range FIRST..LAST")
        found[engine] = wanted
    return found


def resolve(
    launch: Launch, engine: Engine, targets: Targets, directives: Sequence[tuple[VersionRange, Span]]
) -> Target:
    """The target of an identified launch; `directives` are those for its engine, in file order."""
    if (stated := targets.stated.get(engine.id)) is not None:
        return Target(engine.id, stated, "--target")
    if directives:
        wanted, span = _nearest(launch, directives)
        return Target(engine.id, wanted, "the directive", span)
    for source, kind, fragment in _places(launch):
        found = engine.version_in(kind, fragment.text)
        if found is not None and _credible(kind, found, engine):
            spans = fragment.locate(found.start, found.end) or fragment.locate_all()
            return Target(engine.id, found.range, source, spans[0] if spans else None, unreleased=not found.released)
    if (configured := targets.configured.get(engine.id)) is not None:
        return Target(engine.id, configured, "the configuration")
    history = engine.options()
    return Target(engine.id, VersionRange(history.oldest, history.newest), "nothing says it", assumed=True)


def _credible(kind: HintKind, found: VersionHint, engine: Engine) -> bool:
    """A number in a comment is a version only if it is one that exists."""
    exact = found.range.exact
    return kind != "comment" or exact is None or engine.options().known_version(exact)


def _beside(hint: Hint, launch: Launch) -> bool:
    """Whether a comment speaks of a launch: on its lines, in the block right above it, or at the head of the text."""
    if hint.chosen:
        return True
    here, there = hint.fragment.locate_all(), launch.fragment.locate_all()
    source = hint.fragment.source
    if not here or not there or launch.fragment.source is not source:
        return True
    line, first = source.position(here[0].start).line, source.position(there[0].start).line
    if not _COMMENT.match(source.line(line)) or line >= first:
        return True
    above = all(_SILENT.match(source.line(number)) for number in range(line + 1, first))
    return above or all(_SILENT.match(source.line(number)) for number in range(1, line))


def _nearest(launch: Launch, directives: Sequence[tuple[VersionRange, Span]]) -> tuple[VersionRange, Span]:
    """The last directive before the launch, else the first of the file."""
    spans = launch.fragment.locate_all()
    start = spans[0].start if spans else 0
    before = [directive for directive in directives if directive[1].start <= start]
    return before[-1] if before else directives[0]


def _places(launch: Launch) -> list[tuple[str, HintKind, Fragment]]:
    hints = launch.hints[::-1]
    found: list[tuple[str, HintKind, Fragment]] = []
    if launch.image is not None and texts_of(launch.image.value):
        found.append(("the image", "image", launch.image.fragment))
    found += [("the image", "image", hint.fragment) for hint in _of(hints, "image")]
    found += [("the pin", "pin", hint.fragment) for hint in _of(hints, "pin")]
    first = launch.argv[0] if launch.argv and launch.args_at > 0 else launch.entrypoint
    if first is not None and texts_of(first.value):
        found.append(("the path", "path", first.fragment))
    found += [("the comment", "comment", hint.fragment) for hint in _of(hints, "comment") if _beside(hint, launch)]
    return found


def _of(hints: Sequence[Hint], kind: HintKind) -> list[Hint]:
    return [hint for hint in hints if hint.kind == kind and MARK not in hint.fragment.text]
