"""`mtpconfig verify` on a real llama.cpp server counts what the oracle says, and sees what the server will not say."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("xllamacpp")
pytest.importorskip("numpy")
pytest.importorskip("gguf")

from mtpconfig.cli.guard import run
from mtpconfig.evidence import Counts
from mtpconfig.probe.prompts import PROMPTS
from mtpconfig.probe.verdict import Thresholds
from mtpconfig.probe.verify import Outcome
from tests.probe.verifying import check
from tests.support import ROOT

from .llama_server import Server, fetch, serve
from .tiny_model import ModelSpec, simulate, write_model

TOKENS = 64
MTP = ("--spec-type", "draft-mtp")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found: Path = tmp_path_factory.mktemp("verify")
    return found


def model(folder: Path, spec: ModelSpec | None = None) -> str:
    """The path of a tiny model, written when it is first asked for."""
    spec = spec or ModelSpec()
    path = folder / f"{spec.kind}-{spec.accept}.gguf"
    return str(path if path.exists() else write_model(path, spec))


@contextmanager
def serving(path: str, *args: str, slots: int = 1) -> Iterator[Server]:
    with serve(["-m", path, "-t", "1", "-c", "4096", "-np", str(slots), *args]) as server:
        yield server


def oracle(gamma: int, spec: ModelSpec | None = None, tokens: int = TOKENS) -> Counts:
    """What the server must have counted for one request of each prompt."""
    language = (spec or ModelSpec()).language
    drafted, accepted, steps = (
        sum(each) for each in zip(*(simulate(language, prompt, tokens, gamma) for prompt in PROMPTS))
    )
    return Counts(drafted, accepted, steps)


def counted(found: Outcome) -> Counts:
    """The counts of the decisive round, without its positions."""
    assert found.verdict is not None, found.error
    counts = found.verdict.decisive.evidence.counts
    assert counts is not None
    if counts.positions:
        assert sum(counts.positions) == counts.accepted
        assert list(counts.positions) == sorted(counts.positions, reverse=True)
    return Counts(counts.drafted, counts.accepted, counts.steps)


def kind(found: Outcome) -> tuple[str, str]:
    assert found.verdict is not None, found.error
    return found.verdict.state, found.verdict.kind


@pytest.mark.parametrize("gamma", range(1, 9))
def test_counts_equal_the_oracle(folder: Path, gamma: int) -> None:
    with serving(model(folder), *MTP, "--spec-draft-n-max", str(gamma), "--metrics") as server:
        found = check(server.url, max_tokens=TOKENS)
        watched = check(server.url, passive=True, interval=0)
    assert found.code == 0 and counted(found) == oracle(gamma)
    assert found.verdict is not None and found.verdict.decisive.figures.gamma == gamma
    assert found.verdict.decisive.evidence.notes == ("/metrics agrees",)
    assert counted(watched) == oracle(gamma)  # the server's own totals


def test_off(folder: Path) -> None:
    with serving(model(folder), "--metrics") as server:
        found, watched = check(server.url), check(server.url, passive=True, interval=0)
    assert kind(found) == kind(watched) == ("inactive", "off") and found.code == 1


def test_loaded_and_never_drafting_is_idle(folder: Path) -> None:
    with serving(model(folder), *MTP, "--spec-draft-n-max", "3", "--spec-draft-n-min", "4") as server:
        assert fetch(f"{server.url}/slots")[0]["speculative"] is True
        found = check(server.url)
    assert kind(found) == ("inactive", "idle")


@pytest.mark.parametrize(
    "args",
    [("--spec-draft-n-max", "3"), ("--spec-type", "none,draft-mtp"), ("--spec-type", "draft-simple")],
    ids=" ".join,
)
def test_what_was_written_and_does_nothing_is_off(folder: Path, args: tuple[str, ...]) -> None:
    with serving(model(folder), *args) as server:
        assert kind(check(server.url)) == ("inactive", "off")


def test_an_ngram_type_that_finds_nothing_is_idle(folder: Path) -> None:
    with serving(model(folder), "--spec-type", "ngram-mod") as server:
        assert kind(check(server.url, max_tokens=TOKENS)) == ("inactive", "idle")


@pytest.mark.parametrize("args", [MTP, ()], ids=["draft-mtp", "no type"])
def test_a_head_in_a_file_of_its_own(folder: Path, args: tuple[str, ...]) -> None:
    head = model(folder, ModelSpec("mtp-only"))
    with serving(model(folder, ModelSpec("headless")), "-md", head, *args) as server:
        found = check(server.url, max_tokens=TOKENS)
    assert found.code == 0 and counted(found) == oracle(3)


@pytest.mark.parametrize(("args", "state"), [(("--spec-type", "draft-simple"), "active"), ((), "inactive")])
def test_an_ordinary_draft_model_needs_its_type(folder: Path, args: tuple[str, ...], state: str) -> None:
    draft = model(folder, ModelSpec("draft"))
    with serving(model(folder, ModelSpec("ordinary")), "-md", draft, *args) as server:
        assert kind(check(server.url, max_tokens=TOKENS))[0] == state


@pytest.mark.parametrize(
    ("accept", "states"),
    [
        (1.0, {0.0: "active", 0.9: "active"}),
        (0.2, {0.0: "active", 0.3: "inactive"}),
        (0.0, {0.0: "inactive"}),
    ],
)
def test_acceptance(folder: Path, accept: float, states: dict[float, str]) -> None:
    """A head that is always, seldom and never right, against the least acceptance that is asked for."""
    spec = ModelSpec(accept=accept)
    expected = oracle(3, spec)
    assert expected.steps is not None
    with serving(model(folder, spec), *MTP) as server:
        for least, state in states.items():
            found = check(server.url, max_tokens=TOKENS, thresholds=Thresholds(min_acceptance=least))
            assert counted(found) == expected
            assert kind(found) == (state, "" if state == "active" else "rejecting")
            assert found.verdict is not None
            assert found.verdict.decisive.figures.length == pytest.approx(1 + expected.accepted / expected.steps)


def test_short_answers_prove_nothing(folder: Path) -> None:
    with serving(model(folder), *MTP) as server:
        codes = [check(server.url, max_tokens=tokens).code for tokens in (2, 3, 8, 24)]
    assert codes == [3, 3, 3, 0]


def test_other_users_do_not_blur_the_figures(folder: Path) -> None:
    """Four slots, three users besides us: what our own responses tell stays what the oracle says."""
    stopped = threading.Event()

    def use(server: Server) -> None:
        while not stopped.is_set():
            fetch(f"{server.url}/completion", {"prompt": "hello", "n_predict": 48, "temperature": 0})

    with serving(model(folder), *MTP, "--metrics", slots=4) as server:
        fetch(f"{server.url}/completion", {"prompt": "hello", "n_predict": 48, "temperature": 0})
        users = [threading.Thread(target=use, args=(server,)) for _ in range(3)]
        for user in users:
            user.start()
        try:
            found = check(server.url, max_tokens=TOKENS, requests=6, timeout=60)
            watched = check(server.url, passive=True, interval=1.0)
        finally:
            stopped.set()
            for user in users:
                user.join()
    own = oracle(3)
    assert own.steps is not None
    assert counted(found) == Counts(3 * own.drafted, 3 * own.accepted, 3 * own.steps)
    assert found.verdict is not None and found.verdict.decisive.evidence.traffic == "mixed"
    assert found.verdict.decisive.evidence.notes == ("/metrics holds other traffic too",)
    assert watched.code == 0 and watched.verdict is not None
    assert watched.verdict.decisive.evidence.source == "counters"


def test_a_server_that_aborts_at_the_first_completion(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--spec-draft-n-max 0` with one slot: up, loaded, and gone with a failed assertion when it is used."""
    with serving(model(folder), *MTP, "--spec-draft-n-max", "0") as server:
        assert run(["verify", server.url]) == 2
        assert server.process.wait(20) == -signal.SIGABRT
    captured = capsys.readouterr()
    assert captured.out == "" and "broke off the connection before its answer to /completion" in captured.err


