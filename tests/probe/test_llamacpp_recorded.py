"""What three real llama.cpp builds answered, judged: drafting, off, and loaded without ever drafting."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtpconfig.evidence import Answer, Client, Counters, Found, Probe
from mtpconfig.hooks import find_engine
from mtpconfig.probe.asked import from_launch, from_spec
from mtpconfig.probe.verdict import Thresholds
from mtpconfig.probe.verify import Outcome
from mtpconfig.version import BUILD

from .servers import Replay, answering, edited, recorded
from .verifying import check

BUILDS = ("b9294", "b10566", "b11549")
COUNTING = ("b10566", "b11549")  # /metrics counts drafts from b10289 on


def verified(build: str, state: str, **options: object) -> Outcome:
    with answering(Replay(recorded(f"llama.cpp/{build}", state))) as url:
        return check(url, requests=1, **options)  # type: ignore[arg-type]


def llama() -> Probe:
    found = find_engine("llama.cpp").probe()
    assert found is not None
    return found


@pytest.mark.parametrize("build", BUILDS)
def test_on(build: str) -> None:
    """59 of the drafts' tokens and 43 accepted is what every build counts for this model, prompt and length."""
    found = verified(build, "on")
    assert found.code == 0 and found.verdict is not None
    decisive = found.verdict.decisive
    counts = decisive.evidence.counts
    assert counts is not None and decisive.evidence.source == "responses"
    assert (counts.drafted, counts.accepted, counts.steps) == (59, 43, 20)
    assert 1 + 20 + 43 == 64 == decisive.evidence.tokens
    assert decisive.figures.gamma == 3 and len(counts.positions) == 3 and sum(counts.positions) == 43
    assert decisive.figures.length == pytest.approx(1 + 43 / 20)
    assert decisive.evidence.notes == (("/metrics agrees",) if build in COUNTING else ())


@pytest.mark.parametrize("build", COUNTING)
def test_steps_and_positions_are_those_of_the_server(build: str) -> None:
    """What is read off the stream, step by step, is what the server itself counts by position."""
    exchanges = recorded(f"llama.cpp/{build}", "on")
    (completion,) = [each for each in exchanges if each["path"] == "/completion"]
    sample = llama().sample(Answer(200, completion["headers"], completion["body"].encode()))
    totals = llama().counters(Last(exchanges), BUILD.parse(build))
    assert sample is not None and sample.counts == totals.counts
    assert sample.methods == ("mtp",) and sample.longest == totals.gamma == 3


class Last:
    """A client that gives each path's last recorded answer."""

    def __init__(self, exchanges: list[dict[str, object]]) -> None:
        self.answers = {each["path"]: each for each in exchanges}

    def get(self, path: str) -> Answer:
        each = self.answers.get(path, {"status": 404, "headers": {}, "body": ""})
        return Answer(each["status"], each["headers"], str(each["body"]).encode())  # type: ignore[arg-type]

    def post(self, path: str, body: object) -> Answer:
        raise AssertionError(path, body)


@pytest.mark.parametrize("build", BUILDS)
def test_off(build: str) -> None:
    found = verified(build, "off")
    assert found.code == 1 and found.verdict is not None and found.verdict.kind == "off"


@pytest.mark.parametrize("build", BUILDS)
def test_loaded_and_never_drafting(build: str) -> None:
    """`--spec-draft-n-min` above `--spec-draft-n-max`: /slots says `speculative: true`, and nothing is drafted."""
    found = verified(build, "idle")
    assert found.code == 1 and found.verdict is not None and found.verdict.kind == "idle"
    assert found.verdict.decisive.evidence.loaded is True


@pytest.mark.parametrize("build", BUILDS)
def test_watching_needs_counters(build: str) -> None:
    """Before b10289 nothing counts; without traffic totals are zero and prove nothing; off is told by /slots."""
    stated = BUILD.parse(build)
    on = verified(build, "on", passive=True, interval=0, version=stated)
    assert on.code == 3 and on.verdict is not None
    assert ("does not count drafts (from b10289 on)" in on.verdict.reasons[0]) == (build not in COUNTING)
    assert verified(build, "off", passive=True, interval=0).code == 1


def test_watching_after_traffic() -> None:
    exchanges = recorded("llama.cpp/b11549", "on")[::-1]
    with answering(Replay(exchanges)) as url:
        found = check(url, passive=True, interval=0)
    assert found.code == 0 and found.verdict is not None
    evidence = found.verdict.decisive.evidence
    assert evidence.source == "totals" and evidence.counts is not None and evidence.counts.drafted == 59


def test_the_build_is_read_where_it_is_stated() -> None:
    exchanges = recorded("llama.cpp/b11549", "on")
    stated = edited(exchanges, "/props", lambda text: text.replace("b0-unknown", "b11434-7e4c0a9"))
    with answering(Replay(stated)) as url:
        found = check(url, requests=1)
        other = check(url, requests=1, engine=find_engine("llama.cpp"), version=BUILD.parse("b9294"))
    assert found.observation is not None and str(found.observation.version) == "b11434"
    assert found.observation.notes == ()
    assert other.observation is not None and str(other.observation.version) == "b11434"
    assert other.observation.notes == ("it states version b11434, not b9294: b11434 is believed",)


def test_a_build_that_is_not_stated_can_be_supplied() -> None:
    found = verified("b11549", "on")
    assert found.observation is not None and found.observation.version is None
    assert "--engine llama.cpp@" in found.observation.notes[-1]
    told = verified("b11549", "on", version=BUILD.parse("b11549"))
    assert told.observation is not None and str(told.observation.version) == "b11549"


