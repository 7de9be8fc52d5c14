"""What was asked for, read from a spec or from the launch in a file, and how the running server differs from it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.engine import Engine
from mtpconfig.errors import UnreadableFile, UsageError
from mtpconfig.lint.linter import Linter
from mtpconfig.lint.target import Targets
from mtpconfig.probe.observation import Observation
from mtpconfig.probe.verdict import Verdict
from mtpconfig.spec import MTPSpec, load_spec
from mtpconfig.version import Version, VersionRange

_VARYING = frozenset({"ngram", "suffix"})  # these draft as much as they find


class Asked(Struct, frozen=True):
    """What was asked for.

    place    the file, with the line where it holds several launches
    version  the version that the file states for its launch, if it states one
    """

    spec: MTPSpec
    place: str
    version: Version | None = None


Asking = Callable[[Engine, Version | None], Asked]
"""Reads what was asked for, once the server's engine and version are known."""


def from_spec(path: str) -> Asking:
    """What a spec file (TOML) asks for. Raises UsageError or SpecError at once."""
    try:
        with open(path, encoding="utf-8") as file:
            spec = load_spec(file.read(), path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not valid UTF-8"
        raise UsageError(f"spec {path} cannot be read: {reason}") from None
    spec = replace(spec, state="on") if spec.state == "unknown" else spec
    return lambda _engine, _version: Asked(spec, path)


def from_launch(text: str) -> Asking:
    """What the launch in a file asks for; `FILE:LINE` chooses among several. Raises UsageError without a file."""
    path, line = text, None
    head, colon, tail = text.rpartition(":")
    if colon and tail.isdigit() and not os.path.exists(text):
        path, line = head, int(tail)
    if not os.path.isfile(path):
        raise UsageError(f"{path} does not exist, or is not a file: --against names the file that starts the server")
    return lambda engine, version: _launched(path, line, engine, version)


def _launched(path: str, line: int | None, engine: Engine, version: Version | None) -> Asked:
    configured = {engine.id: VersionRange(version, version)} if version is not None else {}
    report = Linter(Targets(configured=configured)).lint_path(path)
    for finding in report.findings:
        if finding.code == "MTP001":
            raise UnreadableFile(f"{path}: {finding.message}")
    found = [launch for launch in report.launches if launch.launch.ours and launch.launch.engine == engine.id]
    if line is not None:
        found = [launch for launch in found if launch.line == line]
    if not found:
        where = path if line is None else f"line {line} of {path}"
        raise UsageError(f"{where} holds no launch of {engine.title}, which is what answers")
    if len({(launch.spec.state, launch.spec.methods, launch.spec.gamma) for launch in found}) > 1:
        lines = ", ".join(str(launch.line) for launch in found)
        raise UsageError(
            f"{path} holds several launches of {engine.title} (lines {lines}): choose one with {path}:{found[0].line}"
        )
    target = found[0].target
    stated = target.range.exact if target is not None and target.source != "the configuration" else None
    return Asked(found[0].spec, path if line is None else f"{path}:{line}", stated)


def differences(asked: Asked, observation: Observation, verdict: Verdict, max_tokens: int) -> tuple[str, ...]:
    """Where the running server is not as it was asked for, a sentence each. What is not known differs in nothing."""
    spec, place = asked.spec, asked.place
    found: list[str] = []
    if asked.version is not None and observation.version is not None and asked.version != observation.version:
        found.append(f"{place} is for {observation.title} {asked.version}, and {observation.version} answers")
    if spec.state == "on" and verdict.state == "inactive":
        seen = {"off": "it is off", "idle": "nothing is drafted", "rejecting": "its drafts are rejected"}
        found.append(f"{place} asks for speculation, and {seen[verdict.kind]}")
    if spec.state == "off" and verdict.state == "active":
        found.append(f"{place} asks for no speculation, and it is active")
    gamma = _gamma_seen(observation, verdict)
    if spec.state == "on" and gamma is not None and _other_gamma(spec, gamma, max_tokens):
        found.append(f"{place} asks for γ {spec.gamma}, and γ {gamma} is seen")
    methods = _methods_seen(observation)
    if spec.state == "on" and spec.methods and methods and not set(methods) <= set(spec.methods):
        found.append(f"{place} asks for {_listed(spec.methods)}, and {_listed(methods)} is seen")
    return tuple(found)


def _gamma_seen(observation: Observation, verdict: Verdict) -> int | None:
    if observation.spec is not None and observation.spec.gamma is not None:
        return observation.spec.gamma
    return verdict.decisive.figures.gamma


def _other_gamma(spec: MTPSpec, seen: int, max_tokens: int) -> bool:
    """Whether a draft length contradicts the one asked for; a shorter one may have other reasons."""
    if spec.gamma is None:
        return False
    if spec.p_min or spec.adaptive or _VARYING & set(spec.methods) or spec.gamma > max_tokens - 2:
        return seen > spec.gamma
    return seen != spec.gamma


def _methods_seen(observation: Observation) -> tuple[str, ...]:
    if observation.spec is not None and observation.spec.methods:
        return observation.spec.methods
    return next((sample.methods for seen in observation.rounds for sample in seen.samples if sample.methods), ())


def _listed(names: Sequence[str]) -> str:
    return " + ".join(names)
