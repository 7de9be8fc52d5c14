"""What SGLang releases answer by their own code, judged; tests/data/responses/README.md says how it was made."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mtpconfig_sglang.counting import of_request
from mtpconfig_sglang.probe import SGLangProbe
from mtpconfig_sglang.server_info import Setup, setup_of, words_of
from mtpconfig_vllm.probe import VllmProbe

from mtpconfig.evidence import Answer, Counts
from mtpconfig.hooks import find_engine
from mtpconfig.probe.asked import Asked
from mtpconfig.probe.report import text
from mtpconfig.probe.reported import spec_of
from mtpconfig.probe.verify import Outcome
from mtpconfig.spec import MTPSpec
from mtpconfig.version import PEP440

from .servers import RESPONSES, Exchange, Replay, answering, edited, recorded
from .verifying import check

RELEASES = ("0.4.6.post4", "0.5.5", "0.5.10.post1", "0.5.11", "0.5.13", "0.5.23")
COUNTING = ("0.5.13", "0.5.23")  # /metrics counts steps from 0.5.13 on
TOLD: dict[str, Any] = json.loads(Path(RESPONSES, "sglang", "meta-info.json").read_text("utf-8"))

pytestmark = pytest.mark.timeout(60)


def state(release: str, name: str) -> list[Exchange]:
    return list(recorded(f"sglang/{release}", name))


def outcome(exchanges: list[Exchange], **options: object) -> Outcome:
    with answering(Replay(exchanges)) as url:
        return check(url, **options)  # type: ignore[arg-type]


def without(exchanges: list[Exchange], *paths: str) -> list[Exchange]:
    return [each for each in exchanges if each["path"] not in paths]


def informed(exchanges: list[Exchange], **settings: object) -> list[Exchange]:
    """The exchanges of a server with other settings."""
    for path in {each["path"] for each in exchanges} & {"/server_info", "/get_server_info"}:
        exchanges = edited(exchanges, path, lambda body: json.dumps({**json.loads(body), **settings}))
    return exchanges


def answered(exchanges: list[Exchange], change: Callable[[dict[str, Any]], object]) -> list[Exchange]:
    """The exchanges with both completions changed."""

    def changed(body: str) -> str:
        data = json.loads(body)
        change(data)
        return json.dumps(data)

    return edited(edited(exchanges, "/generate", changed, 0), "/generate", changed, -1)


def of_meta(**values: object) -> Callable[[dict[str, Any]], object]:
    return lambda data: data["meta_info"].update(values)


def exchange(path: str, body: object, status: int = 200, method: str = "GET") -> Exchange:
    headers = {"content-type": "application/json"}
    return {"method": method, "path": path, "status": status, "headers": headers, "body": json.dumps(body)}


@pytest.mark.parametrize("release", TOLD)
def test_every_release_tells_the_same(release: str) -> None:
    """21 steps of 3 drafts accept 3, 2, none, 3 and so on, and two at the end: 42. Then a request without drafts."""
    setup, version = Setup("EAGLE", 3, 3), PEP440.parse(release)
    drafting, idle = TOLD[release]
    found = of_request(drafting, 64, setup, version)
    assert found is not None and (found.drafted, found.accepted, found.steps) == (63, 42, 21)
    assert found.positions == ((16, 16, 10) if version >= PEP440.parse("0.5.9") else ())
    assert of_request(idle, 64, setup, version) == Counts(0, 0, 0)


@pytest.mark.parametrize("release", RELEASES)
def test_on(release: str) -> None:
    found = outcome(state(release, "on"))
    assert found.code == 0 and found.verdict is not None and found.observation is not None
    assert (found.observation.engine, str(found.observation.version)) == ("sglang", release)
    decisive = found.verdict.decisive
    counts = decisive.evidence.counts
    assert counts is not None and decisive.evidence.source == "responses"
    assert (counts.drafted, counts.accepted, counts.steps) == (126, 84, 42)
    assert decisive.figures.gamma == 3 and decisive.figures.length == pytest.approx(3.0)
    assert decisive.evidence.notes == (("/metrics agrees",) if release in COUNTING else ())
    spec = found.observation.spec
    assert spec is not None and (spec.state, spec.methods, spec.gamma, spec.model) == (
        "on",
        ("mtp",),
        3,
        "/models/tiny",
    )


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("kind", ["rejecting", "idle", "off"])
def test_not_on(release: str, kind: str) -> None:
    found = outcome(state(release, kind))
    assert found.code == 1 and found.verdict is not None and found.verdict.kind == kind
    assert ("--speculative-algorithm" in text([found])) is (kind == "off")


@pytest.mark.parametrize("release", RELEASES)
def test_counters_are_not_needed(release: str) -> None:
    """Without --enable-metrics there is no /metrics."""
    for kind, code in (("on", 0), ("rejecting", 1), ("idle", 1), ("off", 1)):
        found = outcome(without(state(release, kind), "/metrics"))
        assert found.code == code and found.verdict is not None
        assert found.verdict.decisive.evidence.traffic == "unknown"


@pytest.mark.parametrize("release", RELEASES)
def test_watching(release: str) -> None:
    """Averages prove nothing; the steps of finished requests do, and tokens beyond one a step were accepted drafts."""
    with answering(Replay(state(release, "on")[::-1])) as url:
        found = check(url, passive=True, interval=0)
    assert found.verdict is not None
    if release not in COUNTING:
        assert found.code == 3 and "averages alone before 0.5.13, 3.00 tokens per step" in found.verdict.reasons[0]
        return
    evidence = found.verdict.decisive.evidence
    assert found.code == 0 and (evidence.source, evidence.counts) == ("totals", Counts(126, 84, 42))


def test_watching_without_counters() -> None:
    found = outcome(without(state("0.5.23", "on"), "/metrics"), passive=True, interval=0)
    assert found.code == 3 and found.verdict is not None
    assert "started without --enable-metrics" in found.verdict.reasons[0]
    off = outcome(without(state("0.5.23", "off"), "/metrics"), passive=True, interval=0)
    assert off.code == 1 and off.verdict is not None and off.verdict.kind == "off"


DETAILS = {  # of `return_spec_tokens_details`, 0.5.19 on
    "spec_accept_rate": 42 / 63,
    "spec_accept_length": 64 / 21,
    "spec_num_correct_drafts": 42,
    "spec_num_proposed_drafts": 63,
    "spec_verify_ct": 21,
    "spec_correct_drafts_histogram": [5, 0, 6, 10],
    "spec_cap_lens_histogram": [],
}


def behind_a_router(release: str, details: object, metrics: bool) -> list[Exchange]:
    """A server of which /v1 alone can be reached, and maybe its /metrics."""
    models = {"object": "list", "data": [{"id": "tiny", "object": "model", "owned_by": "sglang", "root": "tiny"}]}
    completion = {"object": "text_completion", "choices": [{"text": "~"}], "usage": {"completion_tokens": 64}}
    if details is not None:
        completion["sglext"] = {"spec_tokens_details": details}
    shown = [each for each in state(release, "on") if metrics and each["path"] == "/metrics"]
    return [exchange("/v1/models", models), exchange("/v1/completions", completion, method="POST"), *shown]


def test_v1_alone() -> None:
    replay = Replay(behind_a_router("0.5.23", DETAILS, metrics=False))
    with answering(replay) as url:
        found = check(url)
    assert found.code == 0 and found.verdict is not None
    assert found.verdict.decisive.evidence.counts == Counts(126, 84, 42, (32, 32, 20))
    assert "only /v1 of it can be reached" in text([found])
    assert {(post["model"], post["temperature"], post["return_spec_tokens_details"]) for post in replay.posts} == {
        ("tiny", 0.0, True)
    }


def test_v1_alone_of_a_release_that_tells_nothing_there() -> None:
    """What then counts is /metrics from 0.5.13 on, where it can be reached."""
    counted = outcome(behind_a_router("0.5.13", None, metrics=True))
    assert counted.code == 0 and counted.verdict is not None
    assert counted.verdict.decisive.evidence.counts == Counts(126, 84, 42)
    assert counted.verdict.decisive.evidence.source == "counters"
    averaged = outcome(behind_a_router("0.5.11", None, metrics=True))
    assert averaged.code == 3 and averaged.verdict is not None and "averages alone" in averaged.verdict.reasons[0]
    assert outcome(behind_a_router("0.5.11", None, metrics=False)).code == 3


def locked() -> list[Exchange]:
    """With --api-key all routes but /metrics and /health answer so, also those that do not exist."""
    paths = ("/server_info", "/get_server_info", "/v1/models", "/version", "/props", "/slots")
    refusals = [exchange(path, {"error": "Unauthorized"}, 401) for path in paths]
    refusals += [exchange(path, {"error": "Unauthorized"}, 401, "POST") for path in ("/generate", "/v1/completions")]
    return [*refusals, *without(state("0.5.23", "on"), "/server_info", "/get_server_info", "/generate")]


def test_a_key_is_wanted() -> None:
    found = outcome(locked())
    assert found.code == 2 and "--api-key-env" in found.error and "(401)" in found.error
    assert outcome(without(locked(), "/metrics")).code == 2


def test_a_locked_server_can_be_watched() -> None:
    with answering(Replay(locked()[::-1])) as url:
        found = check(url, passive=True, interval=0)
    assert found.code == 0 and found.observation is not None and found.observation.engine == "sglang"
    assert found.verdict is not None and found.verdict.decisive.evidence.counts == Counts(126, 84, 42)


@pytest.mark.parametrize("release", ["0.5.5", "0.5.23"])
def test_simulated_acceptance_is_seen_in_the_tokens(release: str) -> None:
    """All but the first token are number 100: `predict.fill_(100)`."""
    exchanges = answered(state(release, "on"), lambda data: data.update(output_ids=[11, *[100] * 63]))
    found = outcome(exchanges)
    assert found.code == 3 and found.verdict is not None
    assert "acceptance is simulated (SGLANG_SIMULATE_ACC_LEN)" in found.verdict.reasons[0]
    real = answered(state(release, "on"), lambda data: data.update(output_ids=[11, *[100] * 62, 7]))
    assert outcome(real).code == 0


@pytest.mark.parametrize(("value", "code"), [("2.5", 3), ("-1", 0), ("", 0), ("x", 0)])
def test_simulated_acceptance_is_seen_in_exposed_variables(value: str, code: int) -> None:
    """`SGLANG_EXPOSE_OWN_ENV_VARS=1`, 0.5.19 on."""
    states = [{"env_vars": {"SGLANG_EXPOSE_OWN_ENV_VARS": "1", "SGLANG_SIMULATE_ACC_LEN": value}}]
    found = outcome(informed(state("0.5.23", "on"), internal_states=states))
    assert found.code == code and ("simulated" in text([found])) is (code == 3)
    watched = informed(state("0.5.23", "on")[::-1], internal_states=states)
    with answering(Replay(watched)) as url:
        assert check(url, passive=True, interval=0).code == code


def test_steps_that_adapt() -> None:
    """`meta_info` still multiplies with the length at the start: what was accepted may be more."""
    told = of_meta(spec_num_correct_drafts=50, spec_num_proposed_drafts=26, spec_verify_ct=13)
    exchanges = informed(state("0.5.23", "on"), speculative_adaptive=True, speculative_num_draft_tokens=3)
    found = outcome(answered(exchanges, told))
    assert found.code == 0 and found.verdict is not None and found.observation is not None
    figures = found.verdict.decisive.figures
    assert figures.gamma is None and figures.length == pytest.approx(1 + 50 / 13)
    assert "its steps change as it runs" in text([found])
    assert found.observation.spec is not None and found.observation.spec.adaptive is True


def test_a_tree_has_no_single_length() -> None:
    """5 steps, topk 4 and 16 draft tokens: 15 nodes below the root, of which a step accepts five at most."""
    tree = {"speculative_num_steps": 5, "speculative_eagle_topk": 4, "speculative_num_draft_tokens": 16}
    found = outcome(informed(state("0.5.11", "on"), **tree))
    assert found.code == 0 and found.verdict is not None
    decisive = found.verdict.decisive
    assert decisive.evidence.counts is not None and decisive.evidence.counts.drafted == 15 * 42
    assert (decisive.figures.gamma, decisive.figures.alpha) == (None, None)
    assert decisive.figures.length == pytest.approx(3.0)


def test_a_tree_whose_drafts_were_counted_short() -> None:
    """0.5.5.post3 multiplies with the steps, later ones with the draft tokens: the same here."""
    tree = Setup("EAGLE", 15, None)
    told = {"spec_verify_ct": 10, "spec_accept_token_num": 21, "spec_draft_token_num": 50}
    assert of_request(told, 32, tree, PEP440.parse("0.5.5.post3")) == Counts(150, 21, 10)
    assert of_request({**told, "spec_draft_token_num": 150}, 32, tree, PEP440.parse("0.5.6")) == Counts(150, 21, 10)


def test_ngram_drafts_that_the_release_does_not_count() -> None:
    """0.5.5 leaves rate and length at 0 with NGRAM; tokens and steps show what was accepted."""
    settings = {"speculative_algorithm": "NGRAM", "speculative_num_steps": None, "speculative_eagle_topk": 10}
    exchanges = informed(state("0.5.5", "on"), **settings, speculative_num_draft_tokens=12)
    found = outcome(answered(exchanges, of_meta(spec_accept_rate=0.0, spec_accept_length=0, spec_verify_ct=21)))
    assert found.code == 0 and found.verdict is not None and found.observation is not None
    assert found.verdict.decisive.evidence.counts == Counts(2 * 21 * 11, 84, 42)
    assert found.observation.spec is not None and found.observation.spec.methods == ("ngram",)


def test_an_answer_that_is_cut_within_a_step() -> None:
    """64 tokens, all four of a step each time: the first, 15 steps, and three tokens of a sixteenth."""
    setup = Setup("EAGLE", 3, 3)
    assert of_request({"spec_verify_ct": 16}, 64, setup, PEP440.parse("0.4.10")) == Counts(48, 47, 16)
    assert of_request({"spec_verify_ct": 63}, 64, setup, PEP440.parse("0.4.10")) == Counts(189, 0, 63)
    assert of_request({"spec_verify_ct": 64}, 64, setup, PEP440.parse("0.4.10")) == Counts(192, 0, 64)


def test_the_first_releases_prove_nothing() -> None:
    """0.4.1.post4 to 0.4.1.post7 draft, and tell nothing of it in responses."""
    exchanges = informed(state("0.4.6.post4", "on"), version="0.4.1.post7")
    exchanges = answered(exchanges, lambda data: data["meta_info"].pop("spec_verify_ct"))
    found = outcome(exchanges)
    assert found.code == 3 and found.verdict is not None and "averages alone" in found.verdict.reasons[0]


def test_other_traffic_and_other_replicas() -> None:
    def counting(requests: int) -> list[Exchange]:
        line = 'num_requests_total{model_name="tiny"}'
        change = f"{line} {requests}.0"
        exchanges = edited(state("0.5.13", "on"), "/metrics", lambda body: body.replace(f"{line} 2.0", change))
        assert exchanges != state("0.5.13", "on")
        return exchanges

    mixed = outcome(counting(5))
    assert mixed.code == 0 and mixed.verdict is not None and mixed.verdict.decisive.evidence.traffic == "mixed"
    elsewhere = outcome(counting(1))
    assert elsewhere.code == 0 and elsewhere.verdict is not None
    assert elsewhere.verdict.decisive.evidence.traffic == "elsewhere"


def test_several_ranks() -> None:
    """Ranks of data parallelism have gauges of their own; the counters stand in the one tokenizer."""

    def doubled(body: str) -> str:
        lines = [line for line in body.split("\n") if "pp_rank" in line]
        return body + "".join(line.replace('tp_rank="0"', 'tp_rank="0",dp_rank="1"') + "\n" for line in lines)

    exchanges = edited(behind_a_router("0.5.13", None, metrics=True), "/metrics", doubled)
    found = outcome(exchanges)
    assert found.verdict is not None and found.verdict.decisive.evidence.counts == Counts(126, 84, 42)


def test_the_time_of_decoding() -> None:
    """Told from 0.5.22 on as tokens after the first per second; before, the first token's time is no such time."""
    for release, speed in (("0.5.23", 80.0), ("0.5.13", None)):
        found = outcome(answered(state(release, "on"), of_meta(decode_throughput=80.0)))
        assert found.verdict is not None and found.verdict.decisive.figures.speed == speed


