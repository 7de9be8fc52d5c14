"""Which commands start vLLM with engine arguments, which a fork, and which something else."""

from __future__ import annotations

import pytest

from mtpconfig.launch import Given, Known, Launch, Word
from mtpconfig.text import Fragment, Source

from ...support import linter
from .support import vllm


def launches(text: str, name: str = "start.sh") -> list[Launch]:
    return list(linter().launches(Source(name, text + "\n")))


@pytest.mark.parametrize(
    ("text", "program", "first"),
    [
        ("vllm serve m --port 1", "vllm serve", "m"),
        ("/opt/venv/bin/vllm serve m", "vllm serve", "m"),
        ("CUDA_VISIBLE_DEVICES=0 uv run vllm serve m", "vllm serve", "m"),
        ("nohup vllm serve m > log 2>&1 &", "vllm serve", "m"),
        ("python3 -m vllm.entrypoints.openai.api_server --model m", "api_server", "--model"),
        ("python -u -m vllm.entrypoints.openai.api_server --model m", "api_server", "--model"),
        ("python3.12 -m vllm.entrypoints.api_server --model m", "api_server", "--model"),
        ("python3 -m vllm.entrypoints.cli.main serve m", "vllm serve", "m"),
        ("python3 -m vllm.scripts serve m", "vllm serve", "m"),
        ("python3 /src/vllm/entrypoints/openai/api_server.py --model m", "api_server", "--model"),
        ("vllm bench throughput --model m", "vllm bench throughput", "--model"),
        ("vllm bench latency --model m", "vllm bench latency", "--model"),
        ("vllm run-batch -i a -o b --model m", "vllm run-batch", "-i"),
        ("docker run vllm/vllm-openai:v0.24.0 --model m", "vllm serve", "--model"),
        ("docker run vllm/vllm-openai m --port 1", "vllm serve", "m"),
        ("docker run vllm/vllm-openai-rocm:v0.20.0 --model m", "vllm serve", "--model"),
        ("docker run vllm/vllm-openai-cpu:v0.20.0-x86_64 --model m", "vllm serve", "--model"),
        ("docker run public.ecr.aws/q9t5s3a7/vllm-cpu-release-repo:v0.20.0 --model m", "vllm serve", "--model"),
        ("docker run --entrypoint vllm vllm/vllm-openai:v0.24.0 serve m", "vllm serve", "m"),
        (
            "docker run --entrypoint python3 vllm/vllm-openai:v0.9.0 -m vllm.entrypoints.openai.api_server --model m",
            "api_server",
            "--model",
        ),
        ('docker run --entrypoint /bin/bash vllm/vllm-openai:v0.24.0 -c "vllm serve m"', "vllm serve", "m"),
        ("docker run rocm/vllm:latest vllm serve m", "vllm serve", "m"),
        ("docker exec box vllm serve m", "vllm serve", "m"),
        ("./launch.sh --solo exec vllm serve m", "vllm serve", "m"),
    ],
)
def test_programs(text: str, program: str, first: str) -> None:
    (found,) = (each for each in launches(text) if each.engine == "vllm")
    assert (found.program, found.args[0].text, found.ours) == (program, first, True)


@pytest.mark.parametrize(
    "text",
    [
        "vllm",
        "vllm --version",
        "vllm serve --help",
        "vllm serve --help=all",
        "vllm chat --url http://localhost:8000",
        "vllm bench serve --model m --num-prompts 10",  # a client
        "vllm collect-env",
        "pip install vllm==0.11.0",
        "python -m vllm.entrypoints.openai.api_server --help",
        "echo vllm serve m",
        "docker pull vllm/vllm-openai:v0.24.0",
        "docker run vllm/vllm-openai:v0.24.0 sleep infinity",
        "docker run rocm/vllm:latest rocm-smi",
        "trl vllm-serve --model m",
        "python train.py --vllm serve",
    ],
)
def test_what_is_none(text: str) -> None:
    assert [found for found in launches(text) if found.engine == "vllm"] == []


@pytest.mark.parametrize(
    ("text", "fork"),
    [
        ("docker run quay.io/ascend/vllm-ascend:v0.18.0rc1 vllm serve m", "vllm-ascend"),
        ("vllm serve m --omni --port 1", "vllm-omni"),
        ("/opt/vllm-mlx/bin/vllm serve m", "vllm-mlx"),
    ],
)
def test_forks_are_named_and_left_alone(text: str, fork: str) -> None:
    (found,) = launches(text)
    assert (found.engine, found.ours) == (fork, False)


@pytest.mark.parametrize(
    ("called", "program"),
    [
        ("vllm.LLM", "LLM"),
        ("vllm.entrypoints.llm.LLM", "LLM"),
        ("vllm.engine.arg_utils.AsyncEngineArgs", "AsyncEngineArgs"),
        ("vllm.EngineArgs", "EngineArgs"),
    ],
)
def test_calls_as_a_python_carrier_hands_them_over(called: str, program: str) -> None:
    text = 'LLM(model="q", speculative_config={"method":"mtp","num_speculative_tokens":2}, enforce_eager=True)'
    layer = Fragment.of(Source("a.py", text))

    def word(part: str, value: str = "") -> Word:
        at = text.index(part)
        return Word(layer.slice(at, at + len(part)), Known(value or part))

    settings = [("model", "q"), ("speculative_config", text[text.index("{") : text.index("}") + 1]),
                ("enforce_eager", "True")]  # fmt: skip
    given = tuple(Given("kwarg", word(name), word(value)) for name, value in settings)
    start = Launch((Word(layer.slice(0, 3), Known(called)),), layer, given)
    found = vllm().identify(start)
    assert found is not None
    assert (found.program, found.args_at) == (program, 1)


def test_a_carrier_that_knows_its_engine_is_asked_of_that_one_alone() -> None:
    text = "model: m\ntensor-parallel-size: 2\nmax-model-len: 4096\n"
    (found,) = launches(text, "serve.yaml")
    assert (found.engine, found.carrier, found.program) == ("vllm", "vllm --config yaml", "vllm serve")
