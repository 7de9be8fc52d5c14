"""Record what a real vLLM server answers in each of its states, one file per exchange.

    python -m tests.live_vllm.record FOLDER [STATE ...]

An exchange is ``{"method", "path", "request", "status", "headers", "body"}``: ``headers`` holds the content type alone,
``body`` is decoded JSON where it is JSON, else text. ``log.txt`` holds the start-up lines that speak of speculation.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.live.llama_server import Server

from .model import write_model
from .server import serve
from .states import STATES, State

_DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_ABOUT: Final = re.compile(r"specul|SpecDecod|draft|\bmtp\b|non-default args|vLLM (API server )?version", re.IGNORECASE)
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_OTHER_FAMILIES: Final = re.compile(r"^(# (HELP|TYPE) )?(python_|process_|http_)|^\S+_bucket\{")

GREEDY: Final[Mapping[str, Any]] = {"model": "tiny", "max_tokens": 64, "temperature": 0}
COMPLETION: Final[Mapping[str, Any]] = {**GREEDY, "prompt": "hello"}
CHAT: Final[Mapping[str, Any]] = {**GREEDY, "messages": [{"role": "user", "content": "hello"}]}
STREAM: Final[Mapping[str, Any]] = {"stream": True, "stream_options": {"include_usage": True}}


def exchange(
    server: Server, path: str, request: Any = None, headers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """One request, a POST when there is something to send, and its whole answer."""
    data = None if request is None else json.dumps(request).encode()
    asked = urllib.request.Request(server.url + path, data, {"Content-Type": "application/json", **(headers or {})})
    try:
        answer = _DIRECT.open(asked, timeout=120)
    except urllib.error.HTTPError as refusal:
        answer = refusal
    with answer:
        kind, text = str(answer.headers.get("Content-Type", "")), str(answer.read(), "utf-8")
    return {
        "method": "GET" if request is None else "POST",
        "path": path,
        "request": request,
        "status": answer.status,
        "headers": {"content-type": kind},
        "body": json.loads(text) if kind.startswith("application/json") and text else text,
    }


def _trimmed(metrics: dict[str, Any]) -> dict[str, Any]:
    """Metrics without the histograms' buckets, nine tenths of the text, and without what is not about the engine."""
    lines = str(metrics["body"]).splitlines(keepends=True)
    return {**metrics, "body": "".join(line for line in lines if not _OTHER_FAMILIES.match(line))}


def _without_machine(info: dict[str, Any]) -> dict[str, Any]:
    """``/server_info`` without its description of the machine and of the environment."""
    body = {key: value for key, value in info["body"].items() if key not in ("vllm_env", "system_env")}
    return {**info, "body": body}


def exchanges(server: Server, state: State) -> dict[str, dict[str, Any]]:
    """All exchanges with one server, by name, in the order in which they took place."""
    key = {"Authorization": "Bearer secret"} if "--api-key" in state.args else {}

    def ask(path: str, request: Any = None) -> dict[str, Any]:
        return exchange(server, path, request, key)

    found = {"health": ask("/health"), "version": ask("/version"), "models": ask("/v1/models")}
    found["metrics-before"] = _trimmed(ask("/metrics"))
    found["completion"] = ask("/v1/completions", COMPLETION)
    found["chat"] = ask("/v1/chat/completions", CHAT)
    found["metrics-after"] = _trimmed(ask("/metrics"))
    found["completion-stream"] = ask("/v1/completions", {**COMPLETION, **STREAM})
    found["chat-stream"] = ask("/v1/chat/completions", {**CHAT, **STREAM})
    found["metrics-after-streams"] = _trimmed(ask("/metrics"))
    found["error-min-p"] = ask("/v1/completions", {**COMPLETION, "temperature": 0.5, "min_p": 0.1})
    found["min-p-greedy"] = ask("/v1/completions", {**COMPLETION, "min_p": 0.1})
    found["error-model"] = ask("/v1/completions", {**COMPLETION, "model": "other"})
    found["error-path"] = ask("/no-such-path")
    found["error-too-long"] = ask("/v1/completions", {**COMPLETION, "max_tokens": 100000})
    found["server-info"] = _without_machine(ask("/server_info?config_format=json"))
    if key:
        found["error-no-key"] = exchange(server, "/v1/completions", COMPLETION)
        found["error-wrong-key"] = exchange(server, "/v1/models", None, {"Authorization": "Bearer wrong"})
        found["health-no-key"] = exchange(server, "/health")
        found["metrics-no-key"] = _trimmed(exchange(server, "/metrics"))
        found["version-no-key"] = exchange(server, "/version")
    return found


def _excerpt(log: str, folder: str) -> str:
    """The lines of a server's log that speak of speculation, without colours and this machine's paths."""
    lines = [_COLOUR.sub("", line).replace(folder, "~") for line in log.splitlines()]
    return "".join(f"{line}\n" for line in lines if _ABOUT.search(line))


def record(state: State, out: Path) -> None:
    """Start one server, and write its exchanges and the excerpt of its log into ``out``."""
    with tempfile.TemporaryDirectory(prefix="vllm-model-") as folder:
        model = write_model(Path(folder, "model"), state.model)
        with serve(model, state.args, state.env) as server:
            found = exchanges(server, state)
            log = server.log
    out.mkdir(parents=True, exist_ok=True)
    for name, what in found.items():
        text = json.dumps(what, indent=1, ensure_ascii=False).replace(folder, "~")
        (out / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (out / "log.txt").write_text(_excerpt(log, folder), encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Record the states that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.live_vllm.record", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("states", nargs="*", metavar="state", help=f"default: all of {', '.join(STATES)}")
    arguments = parser.parse_args(argv)
    for name in arguments.states or STATES:
        record(STATES[name], arguments.folder / name)
        sys.stdout.write(f"{name}: recorded\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
