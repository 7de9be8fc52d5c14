"""Launch one build's real server in many ways on the tiny models, and count what speculation did."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError

from tests.live.llama_server import Server, ServerDied, ServerNotReady, fetch, serve
from tests.live.tiny_model import ModelSpec, write_model

from .builds import Build, python_of
from .records import FOLDER, Record, read_entries

MODELS: Final = {
    "mtp": ModelSpec("mtp", accept=0.9),
    "weak": ModelSpec("mtp", accept=0.2),
    "perfect": ModelSpec("mtp", accept=1.0),
    "headless": ModelSpec("headless"),
    "hollow": ModelSpec("key-without-tensors"),
    "mtp-only": ModelSpec("mtp-only"),
    "ordinary": ModelSpec("ordinary"),
    "draft": ModelSpec("draft"),
}
"""The models that ``effects.toml`` speaks of."""

_REQUEST: Final = {"prompt": "hello", "n_predict": 64, "temperature": 0, "cache_prompt": False}
_LEVEL: Final = re.compile(r"^(?:\d+(?:\.\d+)+ )?([IWE]) +(?=\S)")
_FATAL: Final = re.compile(r"^error\b|GGML_ASSERT|GGML_ABORT")
_ABOUT: Final = re.compile(r"specul|draft|\bmtp\b|nextn|\bspec\b", re.IGNORECASE)
_TROUBLE: Final = re.compile(r"fail|error|not |n't|without|requires|unknown|missing|no impl|disabl", re.IGNORECASE)
_USUAL: Final = re.compile(r"unused tensor|will use checkpoints|failed to measure")
_SOURCE_TREE: Final = re.compile(r"/\S*/llama\.cpp/(?=\S+:\d)")
_SECONDS_TO_START: Final = 30.0


def file_of(build: Build) -> Path:
    """The file that holds a build's outcomes."""
    return FOLDER / "llama.cpp" / f"effects-{build.name}.json"


def _ended(returncode: int) -> int | str:
    """An exit status, or the name of the signal that ended the process."""
    return returncode if returncode >= 0 else signal.Signals(-returncode).name


def complaint(log: str, folder: str, *, crashed: bool = False) -> str:
    """The line of a server's log that explains the outcome, or "".

    That is a refusal of the parser or a failed assertion; else the first warning or error about speculation; else the
    first error; and last that the head's tensors stay unused. Builds before b9000 do not mark levels: there, lines
    about speculation that sound like trouble count. A crash loses what the logging thread had not written yet, so of a
    crash's log only what is written at once counts: refusals and assertions.
    """
    fatal, about, errors, unused = [], [], [], []
    for raw in log.splitlines():
        level = _LEVEL.match(raw)
        line = " ".join(_LEVEL.sub("", raw).split())
        if _FATAL.search(line):
            fatal.append(line)
        elif _USUAL.search(line):
            unused += [line] if "nextn" in line else []
        elif _ABOUT.search(line) and (level[1] in "WE" if level else _TROUBLE.search(line)):
            about.append(line)
        elif level[1] == "E" if level else re.search(r"\berror\b", line):
            errors.append(line)
    line = next(iter(fatal if crashed else [*fatal, *about, *errors, *unused]), "")
    return _SOURCE_TREE.sub("", line.replace(folder, "~"))


def _end_of(server: Server) -> int | str:
    """How a server ended that broke off a connection, or "hangs" when it did not end."""
    try:
        return _ended(server.process.wait(10))
    except subprocess.TimeoutExpired:
        return "hangs"


def _count(server: Server, request: Mapping[str, Any]) -> dict[str, Any]:
    """Send the request and read the counters, and survive a server that does not."""
    slots = fetch(f"{server.url}/slots")
    outcome: dict[str, Any] = {"starts": True, "speculative": slots[0]["speculative"]}
    try:
        answer = fetch(f"{server.url}/completion", {**_REQUEST, **request})
    except HTTPError as refusal:
        with refusal:
            return {**outcome, "completion": f"HTTP {refusal.code}: {json.loads(refusal.read())['error']['message']}"}
    except (OSError, HTTPException):
        return {**outcome, "completion": _end_of(server)}
    timings, settings = answer["timings"], answer["generation_settings"]
    return {
        **outcome,
        "completion": "ok",
        "types": settings.get("speculative.types", settings.get("speculative.type")),
        "draft_n": timings.get("draft_n"),
        "draft_n_accepted": timings.get("draft_n_accepted"),
    }


def launch(python: str, entry: Mapping[str, Any], models: Mapping[str, Path], folder: str) -> dict[str, Any]:
    """What one launch did."""

    def filled(word: str) -> str:
        return re.sub(r"\{([\w-]+)\}", lambda name: str(models[name[1]]), word)

    args = ["-m", str(models[entry["model"]]), "-t", "1", "-c", "4096", *map(filled, entry["args"])]
    env = {name: filled(value) for name, value in entry.get("env", {}).items()}
    try:
        with serve(args, env, python=python, timeout=_SECONDS_TO_START) as server:
            outcome = _count(server, entry.get("request", {}))
            log = server.log
    except ServerDied as death:
        outcome, log = {"starts": False, "exit": _ended(death.returncode)}, death.log
    except ServerNotReady as silence:
        outcome, log = {"starts": False, "exit": "hangs"}, str(silence)
    crashed = str(outcome.get("exit", outcome.get("completion"))).startswith("SIG")
    return {**outcome, "message": complaint(log, folder, crashed=crashed)}


def run(build: Build) -> Record:
    """Outcomes of every launch on ``build``, one after the other."""
    python = python_of(build)
    with tempfile.TemporaryDirectory(prefix="conformance-") as temporary:
        folder = str(Path(temporary).resolve())
        models = {name: write_model(Path(folder, f"{name}.gguf"), spec) for name, spec in MODELS.items()}
        return {
            entry["id"]: launch(python, entry, models, folder)
            for entry in read_entries(FOLDER / "llama.cpp" / "effects.toml", "effect")
        }
