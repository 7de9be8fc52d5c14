"""Which commands start SGLang, and which start something else."""

from __future__ import annotations

import pytest

from mtpconfig.text import Source

from ...support import linter


def started(text: str) -> list[tuple[str, str, str]]:
    found = linter().launches(Source("start.sh", text + "\n"))
    return [(one.engine, one.program, one.args[0].text if one.args else "") for one in found]


@pytest.mark.parametrize(
    ("text", "program", "first"),
    [
        ("python -m sglang.launch_server --model-path m", "launch_server", "--model-path"),
        ("python3.12 -u -m sglang.launch_server --model m", "launch_server", "--model"),
        ("CUDA_VISIBLE_DEVICES=0 python3 -m sglang.launch_server --model m", "launch_server", "--model"),
        ("$PYTHON -m sglang.launch_server --model m", "launch_server", "--model"),
        ("/opt/venv/bin/sglang serve --model-path m", "sglang serve", "--model-path"),
        ("sglang serve org/m --tp 8", "sglang serve", "org/m"),
        ("python /opt/sglang/launch_server.py --model m", "launch_server", "--model"),
        ("python3 -m sglang.bench_offline_throughput --model m", "bench_offline_throughput", "--model"),
        ("docker run --gpus all lmsysorg/sglang:v0.5.9 python3 -m sglang.launch_server --model m", "launch_server",
         "--model"),
        ("docker run lmsysorg/sglang:latest sglang serve --model-path m", "sglang serve", "--model-path"),
        ("python -m sglang_router.launch_server --model-path m --router-policy p", "launch_server", "--model-path"),
        ("nohup python3 -m sglang.launch_server --model m > log 2>&1 &", "launch_server", "--model"),
    ],
)  # fmt: skip
def test_what_starts_it(text: str, program: str, first: str) -> None:
    assert started(text) == [("sglang", program, first)]


@pytest.mark.parametrize(
    "text",
    [
        "python -m sglang.launch_server --help",
        "sglang version",
        "sglang generate --model-path m",
        "sglang serve --model-path m --model-type diffusion",
        "python -m sglang_router.launch_router --worker-urls http://a",
        "python -m sglang.test.few_shot_gsm8k",
        "pip install sglang",
        "python -m sglang.bench_serving --backend sglang",
        "docker run lmsysorg/sglang:v0.5.9",
    ],
)
def test_what_does_not(text: str) -> None:
    assert started(text) == []


def test_forks_are_named_and_left_alone() -> None:
    text = "docker run ghcr.io/kvcache-ai/ktransformers:v1 python -m sglang.launch_server --model m"
    (found,) = linter().launches(Source("start.sh", text + "\n"))
    assert (found.engine, found.ours) == ("ktransformers", False)
