"""The same on builds that are not installed here: opt-in, as each needs an environment of its own.

MTPCONFIG_OLDER_BUILDS=1 python -m pytest tests/live/test_verify_builds.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("gguf")
if not os.environ.get("MTPCONFIG_OLDER_BUILDS"):
    pytest.skip("older builds are asked with MTPCONFIG_OLDER_BUILDS=1", allow_module_level=True)

from tests.probe.verifying import check
from tools.conformance.builds import BUILDS, Build, python_of

from .llama_server import serve
from .test_verify import MTP, TOKENS, counted, kind, oracle
from .tiny_model import ModelSpec, write_model

KNOWING_MTP = [build for build in BUILDS if build.number >= 9294]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("build", KNOWING_MTP, ids=lambda build: str(build.name))
def test_every_build_counts_as_the_oracle(build: Build, tmp_path: Path) -> None:
    python = python_of(build)
    model = str(write_model(tmp_path / "mtp.gguf", ModelSpec()))
    launch = ["-m", model, "-t", "1", "-c", "4096", "-np", "1", "--metrics"]
    for gamma in (1, 3, 8):
        with serve([*launch, *MTP, "--spec-draft-n-max", str(gamma)], python=python) as server:
            found = check(server.url, max_tokens=TOKENS)
            watched = check(server.url, passive=True, interval=0)
        assert found.code == 0 and counted(found) == oracle(gamma)
        assert watched.code == (0 if build.number >= 10289 else 3)
    with serve(launch, python=python) as server:
        assert kind(check(server.url)) == ("inactive", "off")
    never = ["--spec-draft-n-max", "3", "--spec-draft-n-min", "4"]
    with serve([*launch, *MTP, *never], python=python) as server:
        assert kind(check(server.url)) == ("inactive", "idle")
