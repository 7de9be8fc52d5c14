"""Ask vLLM about all cases."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.live_vllm.model import ModelSpec, write_model
from tools.conformance.records import FOLDER, Record, read_entries

from .environment import RELEASE, environment_of, python_of

FILE: Final = FOLDER / "vllm" / f"{RELEASE}.json"
"""Holds the verdicts."""

_ROOT: Final = Path(__file__).resolve().parents[3]
_IN_NAMES: Final = ("eagle-mtp", "my-eagle3-mtp", "dflash-mtp", "eagle_mtp", "medusa-mtp", "dspark-mtp")
MODELS: Final = {
    "mtp": ModelSpec(),
    "two-heads": ModelSpec(heads=2),
    "headless": ModelSpec(None),
    **dict.fromkeys(_IN_NAMES, ModelSpec()),
}
"""The models that ``cases.toml`` speaks of."""


def run() -> Record:
    """Verdicts on every case, from one interpreter of vLLM's own. Takes some minutes."""
    cases: list[dict[str, Any]] = read_entries(FOLDER / "vllm" / "cases.toml", "case")
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        models = Path(folder, "models").resolve()
        for name, spec in MODELS.items():
            write_model(models / name, spec)
        answer = subprocess.run(
            [python_of(), "-m", "tools.conformance.vllm.oracle", str(models)],
            input=json.dumps(cases),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=True,
            env=environment_of(folder, [str(_ROOT)]),
        )
    record: Record = json.loads(answer.stdout)
    return record
