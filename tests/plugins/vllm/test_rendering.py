"""Render, write as shell, read again: what was kept comes back, what was dropped is told; at every release."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mtpconfig.engine import Rendering
from mtpconfig.errors import CannotRender
from mtpconfig.rendering import render
from mtpconfig.spec import MTPSpec
from mtpconfig.version import Version
from mtpconfig.writers import WRITERS

from ...support import codes
from .support import launch, release, vllm

RELEASES = [str(version) for version in vllm().options().versions]
METHODS = ("mtp", "ngram", "draft-model", "eagle", "eagle3", "medusa", "suffix", "dflash", "dspark")
DRAFTED = {"draft-model", "eagle", "eagle3", "medusa", "dflash"}


@st.composite
def specs(draw: st.DrawFn) -> MTPSpec:
    on = draw(st.booleans())
    method = draw(st.sampled_from(METHODS))
    return MTPSpec(
        state="on" if on else "off",
        methods=(method,) if on else (),
        gamma=draw(st.integers(1, 8)) if on else None,
        temperature=draw(st.sampled_from([None, 0.0, 0.6, 1.0])),
        model=draw(st.sampled_from([None, "Qwen/Qwen3.6-27B", "/m/it's a \U0001f999", "./q"])),
        drafter=draw(st.sampled_from(["org/draft", "/m/d x"])) if on and method in DRAFTED else None,
        p_min=draw(st.sampled_from([None, 0.5])) if on else None,
    )


def read_back(rendering: Rendering, version: Version) -> MTPSpec:
    found = launch(WRITERS["shell"](rendering) + "\n")
    assert [word.text for word in found.argv] == list(rendering.argv)
    return vllm().read(found, version).spec


@settings(max_examples=300, deadline=None)
@given(specs(), st.sampled_from(RELEASES))
def test_what_is_kept_comes_back(spec: MTPSpec, text: str) -> None:
    version = release(text)
    rendering = vllm().render(spec, version)
    assert rendering.kept.isdisjoint(rendering.dropped)
    assert set(rendering.kept) | set(rendering.dropped) >= set(spec.to_dict()), "a field is neither kept nor dropped"
    assert read_back(rendering, version).restricted_to(rendering.kept) == spec.restricted_to(rendering.kept)


@pytest.mark.parametrize("text", RELEASES)
def test_every_release_says_mtp_or_why_not(text: str) -> None:
    spec = MTPSpec("on", ("mtp",), 2, model="deepseek-ai/DeepSeek-V3")
    rendering = vllm().render(spec, release(text))
    if release(text) < release("0.7.3"):
        assert "first in 0.7.3" in rendering.dropped["methods"]
    else:
        assert read_back(rendering, release(text)).restricted_to(rendering.kept) == spec
    assert codes(WRITERS["shell"](rendering) + "\n", f"vllm@{text}") == []


@settings(max_examples=60, deadline=None)
@given(specs(), st.sampled_from(RELEASES))
def test_a_rendering_is_right_at_its_own_release(spec: MTPSpec, text: str) -> None:
    rendering = render(vllm(), replace(spec, model=spec.model or "m", temperature=None), release(text))
    assert codes(WRITERS["shell"](rendering) + "\n", f"vllm@{text}") == []


@pytest.mark.parametrize(
    ("spec", "version", "words"),
    [
        # vllm/config/speculative.py and engine/arg_utils.py of each release
        (MTPSpec("on", ("mtp",), 1), "0.8.1", ["--num-speculative-tokens", "1"]),
        (MTPSpec("on", ("mtp",), 1), "0.8.5", ["--speculative-config", '{"num_speculative_tokens": 1}']),
        (
            MTPSpec("on", ("mtp",), 1),
            "0.9.1",
            ["--speculative-config", '{"method": "deepseek_mtp", "num_speculative_tokens": 1}'],
        ),
        (
            MTPSpec("on", ("mtp",), 3),
            "0.11.0",
            ["--speculative-config", '{"method": "mtp", "num_speculative_tokens": 3}'],
        ),
        (
            MTPSpec("on", ("mtp",), 3, drafter="google/gemma-4-26B-A4B-it-assistant"),
            "0.33.0",
            [
                "--speculative-config",
                '{"method": "mtp", "model": "google/gemma-4-26B-A4B-it-assistant", "num_speculative_tokens": 3}',
            ],
        ),
        (
            MTPSpec("on", ("ngram",), 5),
            "0.6.6",
            [
                "--speculative-model",
                "[ngram]",
                "--num-speculative-tokens",
                "5",
                "--ngram-prompt-lookup-max",
                "4",
            ],
        ),
        (MTPSpec("off", temperature=0.0), "0.33.0", ["--override-generation-config", '{"temperature": 0.0}']),
        (MTPSpec("off"), "0.33.0", []),
    ],
)
def test_words(spec: MTPSpec, version: str, words: list[str]) -> None:
    assert vllm().render(spec, release(version)).argv == ("vllm", "serve", *words)


def test_the_first_releases_have_no_serve() -> None:
    rendering = vllm().render(MTPSpec("off", model="m"), release("0.5.1"))
    assert rendering.argv == ("python3", "-m", "vllm.entrypoints.openai.api_server", "--model", "m")


def test_the_block_manager_is_asked_for_where_speculation_needs_it() -> None:
    spec = MTPSpec("on", ("ngram",), 5, model="m")
    assert "--use-v2-block-manager" in vllm().render(spec, release("0.6.2")).argv
    assert "--use-v2-block-manager" not in vllm().render(spec, release("0.6.4")).argv


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (MTPSpec("auto"), "automatic"),
        (MTPSpec("on", ("mtp", "ngram"), 2), "one method"),
        (MTPSpec("on", ("eagle3",), 2), "draft model"),
        (MTPSpec("on", ("mtp",)), "gamma"),
        (MTPSpec("on", ("ngram",), 2, drafter="d"), "no draft model"),
        (MTPSpec("on", ("mtp",), 2, model="/srv/eagle-mimo"), "eagle"),
    ],
)
def test_what_lacks_something_is_refused(spec: MTPSpec, said: str) -> None:
    with pytest.raises(CannotRender, match=said):
        vllm().render(spec, release("0.33.0"))


def test_what_a_release_cannot_do_is_told() -> None:
    dropped = vllm().render(MTPSpec("on", ("dspark",), 5), release("0.20.0")).dropped
    assert "first in 0.25.0" in dropped["methods"]
    plain = MTPSpec("on", ("draft-model",), 5, drafter="d")
    assert "again in 0.15.0" in vllm().render(plain, release("0.11.2")).dropped["methods"]
    assert "requests say it" in vllm().render(MTPSpec("off", temperature=0.6), release("0.7.0")).dropped["temperature"]
