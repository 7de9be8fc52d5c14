"""The verb: what it refuses before it asks anybody, what it prints, and what it leaves unimported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mtpconfig.cli.guard import run
from mtpconfig.hooks import SWITCH
from tests.probe.servers import Replay, answering, recorded
from tests.support import one_sentence
from tests.support import run as in_a_process

ON = recorded("llama.cpp/b11549", "on")
NOBODY = "http://127.0.0.1:1"


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["verify", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("mtpconfig: ") and captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "URL..."),
        ((NOBODY, "--engine", "llama-cpp"), "did you mean llama.cpp?"),
        ((NOBODY, "--engine", "llama.cpp@new"), "is not a version here"),
        ((NOBODY, "--spec", "absent.toml"), "spec absent.toml cannot be read"),
        ((NOBODY, "--against", "absent.sh"), "absent.sh does not exist"),
        ((NOBODY, "--against", "absent.sh:3"), "absent.sh does not exist"),
        ((NOBODY, "--against", "a.sh", "--spec", "b.toml"), "exclude each other"),
        ((NOBODY, "--passive", "--interval", "60"), "shorter than --timeout"),
        ((NOBODY, "--timeout", "nan"), "no number"),
        ((NOBODY, "--min-acceptance", "nan"), "no number"),
        ((NOBODY, "--min-acceptance", "1.5"), "1.5"),
        ((NOBODY, "--requests", "0"), "0"),
        ((NOBODY, "--log", "absent.log"), "log absent.log cannot be read"),
        ((NOBODY, NOBODY, "--log", "absent.log"), "one URL"),
        ((NOBODY, "--passive", "--allow-reload"), "leave one out"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(capsys, *arguments)


def test_a_bad_spec_is_refused_before_anybody_is_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    spec = tmp_path / "mtp.toml"
    spec.write_text("gama = 3\n")
    replay = Replay(ON)
    with answering(replay) as url:
        assert "unknown key 'gama'" in refused(capsys, url, "--spec", str(spec))
    assert replay.headers == []


def test_without_engines_nothing_is_known() -> None:
    assert SWITCH in one_sentence(in_a_process("verify", NOBODY, env={SWITCH: "none"}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("echo hello\n", "holds no launch of llama.cpp"),
        ("llama-server -m a --spec-type draft-mtp\nllama-server -m b\n", "several launches of llama.cpp (lines 1, 2)"),
    ],
)
def test_files_without_one_launch(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, said: str) -> None:
    script = tmp_path / "start.sh"
    script.write_text(text)
    with answering(Replay(ON)) as url:
        assert said in refused(capsys, url, "--against", str(script))


def test_a_line_chooses_the_launch(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "start.sh"
    script.write_text("llama-server -m a --spec-type draft-mtp\nllama-server -m b\n")
    with answering(Replay(ON)) as url:
        assert run(["verify", url, "--requests", "1", "--against", f"{script}:1"]) == 0
        assert run(["verify", url, "--requests", "1", "--against", f"{script}:2"]) == 1
    assert "start.sh:2 asks for no speculation, and it is active" in capsys.readouterr().out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(Replay(ON)) as url:
        assert run(["verify", url, "--requests", "1", "--engine", "llama.cpp@b11549", "--json"]) == 0
    (server,) = json.loads(capsys.readouterr().out)["servers"]
    assert (server["url"], server["state"], server["kind"], server["exit"]) == (url, "active", None, 0)
    assert (server["engine"], server["version"], server["gamma"]) == ("llama.cpp", "b11549", 3)
    evidence = server["evidence"]
    assert (evidence["drafted"], evidence["accepted"], evidence["steps"]) == (59, 43, 20)
    assert server["r"] == pytest.approx(43 / 59) and server["E"] == pytest.approx(1 + 43 / 20)


def test_other_verbs_do_not_import_it(tmp_path: Path) -> None:
    script = tmp_path / "start.sh"
    script.write_text("llama-server -m a --spec-type draft-mtp\n")
    probe = (
        "import sys\nfrom mtpconfig.cli.guard import run\n"
        f"run(['lint', {str(script)!r}])\n"
        "heavy = {'httpx', 'ssl', 'prometheus_client', 'mtpconfig.probe', 'mtpconfig.evidence'}\n"
        "sys.exit(','.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
