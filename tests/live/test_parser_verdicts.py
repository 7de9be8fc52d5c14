"""The recorded verdicts are what the installed wheel's parser says today."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

pytest.importorskip("xllamacpp")
if not hasattr(os, "fork"):
    pytest.skip("needs fork", allow_module_level=True)

from .llama_server import clean_environment
from .native import PROGRAMS

DATA = Path(__file__).parents[1] / "data" / "conformance" / "llama.cpp"
CASES = tomllib.loads((DATA / "cases.toml").read_text(encoding="utf-8"))["case"]
RECORDS = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("b*.json"))]


def test_cases_are_well_formed() -> None:
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids)) >= 110
    assert {case["program"] for case in CASES} <= PROGRAMS.keys()
    assert all(name.lower().startswith("llama_") for case in CASES for name in case.get("env", {}))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["build"]))
def test_every_record_covers_every_case(record: dict[str, dict[str, object]]) -> None:
    assert record["verdicts"].keys() == {case["id"] for case in CASES}


def test_the_installed_parser_says_the_same() -> None:
    installed = f"xllamacpp=={version('xllamacpp')}"
    recorded = next((record["verdicts"] for record in RECORDS if record["wheel"] == installed), None)
    if recorded is None:
        pytest.skip(f"no verdicts are recorded for {installed}")
    cases = [case for case in CASES if not case.get("machine")]
    answer = subprocess.run(
        [sys.executable, "-m", "tests.live.verdicts"],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env=clean_environment(),
    )
    fresh = json.loads(answer.stdout)
    assert fresh == {case["id"]: recorded[case["id"]] for case in cases}
