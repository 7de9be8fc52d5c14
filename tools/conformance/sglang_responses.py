"""Write down what SGLang releases answer to the questions of ``mtpconfig verify``, as far as their own code tells it.

    python -m tools.conformance.sglang_responses

No SGLang runs here: it needs a GPU. Of each release the function that fills `meta_info` and the collectors behind
`/metrics` run by themselves (`sglang_release`), on requests whose steps are given; the routes around them, and which
fields `/server_info` has, are read from the sources. One file for each release of ``RELEASES`` has whole states; one
file has what all releases from 0.4.2 on say of two requests. The wheels' sources come from the harvest's cache.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from packaging.version import Version

from tools.harvest.sglang.releases import Release, known, sources

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "tests" / "data" / "responses" / "sglang"
RELEASES: Final = ("0.4.6.post4", "0.5.5", "0.5.10.post1", "0.5.11", "0.5.13", "0.5.23")
FIRST_TELLING: Final = Version("0.4.2")
FIRST_PLAIN_ROUTE: Final = Version("0.5.6")
TOKENS: Final = 64
SETTINGS: Final = {
    "speculative_algorithm": "EAGLE",  # of NEXTN, too, once the server has started
    "speculative_draft_model_path": "/models/tiny",
    "speculative_num_steps": 3,
    "speculative_eagle_topk": 1,
    "speculative_num_draft_tokens": 4,
    "speculative_adaptive": False,
}
OTHERS: Final = {
    "model_path": "/models/tiny",
    "served_model_name": "tiny",
    "mem_fraction_static": 0.8,
    "enable_torch_compile": False,
    "preferred_sampling_params": None,
}
_KEPT: Final = re.compile(r"sglang:(?:spec_|num_requests_total|generation_tokens_total|prompt_tokens_total)")


def request(accepted: Sequence[int]) -> dict[str, Any]:
    """A request of 64 tokens whose steps accept so many drafts in turn; none: it is answered without drafts."""
    taken: list[int] = []
    turns = cycle(accepted)
    while accepted and 1 + sum(taken) + len(taken) < TOKENS:
        taken.append(min(next(turns), TOKENS - 2 - sum(taken) - len(taken)))
    histogram = [taken.count(count) for count in range(max(taken, default=-1) + 1)]
    return {"tokens": TOKENS, "steps": len(taken), "counted": sum(taken), "histogram": histogram}


STATES: Final[Mapping[str, Sequence[Mapping[str, Any]]]] = {
    "on": (request((3, 2, 0, 3)), request((3, 1, 2))),
    "rejecting": (request((0,)), request((0,))),
    "idle": (request(()), request(())),
    "off": (request(()), request(())),
}


def _answers(folder: Path, requests: Sequence[Mapping[str, Any]], off: bool, metrics: bool) -> dict[str, Any]:
    steps = sum(each["steps"] for each in requests)
    accepted = sum(each["counted"] for each in requests)
    gauges = {
        "spec_accept_length": 1 + accepted / steps if steps else 0.0,
        "spec_num_steps": 0 if off else 3,
        "spec_num_draft_tokens": 0 if off else 4,
    }
    given = {"requests": requests, "settings": {} if off else SETTINGS, "gauges": gauges if metrics else None}
    done = subprocess.run(
        [sys.executable, "-m", "tools.conformance.sglang_release", str(folder)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _exchange(method: str, path: str, status: int, body: Any, sent: Any = None) -> dict[str, Any]:
    text = body if isinstance(body, str) else json.dumps(body)
    kind = "text/plain; version=0.0.4" if isinstance(body, str) else "application/json"
    headers = {"content-type": kind}
    return {"method": method, "path": path, "request": sent, "status": status, "headers": headers, "body": text}


def _settings(files: Mapping[str, str], release: Release, off: bool) -> dict[str, Any]:
    """The fields of `/server_info` that this release has."""
    text = "\n".join(text for path, text in files.items() if path.startswith(("srt/server_args", "srt/arg_groups")))
    fields = {**OTHERS, **(dict.fromkeys(SETTINGS) if off else SETTINGS)}
    kept = {name: value for name, value in fields.items() if re.search(rf"^\s+{name}\s*:", text, re.MULTILINE)}
    return {**kept, "internal_states": [{"last_gen_throughput": 0.0}], "version": release.name}


def _state(folder: Path, files: Mapping[str, str], release: Release, state: str) -> list[dict[str, Any]]:
    off, requests = state == "off", STATES[state]
    answers = _answers(folder, requests, off, metrics=True)
    info = _settings(files, release, off)
    found = [_exchange("GET", "/get_server_info", 200, info)]
    if release.version >= FIRST_PLAIN_ROUTE:
        found.append(_exchange("GET", "/server_info", 200, info))
    found.append(_exchange("GET", "/metrics", 200, ""))
    for number, each in enumerate(requests):
        told = answers["meta"][number] if answers["meta"] else {}
        basic = {"id": "~", "finish_reason": {"type": "length", "length": TOKENS}, "prompt_tokens": 40}
        meta = {**basic, "completion_tokens": each["tokens"], "cached_tokens": 0, **told, "e2e_latency": 1.0}
        sent = {"text": "~", "sampling_params": {"max_new_tokens": TOKENS, "temperature": 0.0}}
        found.append(_exchange("POST", "/generate", 200, {"text": "~", "meta_info": meta}, sent))
    lines = [line for line in answers["metrics"].split("\n") if _KEPT.search(line)]
    found.append(_exchange("GET", "/metrics", 200, "\n".join(lines) + "\n"))
    return found


def _unpacked(files: Mapping[str, str], folder: Path) -> Path:
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return folder


def main() -> None:
    """Write all files again."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    told: dict[str, Any] = {}
    for release in known(offline=True):
        if release.version < FIRST_TELLING:
            continue
        files = sources(release, offline=True)
        with tempfile.TemporaryDirectory() as name:
            folder = _unpacked(files, Path(name))
            told[release.name] = _answers(folder, (STATES["on"][0], STATES["idle"][0]), False, metrics=False)["meta"]
            if release.name in RELEASES:
                states = {state: _state(folder, files, release, state) for state in STATES}
                text = json.dumps({"states": states}, indent=1) + "\n"
                (FOLDER / f"{release.name}.json").write_text(text)
        print(release.name, told[release.name])
    lines = (f"{json.dumps(name)}: {json.dumps(rows)}" for name, rows in told.items())
    (FOLDER / "meta-info.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
