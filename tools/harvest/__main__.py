"""``python -m tools.harvest ENGINE``: regenerate an engine's option history from its released sources."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from .pypi import METER, HarvestError

ENGINES = {"llama.cpp": "llamacpp", "ollama": "ollama", "sglang": "sglang", "vllm": "vllm"}
CHECKOUT = Path(__file__).resolve().parents[2]


def main(argv: list[str] | None = None) -> int:
    """Run one harvest.  Exit codes: 0 done or up to date, 1 out of date (``--check``), 2 could not be done."""
    parser = argparse.ArgumentParser(prog="python -m tools.harvest", description=__doc__)
    parser.add_argument("engine", choices=sorted(ENGINES))
    parser.add_argument("--offline", action="store_true", help="use only what is in the cache")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the files are up to date")
    parser.add_argument("--quiet", action="store_true", help="say only what went wrong")
    asked = parser.parse_args(argv)

    def say(text: str) -> None:
        if not asked.quiet:
            print(text, file=sys.stderr, flush=True)

    engine = importlib.import_module(f".{ENGINES[asked.engine]}.run", __package__)
    try:
        files: dict[Path, str] = engine.harvest(asked.offline, say)
    except (HarvestError, OSError) as problem:
        print(f"harvest: {problem}", file=sys.stderr)
        return 2
    stale = 0
    for relative, text in sorted(files.items()):
        path = CHECKOUT / relative
        same = path.exists() and path.read_text(encoding="utf-8") == text
        say(f"{relative}: {'up to date' if same else 'out of date' if asked.check else 'written'}")
        if not same and not asked.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        stale += not same
    say(f"{METER.downloads} downloads, {METER.bytes / 1e6:.1f} MB")
    return 1 if asked.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
