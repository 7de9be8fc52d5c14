"""What one release refuses, drops or reads, and its neighbours do not: conditions as they stand in its sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtpconfig.lint.findings import Finding

from ...support import lint, linter


def told(words: str, version: str) -> list[Finding]:
    return [f for f in lint(f"vllm serve m {words}\n", f"vllm@{version}").findings if f.severity != "info"]


def codes(words: str, version: str) -> list[str]:
    return [finding.code for finding in told(words, version)]


def config(text: str) -> str:
    return f"--speculative-config '{text}'"


DFLASH = config('{"method":"dflash","model":"z-lab/Qwen3-8B-DFlash","num_speculative_tokens":15}')


@pytest.mark.parametrize(
    ("words", "version", "expected"),
    [
        # config/vllm.py: max_num_batched_tokens - slots * max_num_seqs, without max_num_seqs from 0.28.0 on
        (DFLASH, "0.27.1", ["MTP205"]),
        (DFLASH, "0.28.0", []),
        (DFLASH, "0.32.0", []),
        (DFLASH, "0.33.0", []),
        (f"--max-num-seqs 4 --max-num-batched-tokens 14 {DFLASH}", "0.32.0", ["MTP205"]),
        (f"--max-num-seqs 4 --max-num-batched-tokens 64 {DFLASH}", "0.32.0", []),
    ],
)
def test_room_for_drafts_of_parallel_tokens(words: str, version: str, expected: list[str]) -> None:
    assert codes(words, version) == expected


@pytest.mark.parametrize(
    ("method", "version", "expected"),
    [
        ("extract_hidden_states", "0.17.0", []),
        ("extract_hidden_states", "0.32.0", []),
        ("ngram", "0.17.0", ["MTP106"]),
        ("ngram", "0.16.0", ["MTP106"]),
    ],
)
def test_who_reads_the_configuration_of_the_draft_model(method: str, version: str, expected: list[str]) -> None:
    said = f'{{"method":"{method}","num_speculative_tokens":1,"draft_model_config":{{"hf_config":{{}}}}}}'
    assert codes(config(said), version) == expected


@pytest.mark.parametrize(
    ("said", "version", "expected"),
    [
        ('{"method":"eagle3","model":"d"}', "0.9.1", ["MTP204"]),
        ('{"method":"eagle3","model":"d"}', "0.32.0", ["MTP204"]),
        # block_size of the head's own configuration
        ('{"method":"dspark","model":"d"}', "0.28.0", []),
        ('{"method":"dspark","model":"d"}', "0.33.0", []),
        # MLPSpeculatorConfig.n_predict
        ('{"method":"mlp_speculator","model":"d"}', "0.9.1", []),
        ('{"model":"ibm-ai-platform/llama3-8b-accelerator"}', "0.9.1", []),
        ('{"method":"mtp","model":"x"}', "0.32.0", ["MTP204"]),
    ],
)
def test_a_drafter_that_names_the_number_of_tokens_needs_none(said: str, version: str, expected: list[str]) -> None:
    assert codes(config(said), version) == expected


@pytest.mark.parametrize(
    ("value", "version", "expected"),
    [
        ("1", "0.11.1", []),
        ("true", "0.32.0", []),
        ("$V", "0.32.0", []),
        ("0", "0.11.1", ["MTP107"]),
        ("0", "0.9.1", []),
    ],
)
def test_an_unread_variable_that_asks_for_what_happens_anyway(value: str, version: str, expected: list[str]) -> None:
    report = lint(f"VLLM_USE_V1={value} vllm serve m\n", f"vllm@{version}")
    assert [finding.code for finding in report.findings] == expected
    assert all("draft" not in finding.why for finding in report.findings)


MTP = config('{"method":"deepseek_mtp","num_speculative_tokens":1}')


@pytest.mark.parametrize(
    ("command", "version", "expected"),
    [
        (f"vllm serve --model m {MTP}", "0.9.1", ["MTP102"]),
        (f"vllm serve {MTP} --model m", "0.10.2", ["MTP102"]),
        (f"vllm serve --model=m {MTP}", "0.10.2", []),
        (f"python3 -m vllm.entrypoints.openai.api_server --model m {MTP}", "0.10.2", []),
        (f"vllm serve --model m {MTP}", "0.11.1", []),
        ("vllm serve --model m", "0.10.2", []),
    ],
)
def test_the_model_as_an_option_of_serve(command: str, version: str, expected: list[str]) -> None:
    found = [f for f in lint(f"{command}\n", f"vllm@{version}").findings if f.severity != "info"]
    assert [finding.code for finding in found] == expected


DOTTED = "--speculative-config.method ngram --speculative_config.num_speculative_tokens=2"


@pytest.mark.parametrize("version", ["0.8.2", "0.8.3", "0.8.5", "0.8.5.post1"])
def test_keys_behind_dots_before_there_were_any(version: str) -> None:
    found = told(DOTTED, version)
    assert [(f.code, f.severity, f.detail) for f in found] == [("MTP104", "error", "first in 0.9.0")] * 2


def test_keys_behind_dots_since_there_are() -> None:
    assert codes(f"{DOTTED} --speculative-config.prompt_lookup_max 3", "0.9.1") == []


def test_keys_behind_dots_in_a_file_before_there_were_any(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("speculative-config.method: ngram\nspeculative-config.num_speculative_tokens: 2\n")
    (tmp_path / "start.sh").write_text("vllm serve m --config c.yaml\n")
    found = linter("vllm@0.8.4").lint_path(str(tmp_path / "start.sh"), str(tmp_path)).findings
    assert [(finding.code, finding.source.path.endswith("c.yaml")) for finding in found] == [("MTP104", True)] * 2


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('{"speculative_config":{"method":"mtp","num_speculative_tokens":2}}', ["MTP304"]),
        ('{"ascend_scheduler_config":{"enabled":true}}', []),
        ("$EXTRA", []),
    ],
)
def test_speculation_where_nobody_reads_it(said: str, expected: list[str]) -> None:
    quoted = f"'{said}'" if said.startswith("{") else f'"{said}"'
    assert codes(f"--additional-config {quoted}", "0.32.0") == expected


@pytest.mark.parametrize(
    ("said", "version", "expected"),
    [
        # one fault, told once: a method that the release refuses is made another by no name
        ('{"method":"mtp","model":"x/eagle-mimo","num_speculative_tokens":1}', "0.9.1", ["MTP104"]),
        ('{"method":"mtp","model":"x/eagle-mimo","num_speculative_tokens":1}', "0.32.0", ["MTP305"]),
        # transformers_utils/configs/eagle.py: the method names the class of the head
        ('{"method":"eagle","model":"AngelSlim/Qwen3-8B_eagle3","num_speculative_tokens":3}', "0.9.1", ["MTP305"]),
        ('{"method":"eagle","model":"AngelSlim/Qwen3-8B_eagle3","num_speculative_tokens":3}', "0.32.0", ["MTP305"]),
        ('{"method":"eagle","model":"/eagle3/EAGLE-LLaMA3-8B","num_speculative_tokens":3}', "0.32.0", []),
        ('{"method":"draft_model","model":"d","num_speculative_tokens":5}', "0.12.0", ["MTP105"]),
        ('{"method":"draft_model","model":"d","num_speculative_tokens":5}', "0.15.0", []),
    ],
)
def test_methods_of_other_releases(said: str, version: str, expected: list[str]) -> None:
    assert codes(config(said), version) == expected


@pytest.mark.parametrize(
    ("version", "expected"),
    [("0.9.1", ["MTP202"]), ("0.15.1", ["MTP202"]), ("0.16.0", ["MTP104"]), ("0.18.0", [])],
)
def test_a_key_that_comes_later_is_a_key_and_no_variable(version: str, expected: list[str]) -> None:
    said = '{"method":"ngram","num_speculative_tokens":2,"prompt_lookup_max":3,"rejection_sample_method":"strict"}'
    assert codes(config(said), version) == expected


COMPOSE = "services:\n  v:\n    image: {}\n    command: --model m {}\n"


@pytest.mark.parametrize(
    ("image", "words", "expected"),
    [
        ("vllm/vllm-openai:nightly", "--speculative-model d --num-speculative-tokens 3", ["MTP101", "MTP101"]),
        ("vllm/vllm-openai:nightly", "--speculative-brandnew 3", []),
        (
            "vllm/vllm-openai:nightly",
            """--speculative-config '{"method":"mtp","num_speculative_tokens":2,"new":1}'""",
            [],
        ),
        # built of some day's sources, nobody knows which
        ("vllm/vllm-openai:nightly-6f7df92a8", "--speculative-model d --num-speculative-tokens 3", []),
        ("me/vllm-openai:nightly", "--speculative-model d --num-speculative-tokens 3", []),
    ],
)
def test_names_that_had_gone_before_the_newest_sources(image: str, words: str, expected: list[str]) -> None:
    found = lint(COMPOSE.format(image, words), name="docker-compose.yml").findings
    assert [finding.code for finding in found if finding.severity != "info"] == expected
