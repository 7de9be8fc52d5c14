"""Command line: ``python -m tools.conformance record|check``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from . import effects, records, verdicts
from .builds import BUILDS


def main(argv: Sequence[str] | None = None) -> int:
    """Record, or check against the records: 0 when nothing differs, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.conformance", description="Ask real llama.cpp builds.")
    parser.add_argument("action", choices=("record", "check"))
    parser.add_argument("--build", action="append", choices=[build.name for build in BUILDS], help="default: all")
    parser.add_argument("--only", choices=("verdicts", "effects"), help="default: both")
    arguments = parser.parse_args(argv)
    changed = False
    for build in BUILDS:
        if arguments.build and build.name not in arguments.build:
            continue
        for key, part in (("verdicts", verdicts), ("effects", effects)):
            if arguments.only not in (None, key) or (part is effects and not build.effects):
                continue
            start = time.monotonic()
            fresh = part.run(build)
            lines = records.differences(records.read(part.file_of(build), key), fresh)
            seconds = time.monotonic() - start
            print(f"{build.name}: {len(fresh)} {key} in {seconds:.0f} s, {len(lines)} differ", flush=True)
            if arguments.action == "record":
                records.write(part.file_of(build), build.name, f"xllamacpp=={build.wheel}", key, fresh)
            elif lines:
                print("\n".join(lines))
                changed = True
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
