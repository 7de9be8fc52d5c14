"""The recorded verdicts, and command lines as one-line scripts."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from mtpconfig.lint.findings import FileReport
from mtpconfig.lint.linter import Linter
from mtpconfig.lint.target import Targets, parse_target
from mtpconfig.text import Source

ROOT = Path(__file__).parent.parent / "data" / "conformance" / "llama.cpp"
BUILDS = sorted((path.stem for path in ROOT.glob("b*.json")), key=lambda build: int(build[1:]))


def entries(name: str) -> list[dict[str, Any]]:
    """The cases of `cases.toml` or the launches of `effects.toml`."""
    data = tomllib.loads((ROOT / f"{name}.toml").read_text("utf-8"))
    return list(next(value for value in data.values() if isinstance(value, list)))


@lru_cache
def recorded(name: str) -> dict[str, dict[str, Any]]:
    """What a build said, by case id."""
    data = json.loads((ROOT / f"{name}.json").read_text("utf-8"))
    found: dict[str, dict[str, Any]] = data["verdicts" if "verdicts" in data else "effects"]
    return found


def script(program: str, args: Sequence[str], env: Mapping[str, str]) -> str:
    """A command line as a shell would be given it."""
    assignments = [f"{name}={shlex.quote(value)}" for name, value in env.items()]
    return " ".join([*assignments, shlex.join([program, *args])]) + "\n"


def lint(text: str, build: str) -> FileReport:
    """Lint a one-line script for one build."""
    linter = _linter(build)
    return linter.lint_source(Source("case.sh", text))


@lru_cache
def _linter(build: str) -> Linter:
    return Linter(Targets(dict([parse_target(f"llama.cpp@{build}")])))
