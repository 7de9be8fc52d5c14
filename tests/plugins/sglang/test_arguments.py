"""SGLang's grammar: what its real parser made of these words (runs of 0.5.10 and 0.5.23, and argparse's own rules)."""

from __future__ import annotations

import argparse
import contextlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtpconfig.argument_parser import ArgumentParser
from mtpconfig.launch import Known, Word
from mtpconfig.text import Fragment, Source

from .helping import call, release, serve, sglang


def keys(words: str, version: str = "0.5.10") -> list[tuple[str, str | None]]:
    return [(setting.key, setting.text) for setting in serve(words, version).settings[1:]]


@pytest.mark.parametrize(
    ("words", "version", "expected"),
    [
        ("--speculative-algo EAGLE", "0.5.10", [("--speculative-algorithm", "EAGLE")]),
        ("--speculative-algo EAGLE", "0.5.23", [("--speculative-algorithm", "EAGLE")]),
        ("--speculative-algorithm=EAGLE", "0.5.23", [("--speculative-algorithm", "EAGLE")]),
        ("--speculative-algo=EAGLE", "0.4.3", [("--speculative-algorithm", "EAGLE")]),
        ("--speculative-num-s 3", "0.5.23", [("--speculative-num-steps", "3")]),
        ("--speculative-draft d", "0.5.2rc2", [("--speculative-draft-model-path", "d")]),
        ("--speculative-draft-model d", "0.5.2rc2", [("--speculative-draft-model-path", "d")]),
        ("--speculative-draft-model d", "0.5.2", [("--speculative-draft-model", "d")]),
        ("--tp 8", "0.5.10", [("--tp-size", "8")]),
        ("--tp 8 --dp 2", "0.4.3.post2", [("--tp-size", "8"), ("--dp-size", "2")]),
        ("--mamba-scheduler extra_buffer", "0.5.20", [("--mamba-scheduler-strategy", "extra_buffer")]),
        ("--max-total-tokens -1", "0.5.10", [("--max-total-tokens", "-1")]),
        ("--disable-radix-cache --port 80", "0.5.10", [("--disable-radix-cache", None), ("--port", "80")]),
        ("--lora-paths a=b c=d --port 80", "0.5.10", [("--lora-paths", "a=b"), ("--port", "80")]),
        ("--chat-template '- x' --port 1", "0.5.10", [("--chat-template", "- x"), ("--port", "1")]),
    ],
)
def test_words_as_the_parser_takes_them(words: str, version: str, expected: list[tuple[str, str | None]]) -> None:
    assert keys(words, version) == expected


def test_underscores_are_not_dashes() -> None:
    (setting,) = serve("--speculative_num_steps 3").settings[1:]
    assert (setting.option, setting.text) == (None, "3")


def test_a_beginning_of_several_names_counts_as_what_it_was() -> None:
    """0.5.10 and 0.5.23: `--speculative-draft` is an ambiguous option, exit code 2."""
    parser = ArgumentParser(sglang().options(), release("0.5.10"), "*")
    name, rivals = parser.resolve("--speculative-draft")
    assert name == "--speculative-draft-model-path"
    assert {"--speculative-draft-model", "--speculative-draft-model-path"} < set(rivals)
    assert parser.resolve("--speculative-num")[1] == ("--speculative-num-draft-tokens", "--speculative-num-steps")


def test_an_old_flag_that_became_a_beginning_is_told_as_removed() -> None:
    """0.5.23: `--cuda-graph-max-bs` "could match --cuda-graph-max-bs-decode, --cuda-graph-max-bs-prefill"."""
    (setting,) = serve("--cuda-graph-max-bs 64", "0.5.23").settings[1:]
    assert (setting.option, setting.key) == (None, "--cuda-graph-max-bs")


def test_the_case_of_the_algorithm() -> None:
    def algorithm(word: str, version: str) -> str | None:
        return serve(f"--speculative-algorithm {word}", version).by_option["speculative-algorithm"][0].text

    assert algorithm("eagle3", "0.5.11") == "eagle3"
    assert algorithm("eagle3", "0.5.12") == "EAGLE3"
    assert algorithm("Eagle", "0.5.23") == "EAGLE"
    assert algorithm("mtp", "0.5.23") == "mtp"
    assert algorithm("my_plugin", "0.5.23") is None


def test_keywords_of_a_call() -> None:
    reading = call(speculative_algorithm="EAGLE3", speculative_num_steps="3", disable_radix_cache="False", port="None")
    assert {s.spelling for s in reading.settings} == {"speculative_algorithm", "speculative_num_steps"}
    assert set(reading.by_option) == {"speculative-algorithm", "speculative-num-steps"}


_FLAGS = ("--alpha", "--alpha-beta", "--alpha-gamma", "--beta", "--beta-max", "--switch")
_WORDS = st.sampled_from(
    [*_FLAGS, "--al", "--alpha-b", "--alpha-", "--bet", "--sw", "--s", "-1", "-x", "v", "a b", "- y"]
)


@given(st.lists(_WORDS | st.builds("{}={}".format, st.sampled_from([*_FLAGS[:5], "--alpha-g"]), _WORDS), max_size=6))
def test_against_argparse_itself(words: list[str]) -> None:
    from mtpconfig.history import ALL_VERSIONS, Option, OptionHistory, Period

    history = OptionHistory(
        "toy",
        [release("1.0.0")],
        [
            Option(id=f, periods=(Period(f, f, "flag", ALL_VERSIONS, type="flag" if f == "--switch" else "string"),))
            for f in _FLAGS
        ],
    )
    real = argparse.ArgumentParser(exit_on_error=False, add_help=False)
    for flag in _FLAGS:
        real.add_argument(flag, **({"action": "store_true"} if flag == "--switch" else {}))  # type: ignore[arg-type]
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            taken, _ = real.parse_known_args(words)
    except (SystemExit, argparse.ArgumentError):
        return
    ours = [Word(Fragment.of(Source("w", word)), Known(word)) for word in words]
    spoken = list(ArgumentParser(history, release("1.0.0"), "*").options(ours))
    assert not any(one.rivals for one in spoken)
    said = {one.name: one.values[0].text if one.values else True for one in spoken if one.period is not None}
    assert {f"--{k.replace('_', '-')}": v for k, v in vars(taken).items() if v not in (None, False)} == said
