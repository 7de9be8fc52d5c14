"""The recorded verdicts of vLLM, and its cases as files that a user might have."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from mtpconfig.lint.findings import FileReport
from mtpconfig.lint.linter import Linter
from mtpconfig.lint.target import Targets, parse_target

ROOT = Path(__file__).parent.parent / "data" / "conformance" / "vllm"
RELEASE = "0.32.0"

CASES: list[dict[str, Any]] = tomllib.loads((ROOT / "cases.toml").read_text("utf-8"))["case"]
VERDICTS: dict[str, dict[str, Any]] = json.loads((ROOT / f"{RELEASE}.json").read_text("utf-8"))["verdicts"]

_PROGRAMS = {"vllm serve": ["vllm", "serve"], "api_server": ["python3", "-m", "vllm.entrypoints.openai.api_server"]}


def filled(text: str) -> str:
    """A text of a case with the paths of models."""
    return re.sub(r"\{([\w-]+)\}", r"/models/\1", text)


def text_of(case: dict[str, Any]) -> tuple[str, str]:
    """The name and the text of the file that holds a case's launch: a script, or a Python program."""
    if "call" in case:
        call = filled(case["call"])
        return "case.py", f"from vllm import {call.partition('(')[0]}\n\nengine = {call}\n"
    words = [*_PROGRAMS[case.get("program", "vllm serve")], *map(filled, case["args"])]
    return "case.sh", shlex.join(words) + "\n"


def lint(case: dict[str, Any], folder: Path) -> FileReport:
    """Lint a case for the recorded release, with the files that it names beside it."""
    name, text = text_of(case)
    for other, content in {**case.get("files", {}), name: text}.items():
        (folder / other).write_text(filled(content) if other != name else content, encoding="utf-8")
    report = _linter().lint_path(str(folder / name))
    for other in (*case.get("files", {}), name):
        (folder / other).unlink()
    return report


@lru_cache
def _linter() -> Linter:
    return Linter(Targets(dict([parse_target(f"vllm@{RELEASE}")])))
