"""Ollama's servers, which count nothing: what their models, their log and a comparison tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mtpconfig_ollama import log

from mtpconfig.errors import UsageError
from mtpconfig.evidence import Counts
from mtpconfig.probe.asked import from_launch
from mtpconfig.probe.log import ServerLog
from mtpconfig.probe.report import json_, text
from mtpconfig.probe.verdict import Thresholds
from mtpconfig.probe.verify import Outcome

from .ollama_server import FakeOllama
from .servers import Replay, answering, recorded
from .verifying import check

SET = {"draft_num_predict": "4"}


def outcome(server: FakeOllama, **options: Any) -> Outcome:
    with answering(server) as url:
        return check(url, **options)


def logged(tmp_path: Path) -> Path:
    path = tmp_path / "server.log"
    path.write_text("time=2026-08-21T01:00:00.000Z level=INFO msg=started\n")
    return path


# --- what the model tells


@pytest.mark.parametrize(
    "server",
    [
        FakeOllama(),
        FakeOllama(parameters={"draft_num_predict": "0"}),
        FakeOllama(parameters={"draft_num_predict": "-1"}),
        FakeOllama(parameters=SET, head=False),
        FakeOllama(parameters=SET, head=False, architecture="llama"),
        FakeOllama(parameters={"draft_num_predict": "0"}, layer=True),
        FakeOllama(version="0.24.0"),
    ],
)
def test_what_cannot_draft_is_off(server: FakeOllama) -> None:
    found = outcome(server)
    assert found.code == 1 and found.verdict is not None and found.observation is not None
    assert (found.verdict.state, found.verdict.kind) == ("inactive", "off")
    assert found.observation.engine == "ollama" and str(found.observation.version) == server.version
    assert "draft_num_predict is not set" in text([found])


@pytest.mark.parametrize(
    "server",
    [
        FakeOllama(parameters=SET),
        FakeOllama(head=False, layer=True),
        FakeOllama(kind="safetensors"),
        FakeOllama(parameters=SET, head=False, architecture="nemotron_h_moe"),
    ],
)
def test_what_may_draft_is_unproven_without_a_log(server: FakeOllama) -> None:
    found = outcome(server)
    assert found.code == 3 and found.verdict is not None
    assert "--log FILE" in found.verdict.reasons[0] and "--allow-reload" in found.verdict.reasons[0]
    assert len(server.loads) == 1


def test_the_depth_that_is_set_is_reported() -> None:
    found = outcome(FakeOllama(parameters={"temperature": "1", "draft_num_predict": "3"})).observation
    assert found is not None and found.spec is not None
    assert (found.spec.state, found.spec.methods, found.spec.gamma) == ("on", ("mtp",), 3)
    older = outcome(FakeOllama(version="0.30.5", head=False, layer=True)).observation
    assert older is not None and older.spec is not None and older.spec.gamma == 4


def test_a_layer_may_be_of_either_kind() -> None:
    """From 0.32.7 on a DRAFT layer may hold a DFlash model, and nothing shows it."""
    found = outcome(FakeOllama(version="0.32.7", head=False, layer=True)).observation
    assert found is not None and found.spec is None


def test_the_request_leaves_the_runner_as_it_is() -> None:
    server = FakeOllama(parameters=SET)
    outcome(server, max_tokens=40)
    assert [body["options"] for body in server.bodies] == [{"temperature": 0.0, "num_predict": 40}] * 2
    assert all(body["raw"] is True and body["stream"] is False for body in server.bodies)


def test_which_model_is_asked_for() -> None:
    assert outcome(FakeOllama(loaded=False, parameters=SET)).code == 3
    several = FakeOllama(loaded=False, parameters=SET, others=("gemma4:12b",))
    unnamed = outcome(several)
    assert unnamed.code == 3 and unnamed.verdict is not None
    assert "400: model is required" in unnamed.verdict.reasons[0] and several.bodies == []
    assert outcome(several, model="qwen3.8:27b").code == 3 and len(several.bodies) == 2
    absent = outcome(several, model="llama3").verdict
    assert absent is not None and "404: model 'llama3' not found" in absent.reasons[0]


def test_others_are_not_taken_for_it() -> None:
    with answering(lambda method, path, body, headers: (200, {}, b'{"version": "1.2"}')) as url:
        assert check(url).code == 2
    built = outcome(FakeOllama(version="0.0.0", parameters=SET)).observation
    assert built is not None and built.version is None and "built from source" in built.notes[0]


# --- the log


def test_the_log_proves_drafts(tmp_path: Path) -> None:
    server = FakeOllama(parameters=SET, log=logged(tmp_path))
    assert server.log is not None
    server.served(500, 300, 3)  # somebody's request before ours
    found = outcome(server, log=ServerLog(str(server.log)))
    assert found.code == 0 and found.verdict is not None
    evidence, figures = found.verdict.decisive.evidence, found.verdict.decisive.figures
    assert evidence.counts == Counts(128, 88, None)  # of 64 tokens of each request 44 are accepted
    assert (evidence.source, evidence.traffic, evidence.place) == ("counters", "alone", "the log")
    assert (figures.ratio, figures.gamma) == (88 / 128, 4)
    assert figures.speed == pytest.approx(127 / 1.6, rel=1e-6)
    assert "the log before and after; no other traffic" in text([found])


def test_a_log_without_drafts(tmp_path: Path) -> None:
    server = FakeOllama(log=logged(tmp_path))
    found = outcome(server, log=ServerLog(str(server.log)))
    assert found.code == 1 and found.verdict is not None and found.verdict.kind == "off"


def test_a_head_that_is_always_wrong(tmp_path: Path) -> None:
    server = FakeOllama(parameters=SET, accepted=0, log=logged(tmp_path))
    found = outcome(server, log=ServerLog(str(server.log)))
    assert found.code == 1 and found.verdict is not None and found.verdict.kind == "rejecting"


def test_requests_of_others_are_told(tmp_path: Path) -> None:
    server = FakeOllama(parameters=SET, log=logged(tmp_path))

    def crowded(method: str, path: str, body: bytes, headers: Any) -> Any:
        if path == "/api/generate":
            server.served(30, 20, 10)
        return server(method, path, body, headers)

    with answering(crowded) as url:
        found = check(url, log=ServerLog(str(server.log)))
    assert found.code == 0 and found.verdict is not None
    assert found.verdict.decisive.evidence.traffic == "mixed"
    assert found.verdict.decisive.evidence.counts == Counts(168, 108, None)


def test_the_log_of_another_server_proves_nothing(tmp_path: Path) -> None:
    other = FakeOllama(log=logged(tmp_path))
    other.served(500, 300, 200)
    found = outcome(FakeOllama(parameters=SET), log=ServerLog(str(other.log)))
    assert found.code == 3 and found.verdict is not None
    assert "tells of less than our requests: it is another server's" in found.verdict.reasons[0]


def test_a_log_that_begins_anew(tmp_path: Path) -> None:
    server = FakeOllama(parameters=SET, log=logged(tmp_path))
    assert server.log is not None
    for _ in range(5):
        server.served(500, 300, 200)
    log_file = ServerLog(str(server.log))
    server.log.rename(tmp_path / "old.log")
    server.log.write_text("")
    assert log_file.text() == ""
    found = outcome(server, log=log_file)
    assert found.code == 0 and found.verdict is not None and found.verdict.decisive.evidence.counts == Counts(128, 88)


def test_a_long_log_is_read_from_a_line_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mtpconfig.probe.log.BACK", len(OLDER) + len(NEWER) - 40)
    path = tmp_path / "server.log"
    path.write_text(NEWER + OLDER)
    found = log.read(ServerLog(str(path)).text())
    assert (found.requests, found.tokens, found.counts) == (2, 609, Counts(2884, 345, None))
    monkeypatch.setattr("mtpconfig.probe.log.MOST", 10)
    assert len(ServerLog(str(path)).text()) < 10


def test_the_log_can_be_watched(tmp_path: Path) -> None:
    server = FakeOllama(parameters=SET, log=logged(tmp_path))
    for _ in range(3):
        server.served(500, 300, 200)
    found = outcome(server, log=ServerLog(str(server.log)), passive=True, interval=0)
    assert found.code == 0 and found.verdict is not None and server.bodies == []
    assert found.verdict.decisive.evidence.counts == Counts(900, 600, None)


def test_logs_of_others_are_refused(tmp_path: Path) -> None:
    path = logged(tmp_path)
    with (
        answering(Replay(recorded("llama.cpp/b11549", "on"))) as url,
        pytest.raises(UsageError, match="--log: what llama"),
    ):
        check(url, log=ServerLog(str(path)))
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        ServerLog(str(tmp_path / "absent.log"))
    with pytest.raises(UsageError, match="not a regular file"):
        ServerLog(str(tmp_path))


# Lines as servers printed them: pull request 24536 of llama.cpp (256 tokens, 87 steps), a multi-line one of before.
NEWER = """\
slot print_timing: id  1 | task 0 | prompt eval time =     300.11 ms /    20 tokens (   15.01 ms per token,    66.64 tokens per second)
slot print_timing: id  1 | task 0 |        eval time =    2296.72 ms /   256 tokens (    8.97 ms per token,   111.46 tokens per second)
slot print_timing: id  1 | task 0 |       total time =    2596.83 ms /   276 tokens
slot print_timing: id  1 | task 0 |    graphs reused =         85
slot print_timing: id  1 | task 0 | draft acceptance = 0.64479 (  167 accepted /   259 generated), mean len =  2.92
statistics     draft-eagle3: #calls(b,g,a) =    1     87     87, #gen drafts =     87, #acc drafts =    70, #gen tokens =    259
"""  # noqa: E501
OLDER = """\
slot print_timing: id  0 | task 585 |
prompt eval time =     191.44 ms /     5 tokens (   38.29 ms per token,    26.12 tokens per second)
       eval time =   15645.15 ms /   353 tokens (   44.32 ms per token,    22.56 tokens per second)
      total time =   15836.59 ms /   358 tokens
