"""A version that knows nothing of a model's head is not asked to use it."""

from __future__ import annotations

import pytest

from mtpconfig import MTPSpec, find_engine, render


@pytest.mark.parametrize(
    ("name", "version", "model", "first"),
    [
        ("vllm", "0.16.0", "Qwen/Qwen3.6-27B", "0.17.0"),
        ("vllm", "0.9.1", "Qwen/Qwen3-Next-80B-A3B-Instruct", "0.10.2"),
        ("sglang", "0.5.8", "Qwen/Qwen3.5-27B", "0.5.9"),
    ],
)
def test_a_head_that_comes_later_is_dropped_with_the_reason(name: str, version: str, model: str, first: str) -> None:
    one = find_engine(name)
    spec = MTPSpec(state="on", gamma=2, temperature=0.6, model=model)
    early = render(one, spec, one.scheme.parse(version))
    assert set(early.dropped) == {"state", "gamma"} and f"(first in {first})" in early.dropped["state"]
    assert not any("spec" in word for word in early.argv) and "state" not in early.kept
    assert not render(one, spec, one.scheme.parse(first)).dropped


@pytest.mark.parametrize(
    "spec",
    [
        MTPSpec(state="on", gamma=2, model="our/model"),
        MTPSpec(state="off", model="Qwen/Qwen3.6-27B"),
        MTPSpec(state="on", methods=("ngram",), gamma=2, model="Qwen/Qwen3.6-27B"),
    ],
)
def test_what_is_not_known_is_left_to_the_engine(spec: MTPSpec) -> None:
    vllm = find_engine("vllm")
    version = vllm.scheme.parse("0.16.0")
    ours, theirs = render(vllm, spec, version), vllm.render(spec, version)
    assert (ours.argv, ours.dropped) == (theirs.argv, theirs.dropped)


@pytest.mark.parametrize(
    ("version", "strategy", "variable"),
    [
        ("0.5.9", False, False),  # the radix cache is switched off, with a warning
        ("0.5.10rc0", True, True),
        ("0.5.10.post1", True, True),
        ("0.5.11", True, False),
        ("0.5.13.post1", True, False),
        ("0.5.14", False, False),  # chosen by itself
    ],
)
@pytest.mark.parametrize("model", ["Qwen/Qwen3.6-27B", "Qwen/Qwen3-Next-80B-A3B-Instruct"])
def test_linear_attention_gets_the_cache_that_its_release_wants(
    version: str, strategy: bool, variable: bool, model: str
) -> None:
    """srt/server_args.py: `no_buffer` and drafts are refused, and the message says what helps."""
    sglang = find_engine("sglang")
    at = sglang.scheme.parse(version)
    made = render(sglang, MTPSpec(state="on", gamma=3, model=model), at)
    assert ("extra_buffer" in made.argv, dict(made.env)) == (
        strategy,
        {"SGLANG_ENABLE_SPEC_V2": "1"} if variable else {},
    )
    for spec in (MTPSpec(state="off", model=model), MTPSpec(state="on", gamma=3, model="zai-org/GLM-4.5-Air")):
        assert "extra_buffer" not in render(sglang, spec, at).argv
