"""Prints what starting and linting cost: CPU time (user + system) of whole processes, medians.

python -m benchmarks.run [--files 2000] [--repeats 15]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import trees

CHECKOUT = Path(__file__).resolve().parents[1]
MTPCONFIG = str(Path(sys.executable).with_name("mtpconfig"))


def cpu(words: Sequence[str]) -> float:
    """CPU seconds of one process. Bytecode is kept between runs, as in an installed package."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def median(words: Sequence[str], repeats: int) -> float:
    """The median of several runs, after one that warms the caches."""
    cpu(words)
    return statistics.median(cpu(words) for _ in range(repeats))


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--files", type=int, default=2000, help="scripts in the tree (default: 2000)")
    parser.add_argument("--repeats", type=int, default=15, help="runs of each command (default: 15)")
    asked = parser.parse_args()

    bare = median([sys.executable, "-c", "pass"], asked.repeats)
    version = median([MTPCONFIG, "--version"], asked.repeats)
    one = median([MTPCONFIG, "lint", str(CHECKOUT / "examples" / "start.sh")], asked.repeats)
    with tempfile.TemporaryDirectory() as folder:
        size = trees.make(Path(folder), asked.files)
        tree = median([MTPCONFIG, "lint", "--output-format", "concise", folder], max(3, asked.repeats // 3))
        quiet = Path(folder, "part-000", "script-00000.sh")
        quiet.write_text("#!/bin/sh\necho hello\n", "utf-8")
        irrelevant = median([MTPCONFIG, "lint", str(quiet)], asked.repeats)

    rows = (
        ("python -c pass", f"{bare * 1000:.0f} ms"),
        ("mtpconfig --version", f"{version * 1000:.0f} ms (bare Python + {(version - bare) * 1000:.0f} ms)"),
        ("mtpconfig lint, a file without a launch", f"{irrelevant * 1000:.0f} ms"),
        ("mtpconfig lint, a file with a launch", f"{one * 1000:.0f} ms"),
        (
            f"mtpconfig lint, {asked.files} scripts, {size / 1e6:.1f} MB",
            f"{tree:.2f} s: {asked.files / tree:.0f} files/s",
        ),
    )
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:{width}}  {value}")


if __name__ == "__main__":
    main()