draft acceptance rate = 0.06781 (  178 accepted /  2625 generated)
"""
MLX = (
    'time=2026-08-21T01:02:03.456Z level=INFO source=speculate_stats.go:62 msg="speculative decode stats" '
    "iterations=60 "
    "drafted=150 accepted=120 acceptance=0.80 avg_draft=2.50 max_draft=5 avg_accepted=2.00 "
    'depth_over_time="0.3/1 2.1/3"\n'
)
OLD_MLX = (
    'time=2026-05-10T01:02:03.456Z level=INFO source=mtp.go:304 msg="MTP decode stats" generated=128 drafted=160 '
    "accepted=90 acceptance=0.5625 iterations=38 avg_draft=4.2 max_draft=4 draft_schedule=constant\n"
)


@pytest.mark.parametrize(
    ("lines", "counts", "requests", "tokens", "gamma"),
    [
        (NEWER, Counts(259, 167, 87), 1, 256, None),
        (OLDER, Counts(2625, 178), 1, 353, None),
        (NEWER + OLDER, Counts(2884, 345), 2, 609, None),
        (MLX, Counts(150, 120), 1, None, 5),
        (OLD_MLX, Counts(160, 90), 1, 128, 4),
        ("", Counts(0, 0, 0), 0, 0, None),
    ],
)
def test_lines_of_real_servers(
    lines: str, counts: Counts, requests: int, tokens: int | None, gamma: int | None
) -> None:
    found = log.read(lines)
    assert found.counts == counts
    assert (found.requests, found.tokens, found.gamma, found.loaded) == (requests, tokens, gamma, None)


def test_how_servers_were_started() -> None:
    drafting, plain = FakeOllama()._start(5), FakeOllama()._start(0)
    assert (log.read(drafting).loaded, log.read(drafting).gamma) == (True, 5)
    assert (log.read(plain).loaded, log.read(plain).gamma) == (False, None)
    assert log.read(f"{drafting}\n{plain}\n").loaded is False  # the same model, loaded again
    other = plain.replace("sha256-3f6a", "sha256-0000")
    assert log.read(f"{drafting}\n{other}\n").loaded is None  # which of both is asked for, nobody knows


@given(st.lists(st.sampled_from([NEWER, OLDER, MLX, OLD_MLX, "\x00", "9" * 40, "eval time = ", "\n", '"']) | st.text()))
@settings(max_examples=60, deadline=None)
def test_any_text_is_a_log(pieces: list[str]) -> None:
    found = log.read("".join(pieces))
    assert found.counts is not None and 0 <= found.counts.accepted <= found.counts.drafted


# --- the comparison


def test_a_comparison_is_made_where_it_is_allowed() -> None:
    server = FakeOllama(parameters=SET)
    found = outcome(server, may_reload=True)
    assert found.code == 0 and found.verdict is not None and found.observation is not None
    assert server.loads == [4, 0, 4]  # and so it is left as it was
    compared = found.observation.compared
    assert compared is not None and compared.gain == pytest.approx(1.6)
    assert len(compared.drafting) == len(compared.plain) == 4 and len(server.bodies) == 2 + 5 + 5
    assert compared.plain[0] == pytest.approx(127 / 2.56)
    assert "1.60 times as fast with drafts" in text([found]) and '"gain": 1.6' in json_([found])


def test_a_comparison_tells_no_acceptance() -> None:
    found = outcome(FakeOllama(parameters=SET), may_reload=True, thresholds=Thresholds(min_acceptance=0.4))
    assert found.code == 3 and found.verdict is not None and "0.4 of the drafts" in found.verdict.reasons[1]


@pytest.mark.parametrize("gain", [0.7, 1.0, 1.14])
def test_what_is_not_faster_by_far_proves_nothing(gain: float) -> None:
    found = outcome(FakeOllama(parameters=SET, gain=gain), may_reload=True)
    assert found.code == 3 and found.verdict is not None and "proves nothing" in found.verdict.reasons[0]


def test_a_single_slow_answer_spoils_it() -> None:
    server = FakeOllama(parameters=SET)

    def uneven(method: str, path: str, body: bytes, headers: Any) -> Any:
        server.gain = 0.9 if len(server.bodies) == 11 else 1.6
        return server(method, path, body, headers)

    with answering(uneven) as url:
        assert check(url, may_reload=True).code == 3


def test_nothing_is_reloaded_where_it_proves_nothing(tmp_path: Path) -> None:
    off = FakeOllama()
    assert outcome(off, may_reload=True).code == 1 and off.loads == [0]
    mlx = FakeOllama(kind="safetensors")
    found = outcome(mlx, may_reload=True).verdict
    assert found is not None and "cannot be switched off" in found.reasons[0] and len(mlx.bodies) == 2
    told = FakeOllama(parameters=SET, log=logged(tmp_path))
    assert outcome(told, may_reload=True, log=ServerLog(str(told.log))).code == 0 and told.loads == [4]


def test_a_comparison_that_breaks_off_proves_nothing() -> None:
    server = FakeOllama(parameters=SET)

    def failing(method: str, path: str, body: bytes, headers: Any) -> Any:
        if len(server.bodies) >= 9 and path == "/api/generate":
            return 500, {"Content-Type": "application/json"}, b'{"error": "llama runner process has terminated"}'
        return server(method, path, body, headers)

    with answering(failing) as url:
        found = check(url, may_reload=True)
    assert found.code == 3 and found.verdict is not None
    assert "came to no end" in found.verdict.reasons[0] and "has terminated" in found.verdict.reasons[0]


# --- compared with a file


def test_against_a_modelfile(tmp_path: Path) -> None:
    modelfile = tmp_path / "Modelfile"
    modelfile.write_text("FROM ./a.gguf\nPARAMETER draft_num_predict 6\n")
    found = outcome(FakeOllama(parameters=SET), asking=from_launch(str(modelfile)))
    assert any("asks for γ 6, and γ 4 is seen" in difference for difference in found.differences)
    same = outcome(FakeOllama(parameters={"draft_num_predict": "6"}), asking=from_launch(str(modelfile)))
    assert same.differences == ()