def test_requests_are_native() -> None:
    replay = Replay(state("0.5.23", "on"))
    spec = MTPSpec(state="on", temperature=0.6)
    with answering(replay) as url:
        check(url, max_tokens=64, asking=lambda _engine, _version: Asked(spec, "mtp.toml"))
    assert [post["sampling_params"] for post in replay.posts] == [
        {"max_new_tokens": 64, "temperature": temperature} for temperature in (0.0, 0.0, 0.6, 0.6)
    ]
    assert len({post["text"] for post in replay.posts}) == 2


@pytest.mark.parametrize(
    ("spec", "differs"),
    [
        (MTPSpec(state="on", methods=("mtp",), gamma=3), None),
        (MTPSpec(state="on", gamma=4), "asks for γ 4, and γ 3 is seen"),
        (MTPSpec(state="on", methods=("eagle3",), gamma=3), "asks for eagle3, and mtp is seen"),
        (MTPSpec(state="off"), "asks for no speculation, and it is active"),
    ],
)
def test_asked_against_seen(spec: MTPSpec, differs: str | None) -> None:
    found = outcome(state("0.5.23", "on"), asking=lambda _engine, _version: Asked(spec, "mtp.toml"))
    assert found.code == (1 if differs else 0)
    assert found.differences == () if differs is None else differs in found.differences[0]


