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
