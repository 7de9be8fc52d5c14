"""What we call an error is what llama.cpp's own parser refuses, at five builds."""

from __future__ import annotations

import re

import pytest

from tests.conformance.records import BUILDS, entries, lint, recorded, script

CASES = [case for case in entries("cases") if not case.get("machine")]

BEYOND_THE_PARSER = frozenset(
    {
        "zero-draft-tokens",
        "negative-draft-tokens-crash",
        "mtp-beside-draft-model",
        "mtp-beside-missing-draft-model",
        "synthetic-without-type",
        "embedding-with-mtp",
        "draft-longer-than-batch",
        "draft-simple-without-drafter-crash",
    }
)
"""Rules that say what happens after the options are parsed."""

NOT_JUDGED = re.compile(
    # values of options that have nothing to do with speculation
    r"neighbours-(?!.*equals|no-metrics-|fa-equals)|env-neighbour-|"
    # words that are no options at all: they may be what another program of the same name takes
    r"positional-|empty-argument|double-dash|single-dash|unknown-unrelated|md-glued|"
    # options of llama.cpp that another of its programs has
    r"cli-port|cli-metrics|server-prompt|server-conversation|"
    # a fork's own options: the launch is left to it
    r"recipe-fork"
)
"""Cases on which the linter is silent on purpose, whatever the parser says."""


def test_there_are_enough_cases() -> None:
    speculative = [case for case in CASES if not NOT_JUDGED.match(case["id"])]
    assert len(speculative) >= 400
    assert BUILDS == ["b8352", "b9294", "b9873", "b10566", "b11549"]


@pytest.mark.parametrize("build", BUILDS)
def test_errors_are_refusals(build: str) -> None:
    """A launch that the parser takes gets no error, and one that it refuses gets one."""
    wrong = []
    for case in CASES:
        verdict = recorded(build)[case["id"]]
        text = script(case["program"], case["args"], case.get("env", {}))
        errors = [f for f in lint(text, build).findings if f.severity == "error" and f.rule not in BEYOND_THE_PARSER]
        silent_by_choice = NOT_JUDGED.match(case["id"]) and not errors
        if bool(errors) == verdict["accepted"] and not silent_by_choice:
            wrong.append((case["id"], text, verdict["message"], [finding.message for finding in errors]))
    assert wrong == []


@pytest.mark.parametrize("build", BUILDS)
def test_removal_messages_are_the_parsers_own(build: str) -> None:
    """Where we quote the parser, it says just that."""
    quoted = 0
    for case in CASES:
        text = script(case["program"], case["args"], case.get("env", {}))
        for finding in lint(text, build).findings:
            if finding.code in ("MTP101", "MTP102") and finding.why.startswith("llama.cpp stops with"):
                said = finding.why.split('"')[1]
                if recorded(build)[case["id"]]["message"].endswith(said):
                    quoted += 1
    assert quoted >= (5 if build != "b8352" else 0)