@pytest.mark.parametrize(
    ("settings", "spec"),
    [
        ({"speculative_algorithm": "EAGLE3", "speculative_draft_model_path": "/models/head"}, ("eagle3", 3)),
        ({"speculative_algorithm": "STANDALONE", "speculative_draft_model_path": "/models/small"}, ("draft-model", 3)),
        ({"speculative_algorithm": "DFLASH", "speculative_num_draft_tokens": 16}, ("dflash", 15)),
        ({"speculative_algorithm": "DSPARK", "speculative_dspark_block_size": 7}, ("dspark", 7)),
        ({"speculative_algorithm": "FROZEN_KV_MTP"}, ("mtp", 3)),
    ],
)
def test_reported_settings_are_read_as_a_launch(settings: dict[str, object], spec: tuple[str, int]) -> None:
    info = {**json.loads(state("0.5.23", "on")[0]["body"]), **settings}
    read = spec_of(words_of(info), find_engine("sglang"), PEP440.parse("0.5.23"))
    assert read is not None and (read.state, *read.methods, read.gamma) == ("on", *spec)


def test_reported_sampling_defaults() -> None:
    info = json.loads(state("0.5.23", "off")[0]["body"]) | {"preferred_sampling_params": '{"temperature": 0.6}'}
    read = spec_of(words_of(info), find_engine("sglang"), PEP440.parse("0.5.23"))
    assert read is not None and (read.state, read.temperature) == ("off", 0.6)


