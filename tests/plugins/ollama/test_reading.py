"""What a launch asks for, by version and runner: the decision table of server/routes.go and llm/llama_server.go."""

from __future__ import annotations

import pytest

from .support import reading

OFF = ("off", (), None)
UNKNOWN = ("unknown", (), None)


def spec(text: str, release: str, name: str) -> tuple[str, tuple[str, ...], int | None]:
    found = reading(text, release, name).spec
    return found.state, found.methods, found.gamma


@pytest.mark.parametrize(
    ("lines", "release", "expected"),
    [
        # an MTP head inside a file is used only if a number is set
        ("FROM ./q-mtp.gguf", "0.32.14", OFF),
        ("FROM ./q-mtp.gguf\nPARAMETER draft_num_predict 3", "0.32.14", ("on", ("mtp",), 3)),
        ("FROM ./q-mtp.gguf\nPARAMETER draft_num_predict 3", "0.24.0", OFF),
        ("FROM ./q-mtp.gguf\nPARAMETER draft_num_predict 0", "0.32.14", OFF),
        ("FROM ./q-mtp.gguf\nPARAMETER draft_num_predict -1", "0.32.14", OFF),
        ("FROM ./q-mtp.gguf\nPARAMETER draft_num_predict 4.5", "0.32.14", UNKNOWN),
        (
            "FROM ./q-mtp.gguf\nPARAMETER draft_num_predict 3\nPARAMETER draft_num_predict 5",
            "0.32.14",
            ("on", ("mtp",), 5),
        ),
        ("FROM hf.co/a/Q-MTP-GGUF:Q4_K_M", "0.32.14", OFF),
        ("FROM hf.co/a/Q-MTP-GGUF:Q4_K_M\nPARAMETER draft_num_predict 2", "0.30.0", ("on", ("mtp",), 2)),
        # a draft of its own is used with 4 tokens unless something else is said
        ("FROM ./g.gguf\nDRAFT ./g-assistant.gguf", "0.32.14", ("on", ("mtp",), 4)),
        ("FROM gemma4:12b\nDRAFT ./g-assistant.gguf", "0.32.14", ("on", ("mtp",), None)),
        ("FROM ./g.gguf\nDRAFT ./g-assistant.gguf\nPARAMETER draft_num_predict 0", "0.32.14", OFF),
        ("FROM ./g.gguf\nDRAFT ./g-DFlash.gguf", "0.32.7", ("on", ("dflash",), 4)),
        ("FROM ./g.gguf\nDRAFT ./g-DFlash.gguf", "0.32.6", ("on", ("mtp",), 4)),
        ("FROM ./g.gguf\nDRAFT ./g-assistant.gguf", "0.24.0", OFF),
        ("FROM /models/g\nDRAFT /models/g-assistant", "0.24.0", UNKNOWN),
        # a model of the library may bring a number along
        ("FROM qwen3.6:27b-mtp-q4_K_M", "0.32.14", UNKNOWN),
        ("FROM qwen3.8:27b", "0.34.2", ("on", ("mtp",), 4)),
        ("FROM qwen3.8:27b\nPARAMETER draft_num_predict 0", "0.34.2", OFF),
        ("FROM qwen3.8:27b-q8_0", "0.34.2", UNKNOWN),
        # the MLX runner decides by the model
        ("FROM qwen3.8:27b-nvfp4\nPARAMETER draft_num_predict 0", "0.32.14", ("auto", (), None)),
        ("FROM gemma4:12b-mlx", "0.32.14", ("auto", (), None)),
        ("FROM gemma4:12b-mlx\nDRAFT /models/g-assistant", "0.32.14", ("on", ("mtp",), None)),
        ("FROM gemma4:31b-coding-mtp-bf16", "0.23.1", ("auto", (), None)),
        # nothing to go by
        ("PARAMETER num_ctx 1", "0.32.14", UNKNOWN),
        ("FROM $BASE", "0.32.14", UNKNOWN),
    ],
)
def test_a_modelfile(lines: str, release: str, expected: tuple[str, tuple[str, ...], int | None]) -> None:
    assert spec(lines + "\n", release, "Modelfile") == expected