def test_a_server_that_is_killed_meanwhile(folder: Path) -> None:
    with serving(model(folder), *MTP) as server:
        watcher = threading.Timer(0.5, os.kill, (server.pid, signal.SIGKILL))
        watcher.start()
        found = check(server.url, requests=50, max_tokens=2000, timeout=60)
        watcher.join()
    assert found.code == 2 and found.error


def test_a_key(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    key = "kept-to-ourselves-42"
    monkeypatch.setenv("LIVE_KEY", key)
    with serving(model(folder), *MTP, "--api-key", key) as server:
        assert run(["verify", server.url]) == 2
        assert run(["verify", server.url, "--api-key-env", "LIVE_KEY"]) == 0
    captured = capsys.readouterr()
    assert "--api-key-env" in captured.err and key not in captured.err + captured.out


def test_the_temperature_of_a_spec(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "mtp.toml"
    spec.write_text('methods = ["mtp"]\ngamma = 3\ntemperature = 0.7\n')
    with serving(model(folder), *MTP, "--spec-draft-n-max", "3") as server:
        assert run(["verify", server.url, "--spec", str(spec)]) == 0
    rounds = [line for line in capsys.readouterr().out.split("\n") if line.startswith("  round")]
    assert len(rounds) == 2 and "temperature 0.7: active" in rounds[1]


def test_what_the_readme_shows_is_what_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All but the address, the speed, and that this build does not state its number."""
    block = (ROOT / "README.md").read_text("utf-8").split("```text\n$ mtpconfig verify", 1)[1].split("```", 1)[0]
    shown = [part.partition("\n")[2] for part in f"$ mtpconfig verify{block}".split("$ mtpconfig verify")[1:]]
    printed = []
    for args in ((*MTP, "--spec-draft-n-max", "4", "--metrics"), ("--spec-draft-n-max", "4")):
        with serving(model(folder), *args) as server:
            run(["verify", server.url, "--engine", "llama.cpp@b11549"])
            printed.append(capsys.readouterr().out.replace(server.url, "http://127.0.0.1:8080"))
    assert [comparable(text) for text in printed] == [comparable(text) for text in shown]


def comparable(text: str) -> str:
    lines = [line for line in text.split("\n") if not line.startswith("  note ")]
    return re.sub(r"\d+ tok/s", "N tok/s", "\n".join(lines))
