"""What a real vLLM 0.32.0 answered, judged; and the same answers as other versions would have given them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from mtpconfig_vllm.probe import VllmProbe

from mtpconfig.evidence import Answer, Counts, Found
from mtpconfig.probe.asked import Asked
from mtpconfig.probe.report import text
from mtpconfig.probe.verdict import Thresholds
from mtpconfig.probe.verify import Outcome
from mtpconfig.spec import MTPSpec
from mtpconfig.version import PEP440

from .servers import Exchange, Replay, answering, edited, recorded
from .verifying import check


def outcome(exchanges: list[Exchange], **options: object) -> Outcome:
    with answering(Replay(exchanges)) as url:
        return check(url, **options)  # type: ignore[arg-type]


def state(name: str) -> list[Exchange]:
    return list(recorded(f"vllm/{name}", name))


def without_families(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if "spec_decode" not in line)


def versioned(exchanges: list[Exchange], version: str) -> list[Exchange]:
    return edited(exchanges, "/version", lambda _: json.dumps({"version": version}))


@pytest.mark.parametrize(("gamma", "steps"), [(2, 42), (3, 32)])
def test_a_perfect_head_is_active(gamma: int, steps: int) -> None:
    """64 tokens are the first and 21 (16) steps of gamma + 1."""
    found = outcome(state(f"mtp-{gamma}"))
    assert found.code == 0 and found.verdict is not None and found.observation is not None
    assert str(found.observation.version) == "0.32.0" and found.observation.model == "tiny"
    decisive = found.verdict.decisive
    counts = decisive.evidence.counts
    assert counts is not None
    assert (counts.drafted, counts.accepted, counts.steps) == (steps * gamma, steps * gamma, steps)
    assert (decisive.evidence.source, decisive.evidence.traffic) == ("counters", "alone")
    figures = decisive.figures
    assert (figures.ratio, figures.alpha, figures.length, figures.gamma) == (1.0, 1.0, gamma + 1, gamma)
    assert figures.positions == (1.0,) * gamma
    assert figures.speed is not None and 1 < figures.speed < 10_000


def test_the_speed_is_that_of_its_own_decoding_time() -> None:
    """126 tokens that came after the first of each answer, over the growth of vllm:request_decode_time_seconds_sum."""
    exchanges = state("mtp-2")
    line = re.compile(r"^vllm:request_decode_time_seconds_sum\{.*\} (\S+)$", re.MULTILINE)
    texts = [exchange["body"] for exchange in exchanges if exchange["path"] == "/metrics"]
    seconds = float(line.findall(texts[-1])[0]) - float(line.findall(texts[0])[0])
    found = outcome(exchanges).verdict
    assert found is not None and found.decisive.figures.speed == pytest.approx(126 / seconds)


def test_off_is_told_by_missing_families() -> None:
    found = outcome(state("off"))
    assert found.code == 1 and found.verdict is not None
    assert (found.verdict.state, found.verdict.kind) == ("inactive", "off")
    assert found.verdict.decisive.evidence.requests == 2 and found.verdict.decisive.evidence.tokens == 128


def test_a_head_that_is_always_wrong_is_rejected() -> None:
    found = outcome(state("mtp-rejecting"))
    assert found.code == 1 and found.verdict is not None
    assert found.verdict.kind == "rejecting" and "all 252 draft tokens were rejected" in found.verdict.reasons[0]
    assert "no trained MTP weights" in text([found]) and "temperature" not in text([found])


def test_a_head_that_is_right_about_half_the_time() -> None:
    """195 drafted and 62 accepted in 65 steps: 39 of them accepted the first, 16 the second, 7 the third."""
    found = outcome(state("mtp-partly"))
    assert found.code == 0 and found.verdict is not None
    figures = found.verdict.decisive.figures
    assert figures.positions == (39 / 65, 16 / 65, 7 / 65)
    assert figures.length == pytest.approx(1 + 62 / 65) and figures.ratio == pytest.approx(62 / 195)
    assert outcome(state("mtp-partly"), thresholds=Thresholds(min_acceptance=0.4)).code == 1


def test_a_summary_tells_as_much_as_details() -> None:
    """The recorded response: of 36 steps 16 accepted none, 12 one and 8 both."""
    (completion,) = [each for each in state("mtp-summary") if each["path"] == "/v1/completions"]
    sample = VllmProbe().sample(Answer(200, {}, completion["body"].encode()))
    assert sample is not None and sample.counts == Counts(72, 28, 36, (20, 8)) and sample.longest == 2


def test_a_locked_server() -> None:
    """`--api-key` locks what begins with /v1; the counters stay open, and can be watched without the key."""
    exchanges: list[Exchange] = list(recorded("vllm/mtp-key", "no-key"))
    (refusal,) = [each for each in exchanges if each["method"] == "POST"]
    exchanges.append({**refusal, "method": "GET", "path": "/v1/models"})  # the same lock for all of /v1
    with answering(Replay(exchanges)) as url:
        found = check(url)
        watched = check(url, passive=True, interval=0)
    assert found.code == 2 and "--api-key-env" in found.error and "(401)" in found.error
    assert watched.code == 0 and watched.observation is not None and watched.observation.engine == "vllm"
    assert outcome(state("mtp-key")).code == 0


def test_ngram_that_finds_nothing_is_idle() -> None:
    found = outcome(state("ngram-idle"))
    assert found.code == 1 and found.verdict is not None and found.verdict.kind == "idle"
    assert found.verdict.decisive.evidence.loaded is True


def test_responses_that_tell_need_no_counters() -> None:
    exchanges = [each for each in state("mtp-detailed") if each["path"] != "/metrics"]
    found = outcome(exchanges)
    assert found.code == 0 and found.verdict is not None
    evidence = found.verdict.decisive.evidence
    assert evidence.source == "responses" and evidence.counts is not None
    assert (evidence.counts.drafted, evidence.counts.accepted, evidence.counts.steps) == (84, 84, 42)
    assert evidence.counts.positions == (42, 42) and evidence.gamma == 2


def test_responses_and_counters_agree() -> None:
    found = outcome(state("mtp-detailed"))
    assert found.verdict is not None and found.verdict.decisive.evidence.notes == ("/metrics agrees",)


def test_the_histogram_becomes_positions() -> None:
    """Place j holds the steps that accepted exactly j: of 10 steps 5 accepted at least one, 3 accepted two."""
    (completion,) = [each for each in state("mtp-detailed") if each["path"] == "/v1/completions"]
    data = json.loads(completion["body"])
    data["metrics"]["speculative_decoding"] |= {
        "acceptance_histogram": [5, 2, 3],
        "num_spec_steps": 10,
        "num_accepted_draft_tokens": 8,
        "num_draft_tokens": 20,
    }
    sample = VllmProbe().sample(Answer(200, {}, json.dumps(data).encode()))
    assert sample is not None and sample.counts is not None
    assert sample.counts.positions == (5, 3) and sum(sample.counts.positions) == sample.counts.accepted == 8


@pytest.mark.parametrize(
    "metrics", [None, {}, {"speculative_decoding": None}, {"speculative_decoding": {"num_spec_steps": 3}}, [], "x"]
)
def test_a_response_that_tells_nothing_of_drafts_still_counts_tokens(metrics: object) -> None:
    body = json.dumps({"usage": {"completion_tokens": 64}, "metrics": metrics}).encode()
    sample = VllmProbe().sample(Answer(200, {}, body))
    assert sample is not None and sample.tokens == 64 and sample.counts is None


def test_without_statistics_nothing_is_proved() -> None:
    """`--disable-log-stats`: no `vllm:` line at all, though this server drafts."""
    found = outcome(state("mtp-without-stats"))
    assert found.code == 3 and found.verdict is not None
    assert "--disable-log-stats" in found.verdict.reasons[0]


@pytest.mark.parametrize(
    ("version", "code", "said"),
    [
        ("0.8.5", 1, "no speculation is set up"),
        ("0.28.1rc1.dev43+g6f7df92a8", 1, "no speculation is set up"),
        ("0.8.2", 3, "vLLM 0.8.2 does not count drafts"),
        ("main", 3, "the version is not known"),
    ],
)
def test_missing_families_mean_off_only_where_off_has_none(version: str, code: int, said: str) -> None:
    counters_alone = [each for each in state("off") if not each["path"].startswith("/server_info")]
    found = outcome(versioned(counters_alone, version))
    assert found.code == code and found.verdict is not None and said in found.verdict.reasons[0]


def only_two_counters(text: str) -> str:
    return "\n".join(
        line
        for line in text.split("\n")
        if "spec_decode" not in line or "num_draft_tokens" in line or "accepted_tokens_total" in line
    )


def test_the_first_counters_of_v1_have_no_steps() -> None:
    """0.8.3 and 0.8.4: two counters, there also when it is off."""
    exchanges = versioned(state("mtp-3"), "0.8.4")
    for which in (0, -1):
        exchanges = edited(exchanges, "/metrics", only_two_counters, which)
    found = outcome(exchanges)
    assert found.code == 0 and found.verdict is not None
    figures = found.verdict.decisive.figures
    assert (figures.ratio, figures.length, figures.gamma) == (1.0, None, None)
    zero = versioned(state("ngram-idle"), "0.8.4")
    for which in (0, -1):
        zero = edited(zero, "/metrics", only_two_counters, which)
    idle = outcome(zero)
    assert idle.code == 1 and idle.verdict is not None and idle.verdict.decisive.evidence.loaded is None


V0 = """# HELP vllm:spec_decode_draft_acceptance_rate Speulative token acceptance rate.
# TYPE vllm:spec_decode_draft_acceptance_rate gauge
# HELP vllm:spec_decode_efficiency Speculative decoding system efficiency.
# TYPE vllm:spec_decode_efficiency gauge
# HELP vllm:spec_decode_num_accepted_tokens_total Number of accepted tokens.
# TYPE vllm:spec_decode_num_accepted_tokens_total counter
# HELP vllm:spec_decode_num_draft_tokens_total Number of draft tokens.
# TYPE vllm:spec_decode_num_draft_tokens_total counter
"""
V0_COUNTED = (
    V0.replace("# HELP vllm:spec_decode_num_d", 'vllm:spec_decode_num_accepted_tokens_total{model_name="tiny"} 480.0\n'
               "# HELP vllm:spec_decode_num_d")
    + 'vllm:spec_decode_num_draft_tokens_total{model_name="tiny"} 800.0\n'
)  # fmt: skip


def as_v0(before: str, after: str) -> list[Exchange]:
    """The families of 0.5.3 to 0.9.2, declared from the start; their samples come when they are first published."""
    exchanges = versioned(state("mtp-2"), "0.7.3")
    exchanges = edited(exchanges, "/metrics", lambda text: before + without_families(text), 0)
    return edited(exchanges, "/metrics", lambda text: after + without_families(text))


def test_v0_that_has_published_nothing_proves_nothing() -> None:
    found = outcome(as_v0(V0, V0))
    assert found.code == 3 and found.verdict is not None and "publishes its counters late" in found.verdict.reasons[0]


def test_v0_totals_prove_that_it_drafted() -> None:
    found = outcome(as_v0(V0_COUNTED, V0_COUNTED))
    assert found.code == 0 and found.verdict is not None
    evidence = found.verdict.decisive.evidence
    assert (evidence.source, evidence.exact) == ("totals", False)
    assert found.verdict.decisive.figures.ratio == 0.6 and found.verdict.decisive.figures.length is None


@pytest.mark.parametrize(
    ("change", "traffic", "code"),
    [
        (lambda text: re.sub(r'(finished_reason="stop".*) 0\.0', r"\1 5.0", text), "mixed", 0),
        (lambda text: re.sub(r"(generation_tokens_total\{.*) 128\.0", r"\1 640.0", text), "mixed", 0),
        (lambda text: re.sub(r'(finished_reason="length".*) 2\.0', r"\1 1.0", text), "elsewhere", 3),
    ],
    ids=["more requests", "more tokens", "fewer requests"],
)
def test_other_traffic_is_told(change: Callable[[str], str], traffic: str, code: int) -> None:
    exchanges = edited(state("mtp-2"), "/metrics", change)
    assert exchanges[-2]["body"] != state("mtp-2")[-2]["body"]
    found = outcome(exchanges)
    assert found.verdict is not None and found.verdict.decisive.evidence.traffic == traffic
    assert found.code == code


def test_another_replica_that_is_off_says_nothing_of_the_one_that_answered() -> None:
    def one_request(text: str) -> str:
        return re.sub(r'(finished_reason="length".*) 2\.0', r"\1 1.0", text)

    found = outcome(edited(state("off"), "/metrics", one_request))
    assert found.code == 3 and found.verdict is not None and "another replica" in found.verdict.reasons[0]


def test_counters_that_went_back_prove_nothing() -> None:
    exchanges = state("mtp-2")
    after = next(each["body"] for each in reversed(exchanges) if each["path"] == "/metrics")
    exchanges = edited(exchanges, "/metrics", lambda _: after.replace(" 84.0", " 9000.0"), 0)
    found = outcome(exchanges)
    assert found.code == 3 and found.verdict is not None and "restarted in between" in found.verdict.reasons[0]


@pytest.mark.parametrize("value", ["NaN", "+Inf", "-5.0", "1e400"])
def test_counts_that_are_none_prove_nothing(value: str) -> None:
    change = re.compile(r"(num_draft_tokens_total\{.*\}) 84\.0")
    found = outcome(edited(state("mtp-2"), "/metrics", lambda text: change.sub(rf"\1 {value}", text)))
    assert found.code == 3 and found.verdict is not None
    assert "num_draft_tokens_total is" in found.verdict.reasons[0]


def test_several_engines_are_summed() -> None:
    """Data parallel ranks have series of their own, told apart by the label `engine`."""

    def doubled(text: str) -> str:
        lines = text.split("\n")
        return "\n".join(
            [*lines, *(line.replace('engine="0"', 'engine="1"') for line in lines if 'engine="0"' in line)]
        )

    exchanges = edited(edited(state("mtp-3"), "/metrics", doubled, 0), "/metrics", doubled)
    found = outcome(exchanges)
    assert found.verdict is not None and found.verdict.decisive.evidence.counts is not None
    assert found.verdict.decisive.evidence.counts.drafted == 192 and found.verdict.decisive.figures.gamma == 3


def test_watching_sends_no_completion() -> None:
    replay = Replay(state("mtp-2")[::-1])  # the last look comes first: counters with something in them
    with answering(replay) as url:
        found = check(url, passive=True, interval=0)
    assert replay.posts == [] and found.code == 0 and found.verdict is not None
    assert found.verdict.decisive.evidence.source == "totals"


def test_watching_an_idle_server_proves_nothing_and_a_missing_family_does() -> None:
    with answering(Replay(state("mtp-2"))) as url:
        assert check(url, passive=True, interval=0).code == 3
    with answering(Replay(state("off"))) as url:
        assert check(url, passive=True, interval=0).code == 1


def test_requests_name_the_model_and_the_temperature() -> None:
    replay = Replay(state("mtp-2"))
    with answering(replay) as url:
        check(url, max_tokens=64)
    assert [post["temperature"] for post in replay.posts] == [0.0, 0.0]
    assert {(post["model"], post["max_tokens"]) for post in replay.posts} == {("tiny", 64)}
    assert len({post["prompt"] for post in replay.posts}) == 2


@pytest.mark.parametrize(
    ("spec", "differs"),
    [
        (MTPSpec(state="on", methods=("mtp",), gamma=2), None),
        (MTPSpec(state="on"), None),
        (MTPSpec(state="on", gamma=3), "asks for γ 3, and γ 2 is seen"),
        (MTPSpec(state="off"), "asks for no speculation, and it is active"),
    ],
)
def test_asked_against_seen(spec: MTPSpec, differs: str | None) -> None:
    found = outcome(state("mtp-2"), asking=lambda _engine, _version: Asked(spec, "mtp.toml"))
    assert found.code == (1 if differs else 0)
    assert found.differences == () if differs is None else differs in found.differences[0]


def test_asked_for_and_off() -> None:
    asked = Asked(MTPSpec(state="on", gamma=2), "deploy.yaml", PEP440.parse("0.33.0"))
    found = outcome(state("off"), asking=lambda _engine, _version: asked)
    assert found.code == 1
    assert found.differences == (
        "deploy.yaml is for vLLM 0.33.0, and 0.32.0 answers",
        "deploy.yaml asks for speculation, and it is off",
    )


def test_a_temperature_that_was_asked_for_gets_a_round() -> None:
    replay = Replay(state("mtp-2"))
    spec = MTPSpec(state="on", temperature=0.6)
    with answering(replay) as url:
        found = check(url, asking=lambda _engine, _version: Asked(spec, "mtp.toml"))
    assert [post["temperature"] for post in replay.posts] == [0.0, 0.0, 0.6, 0.6]
    assert found.verdict is not None and [one.temperature for one in found.verdict.rounds] == [0.0, 0.6]


def test_a_least_acceptance_and_a_least_number_of_drafts() -> None:
    assert outcome(state("mtp-2"), thresholds=Thresholds(min_drafts=85)).code == 3
    assert outcome(state("mtp-2"), thresholds=Thresholds(min_drafts=84)).code == 0


class Reports:
    """A client that answers `/server_info` as recorded."""

    def __init__(self, name: str) -> None:
        self.answers = {each["path"]: each for each in state(name)}

    def get(self, path: str) -> Answer:
        return Answer(self.answers[path]["status"], {}, self.answers[path]["body"].encode())

    def post(self, path: str, body: object) -> Answer:
        raise AssertionError(path, body)


def test_the_settings_that_the_server_reports_become_words() -> None:
    words = VllmProbe().reported(Reports("mtp-3"), Found("0.32.0", "tiny"))
    assert words[:4] == ["vllm", "serve", "tiny", "--speculative-config"]
    told = json.loads(words[4])
    assert (told["method"], told["num_speculative_tokens"]) == ("mtp", 3)
    assert VllmProbe().reported(Reports("off"), Found("0.32.0", "tiny")) == ["vllm", "serve", "tiny"]
    assert VllmProbe().reported(Reports("mtp-2"), Found("0.32.0", "tiny")) == ()