@pytest.mark.parametrize(
    ("command", "release", "expected"),
    [
        ("ollama run qwen3.8:27b", "0.34.2", ("on", ("mtp",), 4)),
        ("ollama run qwen3.8:27b", "0.24.0", OFF),
        ("ollama run --keepalive 5m qwen3.8:27b hello", "0.34.2", ("on", ("mtp",), 4)),
        ("ollama run llama3.2", "0.34.2", UNKNOWN),
        ("ollama run gemma4:12b-mlx", "0.34.2", ("auto", (), None)),
        ("ollama pull hf.co/a/Q-MTP-GGUF", "0.32.14", UNKNOWN),
        ("ollama serve", "0.32.14", UNKNOWN),
        ("LLAMA_ARG_SPEC_TYPE=ngram-mod ollama serve", "0.32.14", ("on", ("ngram",), None)),
        ("LLAMA_ARG_SPEC_TYPE=ngram-mod ollama serve", "0.24.0", UNKNOWN),
        ("ollama create x -f Modelfile", "0.32.14", UNKNOWN),
    ],
)
def test_a_command(command: str, release: str, expected: tuple[str, tuple[str, ...], int | None]) -> None:
    state, methods, gamma = spec(command + "\n", release, "start.sh")
    assert (state, methods, gamma if expected[2] is not None else None) == expected


@pytest.mark.parametrize(
    ("options", "release", "expected"),
    [
        ('{"draft_num_predict": 4}', "0.32.14", ("on", ("mtp",), 4)),
        ('{"draft_num_predict": 4.9}', "0.32.14", ("on", ("mtp",), 4)),  # a float is cut off
        ('{"draft_num_predict": 0}', "0.32.14", OFF),
        ('{"draft_num_predict": null}', "0.32.14", ("on", ("mtp",), 4)),  # null counts as said
        ('{"draft_num_predict": "4"}', "0.32.14", UNKNOWN),
        ('{"draft_num_predict": 4}', "0.24.0", UNKNOWN),
        ('{"draft_num_predict": $K}', "0.32.14", UNKNOWN),
    ],
)
def test_a_request(options: str, release: str, expected: tuple[str, tuple[str, ...], int | None]) -> None:
    body = f'{{"model": "m", "prompt": "x", "options": {options}}}'
    quote = '"' + body.replace('"', '\\"') + '"' if "$" in body else f"'{body}'"
    text = f"curl http://localhost:11434/api/generate -d {quote}\n"
    assert spec(text, release, "ask.sh") == expected


def test_what_comes_from_no_setting_is_explained() -> None:
    found = reading("FROM ./g.gguf\nDRAFT ./g-assistant.gguf\n")
    assert found.why == {"gamma": "the default of 0.32.14 for a DRAFT layer"}
    assert "tag sets draft_num_predict 4" in reading("FROM qwen3.8:27b\n", "0.34.2").why["gamma"]


def test_fields_of_a_modelfile() -> None:
    text = "FROM ./g.gguf\nDRAFT ./d-mtp.gguf\nPARAMETER temperature 0.6\nPARAMETER draft_num_predict 2\n"
    found = reading(text).spec
    assert (found.model, found.drafter, found.temperature, found.adaptive) == ("./g.gguf", "./d-mtp.gguf", 0.6, False)
    assert reading("FROM gemma4:12b-mlx\n", "0.30.11").spec.adaptive is True
    assert reading("FROM gemma4:12b-mlx\n", "0.30.10").spec.adaptive is False


def test_absence_means_something_only_where_no_base_brings_parameters_along() -> None:
    assert reading("FROM ./g.gguf\n").closed
    assert reading("FROM gemma4:12b\n").why_open == "the parameters of `gemma4:12b`"
    assert reading("PARAMETER num_ctx 1\n").why_open == "the file that this is a part of"
