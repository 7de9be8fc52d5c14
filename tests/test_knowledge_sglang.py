"""SGLang's knowledge against what its released sources and runs of its real parser show."""

from __future__ import annotations

import pytest

from mtpconfig.history import OptionHistory, at
from mtpconfig.knowledge import load_history
from mtpconfig.version import PEP440, Version


@pytest.fixture(scope="module")
def history() -> OptionHistory:
    return load_history("sglang")


def v(text: str) -> Version:
    return PEP440.parse(text)


def status(history: OptionHistory, flag: str, version: str, surface: str = "flag") -> str:
    period = history.find(surface, flag, v(version), "*")
    return period.status if period else "absent"


def fact(history: OptionHistory, name: str, version: str) -> str:
    row = at(history.facts[name], v(version))
    return row.value if row else ""


def words(history: OptionHistory, version: str) -> set[str]:
    values = history.options["speculative-algorithm"].values
    return {choice.text for choice in values if choice.stretch.holds(v(version))}


def test_every_release_is_known_and_every_boundary_lies_between_neighbours(history: OptionHistory) -> None:
    assert (str(history.oldest), len(history.versions)) == ("0.4.1", 98)
    place = {version: number for number, version in enumerate(history.versions)}
    for option in history.speculative:
        for period in option.periods:
            for low, high in (period.stretch.since, period.stretch.until or (None, None)):
                if low is not None and high is not None:
                    assert place[high] - place[low] == 1, (option.id, period.spelling)


# the rows of the releases' own argument tables (srt/server_args.py of each wheel)
@pytest.mark.parametrize(
    ("flag", "first", "before"),
    [
        ("--speculative-algorithm", "0.4.1.post4", "0.4.1.post3"),
        ("--speculative-draft-model", "0.5.2", "0.5.2rc2"),
        ("--speculative-draft-model-revision", "0.5.2", "0.5.2rc2"),
        ("--speculative-accept-threshold-acc", "0.4.3.post3", "0.4.3.post2"),
        ("--speculative-attention-mode", "0.5.2", "0.5.2rc2"),
        ("--speculative-draft-load-format", "0.5.3.post2", "0.5.3.post1"),
        ("--speculative-moe-runner-backend", "0.5.4.post3", "0.5.4.post2"),
        ("--speculative-moe-a2a-backend", "0.5.6.post1", "0.5.6"),
        ("--speculative-draft-attention-backend", "0.5.7", "0.5.6.post2"),
        ("--enable-multi-layer-eagle", "0.5.7", "0.5.6.post2"),
        ("--speculative-ngram-max-trie-depth", "0.5.10rc0", "0.5.9"),
        ("--speculative-ngram-external-corpus-path", "0.5.11", "0.5.10.post1"),
        ("--speculative-adaptive", "0.5.11", "0.5.10.post1"),
        ("--speculative-dflash-block-size", "0.5.11", "0.5.10.post1"),
        ("--speculative-use-rejection-sampling", "0.5.14", "0.5.13.post1"),
        ("--speculative-dspark-block-size", "0.5.16", "0.5.15.post1"),
        ("--speculative-draft-sink-size", "0.5.21", "0.5.20"),
        ("--mamba-scheduler-strategy", "0.5.7", "0.5.6.post2"),
        ("--mamba-radix-cache-strategy", "0.5.14", "0.5.13.post1"),
        ("--attn-dp-size", "0.5.22", "0.5.21"),
    ],
)
def test_where_an_option_begins(history: OptionHistory, flag: str, first: str, before: str) -> None:
    assert status(history, flag, first) in ("active", "alias")
    assert status(history, flag, before) == "absent"


@pytest.mark.parametrize(
    ("flag", "last", "after"),
    [
        ("--enable-beta-spec", "0.5.4", "0.5.4.post1"),
        ("--speculative-ngram-branch-length", "0.5.9", "0.5.10rc0"),
        ("--speculative-ngram-max-match-window-size", "0.5.10rc0", "0.5.10"),
        ("--speculative-skip-dp-mlp-sync", "0.5.22", "0.5.23"),
        ("--speculative-dflash-draft-window-size", "0.5.19", "0.5.20"),
        ("--mamba-scheduler-strategy", "0.5.19", "0.5.20"),
        ("--cuda-graph-max-bs", "0.5.19", "0.5.20"),
        ("--collect-tokens-histogram", "0.5.19", "0.5.20"),
    ],
)
def test_where_an_option_ends(history: OptionHistory, flag: str, last: str, after: str) -> None:
    assert status(history, flag, last) != "absent"
    assert status(history, flag, after) == "absent"


def test_a_renamed_option_is_one_option(history: OptionHistory) -> None:
    assert status(history, "--mamba-scheduler-strategy", "0.5.13.post1") == "active"
    assert status(history, "--mamba-scheduler-strategy", "0.5.14") == "deprecated"
    period = history.find("flag", "--mamba-scheduler-strategy", v("0.5.19"), "*")
    assert period is not None
    assert (period.option, period.replace[0].spelling) == ("mamba-radix-cache-strategy", "--mamba-radix-cache-strategy")
    assert status(history, "mamba_scheduler_strategy", "0.5.14", "kwarg") == "absent"
    assert history.current_spelling("mamba-radix-cache-strategy", "kwarg", v("0.5.14"), "*") == (
        "mamba_radix_cache_strategy"
    )


