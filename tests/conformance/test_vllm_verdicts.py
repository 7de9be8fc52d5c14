"""What we call an error is what vLLM 0.32.0 itself refuses, and what we read is what it resolves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from mtpconfig.hooks import find_engine
from mtpconfig.spec import MTPSpec
from tests.conformance.vllm_cases import CASES, RELEASE, VERDICTS, filled, lint

BEYOND_THE_CONFIGURATION = frozenset(
    {
        "draft-longer-than-sampler",
        "format-enforcer",
        "logits-processors",
        "min-p-default",
    }
)
"""Rules that say what happens after the configuration is complete: while the model loads, or at a request."""

THE_MODEL_DECIDES = re.compile(
    # what the folder of the target or of the drafter holds decides, and the text of a launch cannot tell
    r"mtp-on-headless|two-heads-n-3|mtp-and-expert-parallel"
)

THE_MACHINE_DECIDES = re.compile(
    # arctic-inference is not installed; no Triton, and so the older model runner; a platform without sleep mode, and
    # with attention backends of its own
    r"method-suffix|with-adaptive|method-dspark|mtp-target-dspark|mtp-and-sleep-mode|with-attention-backend|"
    # a name that is looked up in the model hub, which this machine does not reach
    r"module-positional"
)

NOT_JUDGED = re.compile(
    # options that have nothing to do with speculation, and words that are no options at all
    r"plain-unknown|plain-abbreviated|yaml-unknown-option|flag-after-double-dash|"
    r"flag-short-glued|flag-short-double-dash|yaml-short-option|(?:llm|engineargs|asyncengineargs)-unknown$|"
    # values of keys whose type or words no rule knows
    r"with-enforce-eager-number|with-schedule-bad|with-schedule-object|with-model-number|"
    # what is left of two configurations says no method: that the first is dropped is a warning
    r"json-then-dotted-extra|"
    # faults of the file behind --config as such
    r"yaml-(?:empty|bad|sequence|anchors|missing|other-suffix|json-file|twice)$"
)
"""Refusals on which the linter is silent on purpose, or says only that it cannot see."""


def judged() -> list[dict[str, Any]]:
    return [case for case in CASES if not THE_MACHINE_DECIDES.match(case["id"])]


def test_there_are_enough_cases() -> None:
    assert VERDICTS.keys() == {case["id"] for case in CASES}
    assert len(CASES) >= 500
    assert 200 <= sum(verdict["starts"] for verdict in VERDICTS.values()) <= 400


def test_errors_are_refusals(tmp_path: Path) -> None:
    """A launch that vLLM starts gets no error, and one that it refuses gets one."""
    wrong, missed = [], []
    for case in judged():
        name, verdict = case["id"], VERDICTS[case["id"]]
        found = lint(case, tmp_path).findings
        errors = [each for each in found if each.severity == "error" and each.rule not in BEYOND_THE_CONFIGURATION]
        if bool(errors) != verdict["starts"]:
            continue
        if not errors and (THE_MODEL_DECIDES.match(name) or NOT_JUDGED.match(name)):
            missed.append(name)
        else:
            wrong.append((name, verdict["error"], verdict["message"], [each.message for each in errors]))
    assert wrong == []
    assert len(missed) <= 30


def agrees(spec: MTPSpec, verdict: dict[str, Any]) -> bool:
    """Whether a spec says what vLLM resolved; a method that the drafter's files decide may stay open."""
    if verdict["method"] is None:
        return spec.state == "off"
    choices = find_engine("vllm").options().options["spec.method"].values
    method = next(choice.method for choice in choices if choice.text == verdict["method"])
    if not method:  # no way to draft: hidden states are taken out for another program
        return spec.state == "unknown"
    open_method = not spec.methods and spec.drafter is not None
    right_method = spec.methods == (method,) or open_method
    return spec.state == "on" and right_method and spec.gamma == verdict["num_speculative_tokens"]


def test_what_is_read_is_what_vllm_resolves(tmp_path: Path) -> None:
    """State, method and draft tokens of every launch that starts."""
    started = [case for case in judged() if VERDICTS[case["id"]]["starts"]]
    specs = {case["id"]: lint(case, tmp_path).launches[0].spec for case in started}
    assert {name: spec for name, spec in specs.items() if not agrees(spec, VERDICTS[name])} == {}
    assert len(specs) >= 200


SPECS = [
    MTPSpec("on", (method,), gamma, temperature, "/models/mtp", drafter)
    for method, drafter in (("mtp", None), ("mtp", "/models/mtp"), ("ngram", None), ("draft-model", "/models/headless"))
    for gamma in (1, 3)
    for temperature in (None, 0.0)
] + [MTPSpec("off", model="/models/mtp"), MTPSpec("off", temperature=0.0, model="/models/mtp")]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: f"{''.join(spec.methods)}-{spec.gamma}-{spec.temperature}")
def test_what_is_rendered_is_taken_and_means_the_same(spec: MTPSpec) -> None:
    """The words for this release are among the recorded launches, which started, and with what was asked for."""
    vllm = find_engine("vllm")
    rendering = vllm.render(spec, vllm.scheme.parse(RELEASE))
    assert not rendering.dropped
    recorded = {
        tuple(map(filled, case["args"])): case["id"] for case in CASES if "args" in case and "program" not in case
    }
    verdict = VERDICTS[recorded[rendering.argv[2:]]]
    assert verdict["starts"]
    assert verdict["num_speculative_tokens"] == spec.gamma
    assert (verdict["method"] or "").replace("_", "-") == "".join(spec.methods)
