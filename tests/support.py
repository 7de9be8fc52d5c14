"""What many tests need: text in, launches, readings and reports out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from mtpconfig.engine import Engine, Reading
from mtpconfig.hooks import find_engine
from mtpconfig.launch import Launch
from mtpconfig.lint.findings import FileReport, Finding
from mtpconfig.lint.linter import Linter
from mtpconfig.lint.target import Targets, parse_target
from mtpconfig.text import Source
from mtpconfig.version import BUILD, Version

LLAMACPP = "llama.cpp"
ROOT = Path(__file__).resolve().parent.parent


def llamacpp() -> Engine:
    return find_engine(LLAMACPP)


def build(text: str) -> Version:
    return BUILD.parse(text)


@lru_cache(maxsize=64)
def linter(target: str = "") -> Linter:
    """A linter with one `--target`, or none."""
    return Linter(Targets(dict([parse_target(target)]))) if target else Linter()


def lint(text: str, target: str = "", name: str = "start.sh") -> FileReport:
    """Lint a text; a bare build number (`b9180`) is one of llama.cpp's."""
    if target and "@" not in target:
        target = f"{LLAMACPP}@{target}"
    return linter(target).lint_source(Source(name, text))


def found(text: str, target: str = "", name: str = "start.sh") -> list[Finding]:
    """The findings above a note."""
    return [finding for finding in lint(text, target, name).findings if finding.severity != "info"]


def codes(text: str, target: str = "", name: str = "start.sh") -> list[str]:
    return [finding.code for finding in found(text, target, name)]


def launch(text: str, name: str = "start.sh") -> Launch:
    """The one launch of a text."""
    (only,) = linter().launches(Source(name, text))
    return only


def read(text: str, version: str) -> Reading:
    """The one launch of a text as a build reads it."""
    return llamacpp().read(launch(text), build(version))


def retarget(base: Launch, **changes: object) -> Launch:
    return replace(base, **changes)


def run(
    *arguments: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None, cwd: Path | str | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The command line in a process of its own."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    return subprocess.run(
        [sys.executable, "-m", "mtpconfig", *arguments],
        input=data,
        capture_output=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        timeout=60,
        check=False,
    )


def one_sentence(result: subprocess.CompletedProcess[bytes], code: int = 2) -> str:
    """Standard error after asserting that it is one sentence, that nothing else was said, and the exit code."""
    text = result.stderr.decode()
    assert result.returncode == code, text
    assert text.startswith("mtpconfig: ") and text.count("\n") == 1 and text.endswith("\n"), text
    assert "Traceback" not in text and result.stdout == b""
    return text


def words(texts: Sequence[str]) -> str:
    return " ".join(texts)