class Props(Last):
    """A client whose `/props` has a `Server` header of its own."""

    def __init__(self, server: str, body: str) -> None:
        super().__init__([{"path": "/props", "status": 200, "headers": {"server": server}, "body": body}])


@pytest.mark.parametrize(
    ("server", "body", "ours"),
    [
        ("llama.cpp", '{"build_info": "b11434-7e4c0a9", "default_generation_settings": {}}', True),
        ("nginx", '{"build_info": "b11434-7e4c0a9", "default_generation_settings": {}}', True),
        ("nginx", '{"default_generation_settings": {}}', False),
        ("ik_llama.cpp", '{"build_info": "b11434-7e4c0a9", "default_generation_settings": {}}', False),
        ("uvicorn", '{"version": "0.32.0"}', False),
        ("", "<html>", False),
    ],
)
def test_forks_and_others_are_not_taken_for_ours(server: str, body: str, ours: bool) -> None:
    client: Client = Props(server, body)
    assert (llama().recognise(client) is not None) == ours


def test_nothing_is_concluded_from_what_props_says() -> None:
    """`/props` has `speculative.types: none` also where MTP runs."""
    exchanges = recorded("llama.cpp/b11549", "on")
    settings = json.loads(exchanges[0]["body"])["default_generation_settings"]["params"]
    assert settings["speculative.types"] == "none"
    assert llama().reported(Last(exchanges), Found()) == ()


@pytest.mark.parametrize(
    ("missing", "why"), [(("/metrics",), "started without --metrics"), (("/slots", "/metrics"), "--metrics")]
)
def test_without_counters_and_slots_responses_are_enough(missing: tuple[str, ...], why: str) -> None:
    exchanges = [each for each in recorded("llama.cpp/b11549", "on") if each["path"] not in missing]
    assert why in llama().counters(Last(exchanges), None).why
    with answering(Replay(exchanges)) as url:
        assert check(url, requests=1).code == 0
    exchanges = [each for each in recorded("llama.cpp/b11549", "off") if each["path"] not in missing]
    with answering(Replay(exchanges)) as url:
        found = check(url, requests=1)
    assert found.code == 1 and found.verdict is not None
    assert found.verdict.kind == ("idle" if "/slots" in missing else "off")


def test_slots_of_several_users() -> None:
    body = json.dumps([{"id": 0, "speculative": False}, {"id": 1, "speculative": True}])
    slots = Last([{"path": "/slots", "status": 200, "headers": {}, "body": body}])
    assert llama().counters(slots, None) == Counters(why="started without --metrics", loaded=True)


def test_a_least_acceptance() -> None:
    """43 of 59 is .73."""
    assert verified("b11549", "on", thresholds=Thresholds(min_acceptance=0.72)).code == 0
    found = verified("b11549", "on", thresholds=Thresholds(min_acceptance=0.74))
    assert found.code == 1 and found.verdict is not None and found.verdict.kind == "rejecting"


SCRIPT = "#!/bin/sh\nexec llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max {gamma} {more}\n"


@pytest.mark.parametrize(
    ("gamma", "more", "state", "said"),
    [
        (3, "", "on", None),
        (3, "--temp 0", "on", None),
        (5, "", "on", "asks for γ 5, and γ 3 is seen"),
        (5, "--spec-draft-p-min 0.6", "on", None),
        (2, "--spec-draft-p-min 0.6", "on", "asks for γ 2, and γ 3 is seen"),
        (3, "", "off", "asks for speculation, and it is off"),
        (3, "", "idle", "asks for speculation, and nothing is drafted"),
    ],
)
def test_a_launch_against_its_server(tmp_path: Path, gamma: int, more: str, state: str, said: str | None) -> None:
    script = tmp_path / "start.sh"
    script.write_text(SCRIPT.format(gamma=gamma, more=more))
    found = verified("b11549", state, asking=from_launch(str(script)), version=BUILD.parse("b11549"))
    assert found.code == (0 if said is None else 1)
    assert found.differences == () if said is None else said in found.differences[0]


def test_a_launch_is_read_as_the_version_that_answers(tmp_path: Path) -> None:
    """The default draft length is 16 up to b9222, and 3 from b9246 on."""
    script = tmp_path / "start.sh"
    script.write_text("llama-server -m q.gguf --spec-type draft-mtp\n")
    asking = from_launch(str(script))
    assert asking(find_engine("llama.cpp"), BUILD.parse("b9222")).spec.gamma == 16
    assert asking(find_engine("llama.cpp"), BUILD.parse("b11549")).spec.gamma == 3


def test_a_launch_for_another_version(tmp_path: Path) -> None:
    script = tmp_path / "start.sh"
    script.write_text("# mtpconfig: target llama.cpp@b10566\nllama-server -m q.gguf --spec-type draft-mtp\n")
    found = verified("b11549", "on", asking=from_launch(str(script)), version=BUILD.parse("b11549"))
    assert found.differences == (f"{script} is for llama.cpp b10566, and b11549 answers",)


def test_a_spec_against_a_server(tmp_path: Path) -> None:
    spec = tmp_path / "mtp.toml"
    spec.write_text('methods = ["draft-model"]\ngamma = 3\n')
    found = verified("b11549", "on", asking=from_spec(str(spec)))
    assert found.differences == (f"{spec} asks for draft-model, and mtp is seen",)
    spec.write_text('state = "off"\n')
    assert verified("b11549", "on", asking=from_spec(str(spec))).code == 1
