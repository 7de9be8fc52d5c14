"""vLLM's option history says what its releases' sources say.

Expected values: engine/arg_utils.py, config.py or config/speculative.py, envs.py and entrypoints/ of the releases
named, read by hand; verdicts on unknown keys from runs of 0.32.0.
"""

from __future__ import annotations

import pytest

from mtpconfig.history import OptionHistory, at
from mtpconfig.knowledge import load_history
from mtpconfig.version import PEP440, Version

HISTORY = load_history("vllm")
OLD_FLAGS = {
    "--speculative-model": ("0.5.0", "spec.model"),
    "--num-speculative-tokens": ("0.5.0", "spec.num_speculative_tokens"),
    "--speculative-max-model-len": ("0.5.0", "spec.max_model_len"),
    "--speculative-disable-by-batch-size": ("0.5.0", "spec.disable_by_batch_size"),
    "--ngram-prompt-lookup-max": ("0.5.0", "spec.prompt_lookup_max"),
    "--ngram-prompt-lookup-min": ("0.5.0", "spec.prompt_lookup_min"),
    "--speculative-draft-tensor-parallel-size": ("0.5.1", "spec.draft_tensor_parallel_size"),
    "-spec-draft-tp": ("0.5.1", "spec.draft_tensor_parallel_size"),
    "--spec-decoding-acceptance-method": ("0.5.1", "spec.acceptance_method"),
    "--typical-acceptance-sampler-posterior-threshold": ("0.5.1", "spec.posterior_threshold"),
    "--typical-acceptance-sampler-posterior-alpha": ("0.5.1", "spec.posterior_alpha"),
    "--disable-logprobs-during-spec-decoding": ("0.5.3", "spec.disable_logprobs"),
    "--speculative-model-quantization": ("0.5.5", "spec.quantization"),
    "--speculative-disable-mqa-scorer": ("0.6.3", "spec.disable_mqa_scorer"),
}
KEYS = {
    "num_speculative_tokens": ("0.8.2", ""),
    "method": ("0.8.2", ""),
    "prompt_lookup_max": ("0.8.2", ""),
    "acceptance_method": ("0.8.2", "0.9.2"),
    "disable_mqa_scorer": ("0.8.2", "0.9.2"),
    "disable_logprobs": ("0.8.2", "0.11.0"),
    "disable_by_batch_size": ("0.8.2", "0.16.0"),
    "speculative_token_tree": ("0.9.0", "0.20.2"),
    "enforce_eager": ("0.11.0", ""),
    "disable_padded_drafter_batch": ("0.11.0", ""),
    "suffix_decoding_max_tree_depth": ("0.11.1", ""),
    "parallel_drafting": ("0.16.0", ""),
    "use_local_argmax_reduction": ("0.17.0", ""),
    "draft_load_config": ("0.17.0", ""),
    "rejection_sample_method": ("0.18.0", ""),
    "moe_backend": ("0.19.0", ""),
    "synthetic_acceptance_rate": ("0.19.0", "0.19.1"),
    "synthetic_acceptance_rates": ("0.20.0", ""),
    "attention_backend": ("0.21.0", ""),
    "draft_sample_method": ("0.21.0", ""),
    "num_speculative_tokens_per_batch_size": ("0.24.0", ""),
    "use_heterogeneous_vocab": ("0.25.0", ""),
    "kv_cache_dtype": ("0.26.0", ""),
    "enable_adaptive_verification": ("0.28.0", ""),
    "dspark_draft_topk": ("0.28.0", ""),
    "index_share_for_mtp_iteration": ("0.29.0", ""),
    "disable_eagle_block_drop": ("0.30.0", ""),
    "draft_lm_head_quantization": ("0.33.0", ""),
}
METHODS = {
    "ngram": ("0.8.5", "", "ngram"),
    "eagle": ("0.8.5", "", "eagle"),
    "draft_model": ("0.8.5", "", "draft-model"),
    "medusa": ("0.8.5", "0.32.0", "medusa"),
    "deepseek_mtp": ("0.9.0", "", "mtp"),
    "eagle3": ("0.9.1", "", "eagle3"),
    "ernie_mtp": ("0.10.2", "", "mtp"),
    "qwen3_next_mtp": ("0.10.2", "", "mtp"),
    "mtp": ("0.11.0", "", "mtp"),
    "mimo_mtp": ("0.11.0", "", "mtp"),
    "glm4_moe_mtp": ("0.11.1", "", "mtp"),
    "suffix": ("0.11.1", "", "suffix"),
    "qwen3_5_mtp": ("0.17.0", "", "mtp"),
    "ngram_gpu": ("0.18.0", "", "ngram"),
    "dflash": ("0.20.0", "", "dflash"),
    "gemma4_mtp": ("0.21.0", "", "mtp"),
    "dspark": ("0.25.0", "", "dspark"),
    "step5_mtp": ("0.33.0", "", "mtp"),
}


