"""Render, write as shell, read again: what was kept comes back, what was dropped is told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtpconfig.engine import Rendering
from mtpconfig.errors import CannotRender
from mtpconfig.rendering import render
from mtpconfig.spec import MTPSpec
from mtpconfig.text import Source
from mtpconfig.version import Version
from mtpconfig.writers import WRITERS

from ...support import linter
from .helping import release, sglang

RELEASES = st.sampled_from([str(version) for version in sglang().options().versions])
METHODS = st.sampled_from(["mtp", "eagle", "eagle3", "draft-model", "ngram", "dflash", "dspark", "suffix"])
NEEDS_DRAFTER = ("eagle", "eagle3", "draft-model", "dflash")


@st.composite
def specs(draw: st.DrawFn) -> MTPSpec:
    on = draw(st.booleans())
    method = draw(METHODS) if on else ""
    drafter = st.sampled_from(["/models/draft", "org/EAGLE-draft"])
    return MTPSpec(
        state="on" if on else "off",
        methods=(method,) if on else (),
        gamma=draw(st.none() | st.integers(1, 9)) if on else None,
        temperature=draw(st.sampled_from([None, 0.0, 0.6, 1.0])),
        model=draw(st.sampled_from([None, "org/model", "/m/q \U0001f999's"])),
        drafter=draw(drafter if method in NEEDS_DRAFTER else st.none()),
        p_min=draw(st.sampled_from([None, 0.5])) if on else None,
        adaptive=draw(st.sampled_from([None, False, True])) if on else None,
    )


def read_back(rendering: Rendering, version: Version) -> MTPSpec:
    text = WRITERS["shell"](rendering)
    (launch,) = linter().launches(Source("start.sh", text + "\n"))
    assert [word.text for word in launch.argv] == list(rendering.argv)
    return sglang().read(launch, version).spec


@settings(max_examples=200, deadline=None)
@given(specs(), RELEASES)
def test_what_is_kept_comes_back(spec: MTPSpec, number: str) -> None:
    version = release(number)
    rendering = sglang().render(spec, version)
    assert rendering.kept.isdisjoint(rendering.dropped)
    assert set(spec.to_dict()) <= rendering.kept | set(rendering.dropped)
    back = read_back(rendering, version)
    assert back.restricted_to(rendering.kept) == spec.restricted_to(rendering.kept)
    if "state" in rendering.dropped:
        assert back.state == "off"


@settings(max_examples=60, deadline=None)
@given(specs(), RELEASES)
def test_what_is_rendered_has_no_fault(spec: MTPSpec, number: str) -> None:
    rendering = render(sglang(), spec, release(number))
    text = WRITERS["shell"](rendering)
    report = linter(f"sglang@{number}").lint_source(Source("start.sh", text + "\n"))
    assert [f for f in report.findings if f.severity != "info"] == []


def argv(version: str, **fields: object) -> str:
    spec = MTPSpec(state="on", **fields)  # type: ignore[arg-type]
    return " ".join(sglang().render(spec, release(version)).argv)


def test_the_words_of_some_releases() -> None:
    """The count of draft tokens holds the root: gamma 3 is 3 steps, topk 1, 4 draft tokens."""
    assert argv("0.5.23", methods=("mtp",), gamma=3, model="org/m") == (
        "sglang serve --model-path org/m --speculative-algorithm NEXTN --speculative-num-steps 3 "
        "--speculative-eagle-topk 1 --speculative-num-draft-tokens 4"
    )
    assert argv("0.5.9", methods=("eagle3",), gamma=5, drafter="d").startswith("python3 -m sglang.launch_server --spec")
    assert "--speculative-num-draft-tokens 8" in argv("0.5.11", methods=("dflash",), gamma=7, drafter="d")
    assert "--speculative-dspark-block-size 7" in argv("0.5.16", methods=("dspark",), gamma=7)
    assert argv("0.5.20", methods=("mtp",), temperature=0.6).endswith(
        '--preferred-sampling-params {"temperature": 0.6}'
    )


def test_deepseek_v4_gets_the_word_that_it_asks_for() -> None:
    """srt/arg_groups/deepseek_v4_hook.py, from 0.5.12 on: only EAGLE is let through, which drafts with its own head."""
    assert "--speculative-algorithm EAGLE " in argv(
        "0.5.12", methods=("mtp",), gamma=3, model="deepseek-ai/DeepSeek-V4-Pro"
    )
    assert "--speculative-algorithm NEXTN " in argv(
        "0.5.12", methods=("mtp",), gamma=3, model="deepseek-ai/DeepSeek-V3"
    )
    rendering = sglang().render(MTPSpec(state="on", methods=("mtp",), model="org/DeepSeek-V4"), release("0.5.23"))
    assert read_back(rendering, release("0.5.23")).methods == ("mtp",)


def test_what_a_release_cannot_do_is_dropped_with_the_first_that_can() -> None:
    rendering = sglang().render(MTPSpec(state="on", methods=("dflash",), drafter="d"), release("0.5.10"))
    assert rendering.dropped["methods"] == "SGLang 0.5.10 has no method dflash (first in 0.5.11)"
    rendering = sglang().render(MTPSpec(state="on", methods=("mtp",), temperature=0.5), release("0.4.3.post1"))
    assert rendering.dropped == {"temperature": "SGLang 0.4.3.post1 has no option for it"}
    rendering = sglang().render(MTPSpec(state="on", methods=("mtp",), gamma=5, adaptive=True), release("0.5.19"))
    assert "1, 3, 7" in rendering.dropped["gamma"]


@pytest.mark.parametrize(
    "spec",
    [
        MTPSpec(state="on", methods=("eagle3",)),
        MTPSpec(state="on", methods=("mtp", "ngram")),
        MTPSpec(state="on", methods=("ngram",), drafter="d"),
        MTPSpec(state="auto"),
    ],
)
def test_what_cannot_be_said_at_all(spec: MTPSpec) -> None:
    with pytest.raises(CannotRender):
        sglang().render(spec, release("0.5.23"))
