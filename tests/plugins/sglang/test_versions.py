"""Where SGLang's release is written."""

from __future__ import annotations

import pytest

from mtpconfig.launch import HintKind

from .helping import sglang


def found(kind: HintKind, text: str) -> str | None:
    hint = sglang().version_in(kind, text)
    if hint is None:
        return None
    return str(hint.range) if hint.released else "unreleased"


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("lmsysorg/sglang:v0.5.11-cu130", "0.5.11"),
        ("lmsysorg/sglang:v0.5.15.post1-cu130", "0.5.15.post1"),
        ("docker.io/lmsysorg/sglang:v0.5.10rc0", "0.5.10rc0"),
        ("lmsysorg/sglang:v0.4.2.post4-cu124", "0.4.2.post4"),
        ("lmsysorg/sglang:v0.5.9-rocm720-mi35x", "0.5.9"),
        ("registry.example:5000/mirror/sglang:0.5.19-cu129", "0.5.19"),
        ("lmsysorg/sglang:latest", None),
        ("lmsysorg/sglang:latest-cu130", None),
        ("lmsysorg/sglang:dev", None),
        ("lmsysorg/sglang", None),
        ("lmsysorg/sglang:nightly-dev-20260821-4bfcd4b3", "unreleased"),
        ("lmsysorg/sglang-router:v0.2.1", None),
        ("vllm/vllm-openai:v0.11.0", None),
    ],
)
def test_images(image: str, expected: str | None) -> None:
    assert found("image", image) == expected


@pytest.mark.parametrize(
    ("pin", "expected"),
    [
        ("sglang==0.5.9", "0.5.9"),
        ("sglang[all]==0.4.3.post2", "0.4.3.post2"),
        ('"sglang[all]>=0.5.12"', "0.5.12.."),
        ("sglang>=0.5.9,<0.5.11", "0.5.9..0.5.10.post1"),
        ("sglang", None),
        ("sglang-router==0.2.1", None),
        ("sglang @ git+https://github.com/sgl-project/sglang.git@v0.5.9", "0.5.9"),
        ("sglang @ git+https://github.com/sgl-project/sglang.git@main", "unreleased"),
    ],
)
def test_pins(pin: str, expected: str | None) -> None:
    assert found("pin", pin) == expected


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("# sglang 0.5.3", "0.5.3"),
        ("# sglang==0.4.3.post2", "0.4.3.post2"),
        ("# lmsysorg/sglang:v0.4.2.post4-cu124", None),
        ("# SGLang v0.5.12.post1", "0.5.12.post1"),
        ("# needs sglang 0.5.12", None),
        ("# sglang 0.5.12 or newer", None),
        ("# removed in sglang 0.5.20", None),
        ("# sgl-kernel 0.3.21", None),
        ("# sglang nightly", "unreleased"),
    ],
)
def test_comments(comment: str, expected: str | None) -> None:
    assert found("comment", comment) == expected


def test_paths() -> None:
    assert found("path", "/opt/sglang-0.5.9/bin/python") == "0.5.9"
    assert found("path", "/opt/sglang/bin/python") is None
