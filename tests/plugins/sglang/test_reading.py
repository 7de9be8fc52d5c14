"""From words to the canonical spec, with values from SGLang's sources and runs of its resolution."""

from __future__ import annotations

import pytest

from mtpconfig.spec import MTPSpec

from .helping import call, read, serve

CHAIN = "--speculative-num-steps 3 --speculative-eagle-topk 1 --speculative-num-draft-tokens 4"


def spec(words: str, version: str = "0.5.10") -> MTPSpec:
    return serve(words, version).spec


@pytest.mark.parametrize(
    ("words", "version", "state", "methods", "gamma"),
    [
        ("", "0.5.10", "off", (), None),
        (f"--speculative-algorithm NEXTN {CHAIN}", "0.5.10", "on", ("mtp",), 3),
        (f"--speculative-algorithm EAGLE {CHAIN}", "0.5.10", "on", ("mtp",), 3),
        (f"--speculative-algorithm EAGLE --speculative-draft-model-path org/m {CHAIN}", "0.5.10", "on", ("mtp",), 3),
        (f"--speculative-algorithm EAGLE --speculative-draft-model-path org/m-NextN {CHAIN}", "0.5.10", "on",
         ("mtp",), 3),
        (f"--speculative-algorithm EAGLE --speculative-draft-model-path org/EAGLE-m {CHAIN}", "0.5.10", "on",
         ("eagle",), 3),
        (f"--speculative-algorithm EAGLE3 --speculative-draft d {CHAIN}", "0.5.1", "on", ("eagle3",), 3),
        (f"--speculative-algorithm eagle3 --speculative-draft-model-path d {CHAIN}", "0.5.16", "on", ("eagle3",), 3),
        (f"--speculative-algorithm eagle3 --speculative-draft-model-path d {CHAIN}", "0.5.11", "unknown", (), None),
        (f"--speculative-algorithm MTP {CHAIN}", "0.5.23", "unknown", (), None),
        # run on 0.5.10 and 0.5.23: steps 3, topk 1, 9 draft tokens become 4
        ("--speculative-algorithm NEXTN --speculative-num-steps 3 --speculative-eagle-topk 1 "
         "--speculative-num-draft-tokens 9", "0.5.23", "on", ("mtp",), 3),
        ("--speculative-algorithm NEXTN --speculative-num-steps 3 --speculative-eagle-topk 1 "
         "--speculative-num-draft-tokens 3", "0.4.5", "on", ("mtp",), 2),
        ("--speculative-algorithm NEXTN --speculative-num-steps 3 --speculative-eagle-topk 1", "0.5.23", "on",
         ("mtp",), 3),
        # a tree: what is verified without its root
        ("--speculative-algorithm NEXTN --speculative-num-steps 2 --speculative-eagle-topk 4 "
         "--speculative-num-draft-tokens 4", "0.4.3.post2", "on", ("mtp",), 3),
        # nothing said: 5/4/8 for all up to 0.4.6.post5, by architecture from 0.4.7 on, 3/1/4 for STANDALONE
        ("--speculative-algorithm EAGLE", "0.4.6.post5", "on", ("mtp",), 7),
        ("--speculative-algorithm EAGLE", "0.5.10", "on", ("mtp",), None),
        ("--speculative-algorithm STANDALONE --speculative-draft-model-path d", "0.5.10", "on", ("draft-model",), 3),
        ("--speculative-algorithm EAGLE", "0.4.4.post3", "on", ("mtp",), 7),
        # run on 0.5.10 and 0.5.23: NGRAM verifies 12
        ("--speculative-algorithm NGRAM", "0.5.10", "on", ("ngram",), 11),
        ("--speculative-algorithm NGRAM --speculative-num-draft-tokens 16", "0.5.14", "on", ("ngram",), 15),
        ("--speculative-algorithm DFLASH --speculative-draft-model-path d --speculative-dflash-block-size 8", "0.5.11",
         "on", ("dflash",), 7),
        ("--speculative-algorithm DSPARK --speculative-dspark-block-size 5", "0.5.16", "on", ("dspark",), 5),
        ("--speculative-algorithm DSPARK --speculative-num-draft-tokens 6", "0.5.16", "on", ("dspark",), 5),
        ("--speculative-algorithm UNO --uno-lora-path l --speculative-num-draft-tokens 6", "0.5.20", "on", ("uno",),
         None),
    ],
)  # fmt: skip
def test_state_method_and_length(
    words: str, version: str, state: str, methods: tuple[str, ...], gamma: int | None
) -> None:
    found = spec(words, version)
    assert (found.state, found.methods, found.gamma) == (state, methods, gamma)


def test_what_is_not_known_stays_unknown() -> None:
    assert spec("$EXTRA").state == "unknown"
    assert spec('--speculative-algorithm "$ALGO"').state == "unknown"
    found = spec(f'--speculative-algorithm EAGLE --speculative-draft-model-path "$DRAFT" {CHAIN}')
    assert (found.state, found.methods, found.drafter) == ("on", ("eagle",), "$DRAFT")
    assert spec('--speculative-algorithm NEXTN --speculative-num-steps "$N"').gamma is None
    assert spec("--speculative-algorithm my_own", "0.5.23").state == "unknown"


def test_temperature_is_that_of_the_preferred_sampling() -> None:
    assert spec("""--preferred-sampling-params '{"temperature": 0.6, "top_p": 0.9}'""").temperature == 0.6
    assert spec("""--preferred-sampling-params '{"top_p": 0.9}'""").temperature is None
    assert spec("--preferred-sampling-params '{'").temperature is None
    assert spec("--sampling-defaults model").temperature is None


def test_the_model_by_place_and_by_name() -> None:
    assert read("sglang serve org/m --tp 2", "0.5.16").spec.model == "org/m"
    assert read("sglang serve org/m --tp 2", "0.5.15").spec.model is None
    assert read("python -m sglang.launch_server --model org/m", "0.4.3").spec.model == "org/m"
    assert read("python -m sglang.launch_server --model=org/m", "0.5.23").spec.model == "org/m"


def test_adaptive() -> None:
    assert spec("--speculative-algorithm EAGLE --speculative-adaptive", "0.5.11").adaptive is True
    assert spec("--speculative-algorithm EAGLE", "0.5.11").adaptive is False


def test_a_call() -> None:
    found = call(
        "0.5.6",
        model_path="meta-llama/Llama-3.1-8B-Instruct",
        speculative_algorithm="EAGLE3",
        speculative_draft_model_path="jamesliu1/sglang-EAGLE3-Llama-3.1-Instruct-8B",
        speculative_num_steps="3",
        speculative_eagle_topk="4",
        speculative_num_draft_tokens="16",
    ).spec
    assert (found.state, found.methods, found.gamma) == ("on", ("eagle3",), 15)
    assert found.model == "meta-llama/Llama-3.1-8B-Instruct"


def test_a_renamed_option_still_means_what_it_meant() -> None:
    reading = serve("--mamba-scheduler-strategy extra_buffer", "0.5.20")
    assert "mamba-radix-cache-strategy" not in reading.by_option  # argparse refuses it: nothing is meant by it any more
    assert serve("--mamba-scheduler-strategy extra_buffer", "0.5.19").by_option["mamba-radix-cache-strategy"]