def version(text: str) -> Version:
    return PEP440.parse(text)


def before(text: str) -> Version | None:
    """The release before one."""
    place = HISTORY.versions.index(version(text))
    return HISTORY.versions[place - 1] if place else None


def after(text: str) -> Version | None:
    """The release after one."""
    place = HISTORY.versions.index(version(text))
    return HISTORY.versions[place + 1] if place + 1 < len(HISTORY.versions) else None


def status(surface: str, spelling: str, at_version: Version | str, history: OptionHistory = HISTORY) -> str | None:
    found = history.find(surface, spelling, version(str(at_version)), "vllm serve")
    return found.status if found is not None else None


def test_every_release_since_0_5_0_is_examined() -> None:
    assert str(HISTORY.oldest) == "0.5.0"
    assert HISTORY.newest >= version("0.33.0")
    assert {version(text) for text in ("0.6.1.post2", "0.8.5.post1", "0.10.1.1", "0.15.0")} <= set(HISTORY.versions)


@pytest.mark.parametrize(("flag", "first", "option"), [(flag, *row) for flag, row in OLD_FLAGS.items()])
def test_the_old_flags_ended_in_0_8_3(flag: str, first: str, option: str) -> None:
    found = HISTORY.find("flag", flag, version("0.8.1"), "vllm serve")
    assert found is not None and found.option == option and found.status in ("active", "alias")
    if (earlier := before(first)) is not None:
        assert status("flag", flag, earlier) is None
    assert status("flag", flag, "0.8.2") == "deprecated"
    gone = HISTORY.find("flag", flag, version("0.8.3"), "vllm serve")
    assert gone is not None and gone.status == "fatal"
    assert [(row.surface, row.spelling) for row in gone.replace] == [("json", option.removeprefix("spec."))]
    assert status("flag", flag, "0.33.0") == "fatal"


@pytest.mark.parametrize(
    ("flag", "option", "first"),
    [
        ("--speculative-config", "speculative-config", "0.8.2"),
        ("-sc", "speculative-config", "0.19.0"),
        ("--spec-method", "spec.method", "0.22.0"),
        ("--spec-model", "spec.model", "0.22.0"),
        ("--spec-tokens", "spec.num_speculative_tokens", "0.22.0"),
        ("--per-request-spec-decode-metrics", "per-request-spec-decode-metrics", "0.29.0"),
    ],
)
def test_the_new_flags(flag: str, option: str, first: str) -> None:
    found = HISTORY.find("flag", flag, version(first), "vllm serve")
    assert found is not None and found.option == option
    assert status("flag", flag, before(first) or "") is None
    assert status("flag", flag, HISTORY.newest) in ("active", "alias")


@pytest.mark.parametrize(("key", "first", "last"), [(key, *row) for key, row in KEYS.items()])
def test_the_keys_of_the_configuration(key: str, first: str, last: str) -> None:
    assert status("json", key, first) == "active"
    assert status("json", key, before(first) or "") is None
    if last:
        assert status("json", key, last) in ("active", "ignored")
        assert status("json", key, after(last) or "") is None
    else:
        assert status("json", key, HISTORY.newest) == "active"


def test_what_only_v0_read_is_ignored_from_0_10_0_on() -> None:
    assert [status("json", "disable_by_batch_size", v) for v in ("0.9.2", "0.10.0", "0.16.0")] == [
        "active", "ignored", "ignored",
    ]  # fmt: skip
    assert [status("flag", "--num-lookahead-slots", v) for v in ("0.9.2", "0.10.0", "0.11.2", "0.12.0")] == [
        "active", "ignored", "ignored", None,
    ]  # fmt: skip


def test_a_key_that_is_there_to_be_refused() -> None:
    assert status("json", "tensor_parallel_size", "0.14.1") is None
    refused = HISTORY.find("json", "tensor_parallel_size", version("0.15.0"), "vllm serve")
    assert refused is not None and refused.status == "fatal"
    assert [row.spelling for row in refused.replace] == ["draft_tensor_parallel_size"]


def test_hyphens_in_keys_are_read_since_0_26_0() -> None:
    assert status("json", "num-speculative-tokens", "0.25.1") is None
    assert status("json", "num-speculative-tokens", "0.26.0") == "alias"