def test_a_setup_is_read_whatever_stands_there() -> None:
    values: tuple[object, ...] = (None, 0, -1, True, "4", 2.5, [], {})
    for value in values:
        found = setup_of({"speculative_algorithm": "EAGLE", "speculative_num_draft_tokens": value})
        assert found == Setup("EAGLE")
    assert setup_of({"speculative_algorithm": 3}) == Setup() == setup_of({})
    assert setup_of({"speculative_algorithm": "EAGLE", "internal_states": [3, {"env_vars": []}]}) == Setup("EAGLE")


@pytest.mark.parametrize("value", [-3, True, "21", 2.5, [], {"a": 1}])
def test_figures_that_are_none(value: object) -> None:
    setup, version = Setup("EAGLE", 3, 3), PEP440.parse("0.5.23")
    told = TOLD["0.5.23"][0]
    assert of_request({**told, "spec_verify_ct": value}, 64, setup, version) is None
    without_positions = of_request({**told, "spec_correct_drafts_histogram": [value, 21]}, 64, setup, version)
    assert without_positions == Counts(63, 42, 21)


@pytest.mark.parametrize("meta", [None, [], {}, {"completion_tokens": "64"}, {"completion_tokens": True}])
def test_what_is_no_completion(meta: object) -> None:
    assert SGLangProbe().sample(Answer(200, {}, json.dumps({"text": "~", "meta_info": meta}).encode())) is None
    assert SGLangProbe().sample(Answer(200, {}, b"[]")) is None
    assert SGLangProbe().sample(Answer(500, {}, b'{"meta_info": {"completion_tokens": 64}}')) is None


