"""A real vLLM server counts what the oracle says, in every state. Opt in: ``make live-vllm`` (10 to 40 minutes)."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy")

from tests.live.bigram import Counts
from tests.live.llama_server import Server, ServerDied

from .model import count, write_model
from .record import COMPLETION, exchange
from .server import serve
from .states import HEADLESS, STATES, State

pytestmark = [
    pytest.mark.skipif("MTPCONFIG_LIVE_VLLM" not in os.environ, reason="make live-vllm runs it"),
    pytest.mark.timeout(900),
]

TOKENS = 64
VERDICTS = {
    "active": (0, "active", None),
    "off": (1, "inactive", "off"),
    "idle": (1, "inactive", "idle"),
    "rejecting": (1, "inactive", "rejecting"),
    "unproven": (3, "unproven", None),
}
"""Exit code, state and kind."""
KEY = {"Authorization": "Bearer secret"}


@pytest.fixture(scope="module", params=sorted(STATES))
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[State, Server]]:
    """A server in one of the states: all tests of a state share it."""
    state = STATES[request.param]
    model = write_model(tmp_path_factory.mktemp("model"), state.model)
    with serve(model, state.args, state.env) as server:
        yield state, server


def counters(server: Server) -> dict[str, float]:
    """The speculation counters of ``/metrics`` by short name, ``per_pos`` with its position."""
    found = {}
    for line in server.text("/metrics").splitlines():
        sample = re.match(r'vllm:spec_decode_num_(\w+?)_total\{.*?(?:position="(\d+)")?\} (\S+)$', line)
        if sample:
            found[sample[1] + (f" {sample[2]}" if sample[2] else "")] = float(sample[3])
    return found


def complete(server: Server, **fields: Any) -> dict[str, Any]:
    return exchange(server, "/v1/completions", {**COMPLETION, **fields}, KEY)


def expected(state: State) -> Counts:
    assert state.gamma is not None
    if "ngram" in " ".join(state.args):
        return Counts(0, 0, 0)
    return count(state.model.language, "hello", TOKENS, state.gamma)


def test_counters_equal_the_oracle(running: tuple[State, Server]) -> None:
    """Steps, drafted and accepted tokens of one request; one position per token that may be drafted."""
    state, server = running
    before = counters(server)
    assert complete(server)["status"] == 200
    after = counters(server)
    if state.gamma is None or "--disable-log-stats" in state.args:
        assert before == after == {}
        return
    delta = {name: after[name] - before[name] for name in after}
    counted = Counts(int(delta["draft_tokens"]), int(delta["accepted_tokens"]), int(delta["drafts"]))
    assert counted == expected(state)
    assert {name for name in after if "per_pos" in name} == {f"accepted_tokens_per_pos {i}" for i in range(state.gamma)}


def test_a_request_tells_its_own_counts_where_it_may(running: tuple[State, Server]) -> None:
    state, server = running
    metrics = complete(server)["body"]["metrics"]
    if "--per-request-spec-decode-metrics" not in state.args:
        assert metrics is None
        return
    drafted, accepted, steps = expected(state)
    told = metrics["speculative_decoding"]
    assert told["num_draft_tokens"] == drafted
    assert told["num_accepted_draft_tokens"] == accepted
    assert told["num_spec_steps"] == steps
    assert sum(told["acceptance_histogram"]) == steps
    each = told["per_step_accepted"]  # null in a summary
    assert (each is not None) == ("detailed" in state.args)
    assert each is None or (len(each), sum(each)) == (steps, accepted)


def test_min_p_is_refused_where_speculation_is_on(running: tuple[State, Server]) -> None:
    """Not at temperature 0, where it means nothing."""
    state, server = running
    assert complete(server, min_p=0.1)["status"] == 200
    assert complete(server, temperature=0.5, min_p=0.1)["status"] == (200 if state.gamma is None else 400)


def verify(server: Server, *options: str, key: str = "") -> tuple[int, dict[str, Any]]:
    """Exit code and JSON of ``mtpconfig verify``, as a user runs it. 64 tokens: no word comes back in as many."""
    command = [sys.executable, "-m", "mtpconfig", "verify", server.url, "--json", "--max-tokens", str(TOKENS), *options]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "TINY_KEY": key})
    return answer.returncode, json.loads(answer.stdout)["servers"][0]


def test_verify_tells_the_state(running: tuple[State, Server]) -> None:
    """Active, inactive and why, or unproven; with the counts of the two requests that it sent."""
    state, server = running
    options = ("--api-key-env", "TINY_KEY") if "--api-key" in state.args else ()
    code, told = verify(server, *options, key="secret")
    assert (code, told["state"], told["kind"]) == VERDICTS[state.verdict], told
    assert (told["engine"], told["version"], told["model"]) == ("vllm", "0.32.0", "tiny")
    if state.verdict in ("active", "rejecting"):
        assert told["gamma"] == state.gamma
        assert told["evidence"]["drafted"] == state.gamma * told["evidence"]["steps"]
        assert told["r"] == pytest.approx(told["evidence"]["accepted"] / told["evidence"]["drafted"])
    if state.model.accept in (0.0, 1.0) and told["r"] is not None:
        assert told["r"] == state.model.accept
    if "VLLM_SERVER_DEV_MODE" in state.env:
        assert told["reported"]["state"] == ("off" if state.gamma is None else "on")
        assert told["reported"].get("gamma") == state.gamma


def test_verify_compares_with_the_launch(running: tuple[State, Server], tmp_path: Path) -> None:
    """A script that starts another server than this one is told apart from the one that starts it."""
    state, server = running
    if state.verdict != "active":
        pytest.skip("compared where speculation can be seen")
    options = ("--api-key-env", "TINY_KEY") if "--api-key" in state.args else ()
    right, wrong = tmp_path / "right.sh", tmp_path / "wrong.sh"
    right.write_text(shlex.join(["vllm", "serve", "/models/tiny", *state.args]) + "\n")
    wrong.write_text("vllm serve /models/tiny --spec-method mtp --spec-tokens 7\n")
    code, told = verify(server, *options, "--against", str(right), key="secret")
    assert (code, told["differences"]) == (0, [])
    code, told = verify(server, *options, "--against", str(wrong), key="secret")
    assert code == 1
    assert any("7" in difference and str(state.gamma) in difference for difference in told["differences"])


def test_verify_without_the_key_cannot_reach_it(running: tuple[State, Server]) -> None:
    state, server = running
    if "--api-key" not in state.args:
        pytest.skip("this server wants no key")
    code, told = verify(server)
    assert (code, told["state"]) == (2, "unreachable")


def test_statistics_off_leave_no_line(running: tuple[State, Server]) -> None:
    state, server = running
    assert ("vllm:" in server.text("/metrics")) == ("--disable-log-stats" not in state.args)


def test_a_key_guards_the_api_and_not_the_metrics(running: tuple[State, Server]) -> None:
    state, server = running
    guarded = "--api-key" in state.args
    assert exchange(server, "/v1/models")["status"] == (401 if guarded else 200)
    assert exchange(server, "/metrics")["status"] == exchange(server, "/version")["status"] == 200


def test_a_model_without_a_head_does_not_start(tmp_path: Path) -> None:
    model = write_model(tmp_path, HEADLESS)
    with pytest.raises(ServerDied) as death, serve(model, STATES["mtp-2"].args):
        pass
    assert "Unsupported speculative method: 'mtp'" in death.value.log