@pytest.mark.parametrize(
    ("release", "does"),
    [
        ("0.8.2", "fatal"),
        ("0.9.0.1", "fatal"),
        ("0.9.1", "unread"),
        ("0.15.1", "unread"),
        ("0.16.0", "fatal"),
        ("0.33.0", "fatal"),
    ],
)
def test_what_becomes_of_an_unknown_key(release: str, does: str) -> None:
    row = at(HISTORY.surfaces["json"].unknown, version(release))
    assert row is not None and row.value == does


@pytest.mark.parametrize(("word", "first", "last", "method"), [(word, *row) for word, row in METHODS.items()])
def test_the_words_for_methods(word: str, first: str, last: str, method: str) -> None:
    rows = [choice for choice in HISTORY.options["spec.method"].values if choice.text == word]
    held = [v for v in HISTORY.versions if any(row.stretch.holds(v) for row in rows)]
    assert (str(held[0]), str(held[-1])) == (first, last or str(HISTORY.newest))
    assert {row.method for row in rows} == {method}


def test_names_of_families_are_aliases_of_mtp_since_0_11_0() -> None:
    rows = [choice for choice in HISTORY.options["spec.method"].values if choice.text == "deepseek_mtp"]
    found = {v: row.status for v in ("0.10.2", "0.11.0") for row in rows if row.stretch.holds(version(v))}
    assert found == {"0.10.2": "active", "0.11.0": "deprecated"}


@pytest.mark.parametrize(
    ("option", "release", "words"),
    [
        ("spec.rejection_sample_method", "0.18.0", {"strict", "probabilistic"}),
        ("spec.rejection_sample_method", "0.20.2", {"strict", "probabilistic", "synthetic"}),
        ("spec.rejection_sample_method", "0.21.0", {"standard", "synthetic"}),
        ("spec.rejection_sample_method", "0.25.0", {"standard", "synthetic", "block"}),
        ("spec.rejection_sample_method", "0.33.0", {"standard", "synthetic", "block", "fly"}),
        ("spec.draft_sample_method", "0.21.0", {"greedy", "gumbel"}),
        ("spec.draft_sample_method", "0.22.0", {"greedy", "probabilistic"}),
        ("spec.acceptance_method", "0.9.2", {"rejection_sampler", "typical_acceptance_sampler"}),
        ("per-request-spec-decode-metrics", "0.29.0", {"none", "summary", "detailed"}),
    ],
)
def test_the_words_for_other_keys(option: str, release: str, words: set[str]) -> None:
    choices = HISTORY.options[option].values
    assert {choice.text for choice in choices if choice.stretch.holds(version(release))} == words


def test_0_8_2_read_the_configuration_as_a_literal() -> None:
    assert HISTORY.type("speculative-config", version("0.8.2")) == "literal"
    assert HISTORY.type("speculative-config", version("0.8.3")) == "json"


def test_the_variable_for_the_v1_engine_is_read_until_0_11_0() -> None:
    found = [status("env", "VLLM_USE_V1", v) for v in ("0.6.3.post1", "0.6.4", "0.11.0", "0.11.1", "0.33.0")]
    assert found == [None, "active", "active", "unread", "unread"]


@pytest.mark.parametrize(
    ("flag", "release", "known"),
    [
        ("--max-model-len", "0.5.0", True),
        ("--use-v2-block-manager", "0.9.2", True),
        ("--use-v2-block-manager", "0.10.0", False),
        ("--async-scheduling", "0.9.2", False),
        ("--async-scheduling", "0.10.0", True),
        ("--no-enable-prefix-caching", "0.32.0", True),
        ("--override-generation-config", "0.7.0", False),
        ("--override-generation-config", "0.7.1", True),
        ("--num-scheduler-steps", "0.10.0", True),
        ("--num-scheduler-steps", "0.10.1", False),
        ("--logits-processors", "0.33.0", True),
        ("--api-server-count", "0.32.0", True),
        ("--disable-log-requests", "0.16.0", True),
        ("--disable-log-requests", "0.17.0", False),
        ("--disable-log-requests", "0.33.0", True),
    ],
)
def test_options_that_have_nothing_to_do_with_speculation(flag: str, release: str, known: bool) -> None:
    assert (status("flag", flag, release) in ("active", "alias")) is known


def test_keyword_arguments_are_the_fields_of_the_engines_arguments() -> None:
    assert status("kwarg", "num_speculative_tokens", "0.8.1") == "active"
    assert status("kwarg", "num_speculative_tokens", "0.8.3") == "fatal"
    assert status("kwarg", "speculative_config", "0.33.0") == "active"
    assert status("kwarg", "tensor_parallel_size", "0.33.0") == "active"
    assert status("kwarg", "tp", "0.33.0") is None


def test_the_files_keys_are_the_flags_names() -> None:
    assert status("config", "speculative-config", "0.24.0") == "active"
    assert status("config", "num-speculative-tokens", "0.24.0") == "fatal"