def test_others_are_not_taken_for_it() -> None:
    """The development mode of vLLM has a /server_info, too; SGLang names itself as the owner of its models."""
    vllm = [exchange("/server_info", {"vllm_config": {}}), exchange("/v1/models", {"data": [{"owned_by": "vllm"}]})]
    with answering(Replay(vllm)) as url:
        found = check(url)
    assert found.observation is not None and found.observation.engine == "vllm"
    jax = {"mem_fraction_static": 0.88, "xla_backend": "tpu", "version": "0.1.0"}  # sgl_jax/srt/server_args.py
    fork = [exchange("/get_server_info", jax), exchange("/v1/models", {"data": [{"id": "tiny", "owned_by": "sglang"}]})]
    assert outcome(fork).code == 2
    names = [exchange("/v1/models", {"data": [{"id": "tiny", "owned_by": "someone"}]})]
    assert outcome(names).code == 2
    ours = behind_a_router("0.5.23", DETAILS, metrics=True)
    assert VllmProbe().recognise(Given(ours)) is None


class Given:
    """A client that answers as given."""

    def __init__(self, exchanges: list[Exchange]) -> None:
        self.answers = {each["path"]: each for each in exchanges}

    def get(self, path: str) -> Answer:
        each = self.answers.get(path, {"status": 404, "body": ""})
        return Answer(each["status"], {}, each["body"].encode())

    def post(self, path: str, body: object) -> Answer:
        raise AssertionError(path, body)
