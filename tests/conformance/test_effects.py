"""What we say will happen is what happened on real servers with constructed models, at four builds that know MTP."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from tests.conformance.records import entries, lint, recorded, script

EFFECTS = entries("effects")

UP_TO_THE_FILES = re.compile(
    # what the model or the draft file holds decides, and the text cannot tell
    r"headless-|hollow-|mtp-only-as-model|ordinary-mtp|md-mtp-only|md-ordinary-as-mtp|md-absent-file|ngram-and-mtp-on-"
    r"|md-eagle3-type"
)
NOTHING_TO_DRAFT = re.compile(
    # speculation runs, and these 64 tokens (or these two) gave it nothing to propose
    r"spec-default|ngram-simple-small|ngram-mod|ngram-cache|request-two-tokens"
)
DRAFTS_OTHERWISE = re.compile(
    # it drafts, and yet something that was written has no effect or another one: a warning is right
    r"n-max-repeated|n-max-0|n-max-float|n-max-suffix|n-max-comma|p-min-0-comma|p-min-nan|ngram-simple-long|env-misspelt-|"
    r"env-old-|env-draft-|md-ngram|neighbour-synth-|repeated-none-last|env-mtp-flag-none"
)


@pytest.mark.parametrize("build", ["b9294", "b9873", "b10566", "b11549"])
def test_silence_means_that_it_drafts(build: str) -> None:
    """A launch that we find clean and on drafts; one that does not draft, or fails, is off or gets a warning."""
    wrong = []
    judged = 0
    for effect in EFFECTS:
        name = effect["id"]
        if UP_TO_THE_FILES.match(name) or NOTHING_TO_DRAFT.match(name):
            continue
        outcome = recorded(f"effects-{build}")[name]
        paths = defaultdict(
            lambda: "/m/other.gguf", {model: f"/m/{model}.gguf" for model in ("mtp-only", "draft", "ordinary")}
        )
        args = ["-m", f"/m/{effect['model']}.gguf", *(arg.format_map(paths) for arg in effect["args"])]
        report = lint(script("llama-server", args, effect.get("env", {})), build)
        warned = [finding.rule for finding in report.findings if finding.severity != "info"]
        state = report.launches[0].spec.state
        healthy = outcome["starts"] and outcome.get("completion") == "ok"
        drafted = healthy and bool(outcome.get("draft_n"))
        if drafted:
            right = state in ("on", "auto") and (not warned or DRAFTS_OTHERWISE.match(name) is not None)
        elif healthy:
            right = state in ("off", "auto") or bool(warned)
        else:
            right = bool(warned)
        judged += 1
        if not right:
            wrong.append((name, outcome, state, warned))
    assert wrong == []
    assert judged >= 60


@pytest.mark.parametrize("build", ["b9294", "b9873", "b10566", "b11549"])
def test_gamma_is_what_was_drafted(build: str) -> None:
    """The counters of a launch with a stated or default gamma are those of the same gamma stated outright."""
    outcomes = recorded(f"effects-{build}")
    by_gamma = {n: outcomes[f"mtp-n-max-{n}"]["draft_n"] for n in range(1, 5)}
    assert len(set(by_gamma.values())) == 4
    for effect in EFFECTS:
        name = effect["id"]
        outcome = outcomes[name]
        if effect["model"] != "mtp" or not outcome.get("draft_n") or "request" in effect:
            continue
        if any(word in " ".join(effect["args"]) for word in ("p-min", "n-min", "ngram", "-md", "synth", "-np 4")):
            continue
        spec = (
            lint(script("llama-server", ["-m", "/m/mtp.gguf", *effect["args"]], effect.get("env", {})), build)
            .launches[0]
            .spec
        )
        if spec.methods == ("mtp",) and spec.gamma in by_gamma:
            assert outcome["draft_n"] == by_gamma[spec.gamma], (name, spec)
