"""Ask one build's parser about all cases."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.live.llama_server import clean_environment
from tests.live.verdicts import SECONDS_PER_CASE

from .builds import Build, python_of
from .records import FOLDER, Record, read_entries


def file_of(build: Build) -> Path:
    """The file that holds a build's verdicts."""
    return FOLDER / "llama.cpp" / f"{build.name}.json"


def run(build: Build) -> Record:
    """Verdicts of ``build`` on every case, from one interpreter of its own."""
    cases: list[dict[str, Any]] = read_entries(FOLDER / "llama.cpp" / "cases.toml", "case")
    answer = subprocess.run(
        [python_of(build), "-m", "tests.live.verdicts"],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
        timeout=60 + SECONDS_PER_CASE * len(cases),
        env=clean_environment(),
    )
    record: Record = json.loads(answer.stdout)
    return record
