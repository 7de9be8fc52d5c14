"""Record what real llama-servers answer to the questions of ``mtpconfig verify``, for tests that need no server.

    python -m tools.conformance.responses

One file for each build: states of the server, each with its exchanges in order. Times differ from run to run; counts do
not. The tiny model's path is left out of what is kept.
"""

from __future__ import annotations

import json
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mtpconfig.evidence import Ask, Probe
from mtpconfig.hooks import find_engine
from tests.live.llama_server import serve
from tests.live.tiny_model import ModelSpec, write_model

from .builds import BUILDS, Build, python_of

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests" / "data" / "responses" / "llama.cpp"
STATES: Final[Mapping[str, Sequence[str]]] = {
    "on": ["--spec-type", "draft-mtp", "--spec-draft-n-max", "3", "--metrics"],
    "off": ["--metrics"],
    "idle": ["--spec-type", "draft-mtp", "--spec-draft-n-max", "3", "--spec-draft-n-min", "4", "--metrics"],
}
NUMBERS: Final = (9294, 10566, 11549)
PROMPT: Final = "hello"
TOKENS: Final = 64
_KEPT_HEADERS: Final = ("server", "content-type")
_DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def _exchange(url: str, path: str, request: Mapping[str, Any] | None, secret: str) -> dict[str, Any]:
    data = None if request is None else json.dumps(request).encode()
    try:
        answer = _DIRECT.open(
            urllib.request.Request(url + path, data, {"Content-Type": "application/json"}), timeout=60
        )
    except urllib.error.HTTPError as refusal:
        answer = refusal
    with answer:
        body = answer.read().decode().replace(secret, "~")
        headers = {name.lower(): value for name, value in answer.headers.items() if name.lower() in _KEPT_HEADERS}
        status = answer.status
    return {
        "method": "GET" if request is None else "POST",
        "path": path,
        "request": request,
        "status": status,
        "headers": headers,
        "body": body,
    }


def record(build: Build, folder: str, probe: Probe) -> dict[str, list[dict[str, Any]]]:
    """The exchanges with one build in each state."""
    model = str(write_model(Path(folder, "mtp.gguf"), ModelSpec("mtp", accept=0.9)))
    request = probe.request(Ask(PROMPT, TOKENS, 0.0))
    found = {}
    for state, args in STATES.items():
        launch = ["-m", model, "-t", "1", "-c", "2048", "-np", "1", *args]
        with serve(launch, python=python_of(build)) as server:
            asked = [("/props", None), ("/slots", None), ("/metrics", None), (request.path, request.body)]
            asked += [("/slots", None), ("/metrics", None)]
            found[state] = [_exchange(server.url, path, body, folder) for path, body in asked]
    return found


def main() -> int:
    """Record the oldest build that knows MTP, and those that count drafts in ``/metrics``."""
    probe = find_engine("llama.cpp").probe()
    assert probe is not None
    FOLDER.mkdir(parents=True, exist_ok=True)
    for build in BUILDS:
        if build.number not in NUMBERS:
            continue
        with tempfile.TemporaryDirectory(prefix="responses-") as temporary:
            states = record(build, str(Path(temporary).resolve()), probe)
        document = {"build": build.name, "wheel": f"xllamacpp=={build.wheel}", "states": states}
        path = FOLDER / f"{build.name}.json"
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size} bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
