"""Command line: ``python -m tools.fuzz [CARRIER ...]``."""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from pathlib import Path

from .run import Batch, Find, Result, run, smaller
from .targets import TARGETS, Target

_WORKERS = 2
_BATCH = 1000


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz, write one input for each fault: 1 when there are crashes, slow readings or wrong places, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description="Read mutated files with every carrier.")
    names = [target.name for target in TARGETS]
    parser.add_argument("carriers", nargs="*", metavar="CARRIER", help=f"default: all of {', '.join(names)}")
    parser.add_argument("--executions", type=int, default=200_000, help="for each carrier (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same inputs (default: 0)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument(
        "--out", type=Path, default=Path("build/fuzz"), help="folder for inputs with faults (default: %(default)s)"
    )
    arguments = parser.parse_args(argv)
    if unknown := set(arguments.carriers) - {*names}:
        parser.error(f"unknown carrier {min(unknown)!r} (known: {', '.join(names)})")
    targets = [target for target in TARGETS if not arguments.carriers or target.name in arguments.carriers]
    start = time.monotonic()
    results = {target.name: Result(target) for target in targets}
    with ProcessPoolExecutor(_WORKERS) as pool:
        batches = _batches(targets, arguments.executions, arguments.seed)
        running = {pool.submit(run, batch) for batch in islice(batches, 2 * _WORKERS)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                part = future.result()
                for find in results[part.target.name].join(part):
                    path = _write(arguments.out, part.target, find)
                    print(f"{part.target.name}: {find.fault.kind} ({find.fault.place}) {path}", flush=True)
                if time.monotonic() - start < arguments.seconds:
                    running |= {pool.submit(run, batch) for batch in islice(batches, 1)}
    seconds = time.monotonic() - start
    total = sum(result.executions for result in results.values())
    print(f"{total} executions in {seconds:.0f} s ({total / seconds:.0f}/s)")
    for result in results.values():
        _report(result, arguments.out)
    return int(any(kind != "edit" for result in results.values() for kind, _ in result.finds))


def _batches(targets: Sequence[Target], executions: int, seed: int) -> Iterator[Batch]:
    """One batch of each carrier in turn, so that each gets its share of the time."""
    for first in range(0, executions, _BATCH):
        for target in targets:
            yield Batch(target, f"{seed}/{target.name}/{first}", min(_BATCH, executions - first))


def _report(result: Result, out: Path) -> None:
    share = result.launches / max(result.executions, 1)
    print(f"{result.target.name}: {result.executions} executions, {share:.0%} with launches")
    for key, find in result.finds.items():
        path = _write(out, result.target, smaller(result.target, find))
        print(f"  {key[0]} x{result.counts[key]}: {key[1]} -> {path}")


def _write(out: Path, target: Target, find: Find) -> Path:
    """The input, and beside it what it shows; named by the place of the fault."""
    out.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(find.fault.place.encode()).hexdigest()[:8]
    path = out / f"{target.slug}-{find.fault.kind}-{digest}.input"
    path.write_bytes(find.text.encode("utf-8", "surrogatepass"))
    path.with_suffix(".txt").write_text(
        f"{find.fault.kind}: {find.fault.place}\nedit: {find.edit}\n{find.text!r}\n\n{find.fault.detail}\n", "utf-8"
    )
    return path


if __name__ == "__main__":
    sys.exit(main())