def test_the_algorithms(history: OptionHistory) -> None:
    assert words(history, "0.4.1") == set()
    assert words(history, "0.4.1.post4") == {"EAGLE"}
    assert words(history, "0.4.3.post1") == {"EAGLE", "NEXTN"}
    assert words(history, "0.4.4.post2") == {"EAGLE", "EAGLE3", "NEXTN"}
    assert words(history, "0.5.2") == {"EAGLE", "EAGLE3", "NEXTN", "STANDALONE"}
    assert words(history, "0.5.10") == {"EAGLE", "EAGLE3", "NEXTN", "STANDALONE", "NGRAM"}  # as its parser says
    assert words(history, "0.5.11") - words(history, "0.5.10") == {"DFLASH"}
    assert words(history, "0.5.12") - words(history, "0.5.11") == {"FROZEN_KV_MTP"}
    assert words(history, "0.5.16") - words(history, "0.5.15.post1") == {"DSPARK"}
    assert words(history, "0.5.20") - words(history, "0.5.19") == {"UNO"}
    assert history.options["speculative-algorithm"].never["MTP"] == "NEXTN"


def test_defaults(history: OptionHistory) -> None:
    def defaults(version: str) -> list[str | None]:
        names = ("speculative-num-steps", "speculative-eagle-topk", "speculative-num-draft-tokens")
        return [history.default(name, v(version)) for name in names]

    assert defaults("0.4.3.post2") == ["5", "8", "64"]
    assert defaults("0.4.3.post3") == ["5", "4", "8"]
    assert defaults("0.4.4.post4") == [None, None, None]
    assert history.default("speculative-ngram-capacity", v("0.5.23")) == "10000000"
    assert history.default("speculative-ngram-max-bfs-breadth", v("0.5.3rc2")) == "10"
    assert history.default("speculative-accept-threshold-single", v("0.5.0rc0")) == "1.0"


def test_what_is_chosen_by_itself(history: OptionHistory) -> None:
    """Runs of the real code on 0.5.10 and 0.5.23: nothing given is (5, 4, 8) for Llama, (3, 1, 4) for DeepSeek-V3."""
    for version in ("0.5.10", "0.5.23"):
        assert fact(history, "auto-triple LlamaForCausalLM", version) == "5/4/8"
        assert fact(history, "auto-triple DeepseekV3ForCausalLM", version) == "3/1/4"
    assert fact(history, "auto-triple DeepseekV3ForCausalLM", "0.4.6.post5") == "5/4/8"
    assert fact(history, "auto-triple DeepseekV3ForCausalLM", "0.4.7") == "3/1/4"
    assert fact(history, "auto-triple", "0.5.7") == "5/4/8"
    assert fact(history, "auto-triple", "0.5.8") == "3/1/4"
    assert fact(history, "auto-triple", "0.4.4.post3") == ""


def test_the_variable_of_the_second_worker(history: OptionHistory) -> None:
    name = "SGLANG_ENABLE_SPEC_V2"
    assert status(history, name, "0.5.4", "env") == "absent"
    assert status(history, name, "0.5.4.post1", "env") == "active"
    assert status(history, name, "0.5.14", "env") == "ignored"
    assert status(history, name, "0.5.21", "env") == "unread"
    assert fact(history, "spec-v2-variable", "0.5.10.post1") == "opt-in"
    assert fact(history, "spec-v2-variable", "0.5.11") == "opt-out"
    assert status(history, "SGLANG_SIMULATE_ACC_LEN", "0.5.3rc2", "env") == "active"
    assert status(history, "SGLANG_SPEC_TP_SYNC", "0.5.18", "env") == "absent"


def test_what_changed_its_meaning(history: OptionHistory) -> None:
    assert fact(history, "accept-rate", "0.5.10.post1") == "with-root"
    assert fact(history, "accept-rate", "0.5.11") == "drafts-only"
    assert fact(history, "algorithm-case", "0.5.11") == "exact"
    assert fact(history, "algorithm-case", "0.5.12") == "folded"
    assert fact(history, "hybrid-radix-cache", "0.5.13.post1") == "unsupported"
    assert fact(history, "hybrid-radix-cache", "0.5.14") == "auto"
    assert fact(history, "max-running-requests", "0.4.4.post3") == "32"
    assert fact(history, "draft-tokens", "0.4.5.post2") == "kept"


def test_keyword_arguments_and_keys_of_files(history: OptionHistory) -> None:
    for name in ("speculative_num_steps", "speculative_algorithm", "disable_radix_cache", "tp_size"):
        assert status(history, name, "0.5.6", "kwarg") == "active"
    assert status(history, "speculative-num-steps", "0.5.6", "config") == "active"
    assert status(history, "speculative_num_steps", "0.5.6", "config") == "absent"  # the key is a flag without dashes
    assert status(history, "--tp-size", "0.5.6") == status(history, "--tp-size", "0.4.1") == "active"
