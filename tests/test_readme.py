"""What the README shows is what the commands print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def shown() -> list[tuple[str, str]]:
    """The commands of the README's console blocks, each with what is shown as its output."""
    found: list[tuple[str, str]] = []
    for block in BLOCK.findall((ROOT / "README.md").read_text("utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def test_there_is_something_to_run() -> None:
    assert len(shown()) >= 4


@pytest.mark.parametrize(("command", "output"), shown())
def test_the_output_is_real(command: str, output: str) -> None:
    words = shlex.split(command)
    assert words[0] == "mtpconfig"
    done = subprocess.run(
        [sys.executable, "-m", "mtpconfig", *words[1:]],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.stdout + done.stderr == output
