"""The table in docs/conformance.md says what the records and the linter say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conformance import test_parser_verdicts as llamacpp
from tests.conformance import test_vllm_verdicts as vllm
from tests.conformance import vllm_cases
from tests.conformance.records import BUILDS, entries, lint, recorded, script
from tests.support import ROOT

ROWS = {
    row[0]: tuple(map(int, row[1:]))
    for line in (ROOT / "docs" / "conformance.md").read_text("utf-8").splitlines()
    if re.fullmatch(r"\| [\w. ]+( \| \d+){6} \|", line) and (row := [cell.strip() for cell in line.split("|")[1:-1]])
}
"""Release -> spellings, accepted, refused, judged alike, silent by choice, left to the machine."""


def counted(verdicts: list[tuple[bool, bool]], cases: int, accepted: int) -> tuple[int, ...]:
    """A row, of (accepted, called an error) for each case that is judged."""
    alike = sum(takes != error for takes, error in verdicts)
    return cases, accepted, cases - accepted, alike, len(verdicts) - alike, cases - len(verdicts)


@pytest.mark.parametrize("build", BUILDS)
def test_a_build(build: str) -> None:
    verdicts = recorded(build)
    judged = []
    for case in llamacpp.CASES:
        found = lint(script(case["program"], case["args"], case.get("env", {})), build).findings
        error = any(f.severity == "error" and f.rule not in llamacpp.BEYOND_THE_PARSER for f in found)
        judged.append((verdicts[case["id"]]["accepted"], error))
    accepted = sum(verdicts[case["id"]]["accepted"] for case in entries("cases"))
    assert ROWS[f"llama.cpp {build}"] == counted(judged, len(entries("cases")), accepted)


def test_vllm(tmp_path: Path) -> None:
    judged = []
    for case in vllm.judged():
        found = vllm_cases.lint(case, tmp_path).findings
        error = any(f.severity == "error" and f.rule not in vllm.BEYOND_THE_CONFIGURATION for f in found)
        judged.append((vllm_cases.VERDICTS[case["id"]]["starts"], error))
    accepted = sum(verdict["starts"] for verdict in vllm_cases.VERDICTS.values())
    assert ROWS[f"vLLM {vllm_cases.RELEASE}"] == counted(judged, len(vllm_cases.CASES), accepted)
