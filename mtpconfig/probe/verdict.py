"""From what was seen to one of three words. Pure: the same observation gives the same verdict."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.probe.observation import Evidence, Figures, Observation, Round, evidence_of, figures

State = Literal["active", "inactive", "unproven"]
Kind = Literal["", "off", "idle", "rejecting"]
"""How it is inactive: not set up, set up (or not known) and never drafting, drafting in vain."""

LEAST_LENGTH = 1.05
"""Fewer tokens per step than this, and drafting is in vain: 1 is what decoding without drafts gives."""

LEAST_TOKENS = 32
"""Fewer tokens than this without a draft prove nothing: the ends of answers carry none."""


class Thresholds(Struct, frozen=True):
    """What is asked of a server.

    min_acceptance  r (accepted / drafted, 0..1) below which it counts as rejecting
    min_drafts      draft tokens that must have been seen before acceptance is judged
    """

    min_acceptance: float = 0.0
    min_drafts: int = 20


class Judged(Struct, frozen=True):
    """One round with what it amounts to."""

    temperature: float | None
    state: State
    kind: Kind
    reasons: tuple[str, ...]
    evidence: Evidence
    figures: Figures

    @property
    def in_vain(self) -> bool:
        """Whether drafts gain next to nothing, and not only less than was asked for."""
        counts, length = self.evidence.counts, self.figures.length
        return counts is not None and (counts.accepted == 0 or (length is not None and length < LEAST_LENGTH))


class Verdict(Struct, frozen=True):
    """The word on a server.

    reasons  why, a clause each
    decisive the round that decided
    rounds   all rounds, in the order in which they ran
    """

    state: State
    kind: Kind
    reasons: tuple[str, ...]
    decisive: Judged
    rounds: tuple[Judged, ...]


def judge(observation: Observation, thresholds: Thresholds | None = None) -> Verdict:
    """Judge all rounds.

    A temperature at which drafts are in vain decides; else drafts that were seen at any; else the first round.
    """
    set_up = {"on": True, "off": False}.get(observation.spec.state if observation.spec is not None else "")
    rounds = tuple(_judged(seen, thresholds or Thresholds(), set_up) for seen in observation.rounds)
    order = {"rejecting": 0, "active": 1, "off": 2, "idle": 2, "unproven": 3}
    decisive = min(rounds, key=lambda one: order[one.kind or one.state])
    compared = observation.compared
    if decisive.state == "unproven" and compared is not None:
        wanted = thresholds.min_acceptance if thresholds is not None else 0.0
        state: State = "active" if compared.proves and not wanted else "unproven"
        unknown = (f"whether {wanted:g} of the drafts are accepted is not known",) if compared.proves and wanted else ()
        decisive = replace(decisive, state=state, reasons=(compared.reason(), *unknown))
    reasons = decisive.reasons
    if compared is None and len(rounds) > 1 and decisive.temperature is not None:
        reasons = tuple(f"at temperature {decisive.temperature:g} {reason}" for reason in reasons)
    return Verdict(decisive.state, decisive.kind, reasons, decisive, rounds)


def _judged(seen: Round, thresholds: Thresholds, set_up: bool | None) -> Judged:
    evidence = evidence_of(seen)
    if evidence.loaded is None:
        evidence = replace(evidence, loaded=set_up)
    numbers = figures(evidence)
    state, kind, reason = _state(seen, evidence, numbers, thresholds)
    return Judged(seen.temperature, state, kind, (reason,) if reason else (), evidence, numbers)


def _state(seen: Round, evidence: Evidence, numbers: Figures, thresholds: Thresholds) -> tuple[State, Kind, str]:
    counts = evidence.counts
    unanswered = seen.refused and not seen.samples
    if counts is not None and counts.drafted > 0 and not unanswered:
        return _drafting(evidence, numbers, thresholds)
    ours = evidence.traffic != "elsewhere"  # else what /metrics says is another replica's
    if evidence.loaded is False and ours and not (counts is not None and counts.drafted):
        return "inactive", "off", "the server itself says that no speculation is set up"
    if unanswered or (seen.refused and (evidence.tokens or 0) < LEAST_TOKENS):
        return "unproven", "", seen.refused
    if counts is None:
        return "unproven", "", f"no counters: {evidence.why}"
    if evidence.tokens is None or evidence.tokens < LEAST_TOKENS:
        seen_tokens = "an unknown number of" if evidence.tokens is None else str(evidence.tokens)
        return "unproven", "", f"{seen_tokens} tokens are too few to tell: short outputs carry no drafts"
    if not evidence.exact:
        return "unproven", "", "its counters are published late, and show nothing yet"
    if evidence.loaded:
        return "inactive", "idle", f"speculation is set up, and in {evidence.tokens} tokens nothing was drafted"
    return "inactive", "idle", f"in {evidence.tokens} tokens nothing was drafted"


def _drafting(evidence: Evidence, numbers: Figures, thresholds: Thresholds) -> tuple[State, Kind, str]:
    counts, ratio = evidence.counts, numbers.ratio
    assert counts is not None and ratio is not None
    if counts.drafted < thresholds.min_drafts:
        return (
            "unproven",
            "",
            f"only {counts.drafted} draft tokens were seen, and {thresholds.min_drafts} are wanted: ask for more",
        )
    if counts.accepted == 0:
        return "inactive", "rejecting", f"all {counts.drafted} draft tokens were rejected"
    if numbers.length is not None and numbers.length < LEAST_LENGTH:
        return (
            "inactive",
            "rejecting",
            f"nearly all drafts are rejected: a step yields {numbers.length:.2f} tokens; without drafts it yields 1",
        )
    if ratio < thresholds.min_acceptance:
        return (
            "inactive",
            "rejecting",
            f"the acceptance ratio {ratio:.2f} lies below {thresholds.min_acceptance:g}",
        )
    return "active", "", ""
