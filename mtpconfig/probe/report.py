"""Outcomes for people, and for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mtpconfig.evidence import Counts
from mtpconfig.probe.comparison import Comparison
from mtpconfig.probe.observation import Evidence, Figures
from mtpconfig.probe.verdict import Judged, Verdict
from mtpconfig.probe.verify import Outcome


def text(outcomes: Sequence[Outcome]) -> str:
    """A block for each server that answered, headed by its address where there are several."""
    blocks = []
    for outcome in outcomes:
        if outcome.verdict is not None:
            heading = [outcome.url] if len(outcomes) > 1 else []
            blocks.append("\n".join([*heading, *_lines(outcome, outcome.verdict)]))
    return "\n".join(blocks)


def _lines(outcome: Outcome, verdict: Verdict) -> list[str]:
    observation, decisive = outcome.observation, verdict.decisive
    assert observation is not None
    version = str(observation.version) if observation.version is not None else "(version not known)"
    head = [f"{verdict.state.upper():8} {observation.title} {version}", *_numbers(decisive.figures, decisive.evidence)]
    lines = ["   ".join(head), _row("evidence", _evidence(decisive.evidence))]
    if decisive.figures.positions:
        rates = (f"{place} {_share(rate)}" for place, rate in enumerate(decisive.figures.positions, 1))
        lines.append(_row("position", "   ".join(rates)))
    for other in verdict.rounds:
        if len(verdict.rounds) > 1:
            lines.append(_row("round", _round(other)))
    lines += [_row("because", reason) for reason in verdict.reasons]
    lines += [_row("differs", difference) for difference in outcome.differences]
    lines += [_row("note", note) for note in observation.notes]
    for number, hint in enumerate(_likely(outcome, verdict), 1):
        lines.append(_row("likely" if number == 1 else "", f"{number}. {hint}"))
    if following := _next(outcome, verdict):
        lines.append(_row("next", following))
    return lines


def _row(name: str, value: str) -> str:
    return f"  {name:9} {value}"


def _numbers(figures: Figures, evidence: Evidence) -> list[str]:
    parts = []
    drafted = evidence.counts is not None and evidence.counts.drafted > 0
    if figures.gamma is not None:
        parts.append(f"γ {figures.gamma} ({'seen' if drafted else 'set'})")
    if figures.ratio is not None:
        alpha = f" (α {figures.alpha:.2f})" if figures.alpha is not None else ""
        parts.append(f"r {figures.ratio:.2f}{alpha}")
    if figures.length is not None:
        parts.append(f"E {figures.length:.2f} tokens/step")
    if figures.speed is not None:
        parts.append(f"{figures.speed:.0f} tok/s decode")
    return parts


def _share(rate: float) -> str:
    return f"{rate:.2f}".removeprefix("0")


def _evidence(evidence: Evidence) -> str:
    counts = evidence.counts
    if counts is None:
        return f"{_requests(evidence)}; {evidence.why}" if evidence.requests else evidence.why
    said = f"{_counts(counts)} ({_origin(evidence)})"
    return said if counts.drafted else f"{_requests(evidence)}, {said}"


def _requests(evidence: Evidence) -> str:
    tokens = "" if evidence.tokens is None else f"{evidence.tokens} tokens"
    requests = f"{evidence.requests} request{'s' * (evidence.requests != 1)}" if evidence.requests else ""
    return ", ".join(filter(None, [requests, tokens])) or "no requests seen"


def _counts(counts: Counts) -> str:
    if not counts.drafted:
        return "nothing drafted"
    steps = f" in {counts.steps} steps" if counts.steps else ""
    return f"drafted {counts.drafted}, accepted {counts.accepted}{steps}"


def _origin(evidence: Evidence) -> str:
    traffic = {
        "alone": "no other traffic",
        "mixed": "mixed with other traffic",
        "elsewhere": "",
        "unknown": "all traffic",
    }[evidence.traffic]
    if evidence.source == "responses":
        responses = f"told by {evidence.requests} response{'s' * (evidence.requests != 1)}"
        return "; ".join([responses, *evidence.notes])
    if evidence.source == "totals":
        inflated = [] if evidence.exact else ["amounts are inflated"]
        return "; ".join([f"{evidence.place} since the server's start", *inflated, *evidence.notes])
    return "; ".join([f"{evidence.place} before and after", traffic, *evidence.notes])


def _round(judged: Judged) -> str:
    temperature = "" if judged.temperature is None else f"temperature {judged.temperature:g}: "
    numbers = _numbers(judged.figures, judged.evidence)
    return f"{temperature}{judged.state}   {'   '.join(numbers)}".rstrip()


def _likely(outcome: Outcome, verdict: Verdict) -> tuple[str, ...]:
    hints = outcome.hints
    if verdict.kind == "rejecting" and not verdict.decisive.in_vain:
        return ()  # what lies behind drafts in vain does not explain a ratio that is only lower than wished
    rejecting = (*hints.warm, *hints.rejecting) if verdict.decisive.temperature else hints.rejecting
    return {"off": hints.off, "idle": hints.idle, "rejecting": rejecting}.get(verdict.kind, ())


def _next(outcome: Outcome, verdict: Verdict) -> str:
    if verdict.state == "inactive" and verdict.kind != "rejecting" and outcome.asked is None:
        return f"mtpconfig verify {outcome.url} --against FILE-THAT-STARTS-IT"
    return ""


def json_(outcomes: Sequence[Outcome]) -> str:
    """All outcomes as one JSON object; docs/verify.md lists its fields."""
    return json.dumps(
        {"schema": 1, "servers": [_server(outcome) for outcome in outcomes]}, indent=2, ensure_ascii=False
    )


def _server(outcome: Outcome) -> dict[str, Any]:
    observation, verdict = outcome.observation, outcome.verdict
    if observation is None or verdict is None:
        return {"url": outcome.url, "state": "unreachable", "error": outcome.error, "exit": outcome.code}
    return {
        "url": outcome.url,
        "state": verdict.state,
        "kind": verdict.kind or None,
        "exit": outcome.code,
        "engine": observation.engine,
        "version": str(observation.version) if observation.version is not None else None,
        "model": observation.model or None,
        "reasons": list(verdict.reasons),
        "notes": list(observation.notes),
        **_measured(verdict.decisive),
        "rounds": [
            {"temperature": one.temperature, "state": one.state, "kind": one.kind or None, **_measured(one)}
            for one in verdict.rounds
        ],
        "reported": observation.spec.to_dict() if observation.spec is not None else None,
        "asked": {"place": outcome.asked.place, **outcome.asked.spec.to_dict()} if outcome.asked is not None else None,
        "compared": _compared(observation.compared),
        "differences": list(outcome.differences),
        "likely": list(_likely(outcome, verdict)),
    }


def _compared(compared: Comparison | None) -> dict[str, Any] | None:
    if compared is None:
        return None
    return {
        "drafting": list(compared.drafting),
        "plain": list(compared.plain),
        "gain": compared.gain,
        "failed": compared.failed or None,
    }


def _measured(judged: Judged) -> dict[str, Any]:
    evidence, figures, counts = judged.evidence, judged.figures, judged.evidence.counts
    return {
        "evidence": {
            "source": evidence.source,
            "traffic": evidence.traffic,
            "requests": evidence.requests,
            "tokens": evidence.tokens,
            "drafted": counts.drafted if counts is not None else None,
            "accepted": counts.accepted if counts is not None else None,
            "steps": counts.steps if counts is not None else None,
            "loaded": evidence.loaded,
            "why": evidence.why or None,
            "notes": list(evidence.notes),
        },
        "gamma": figures.gamma,
        "r": figures.ratio,
        "alpha": figures.alpha,
        "E": figures.length,
        "positions": list(figures.positions),
        "tokens_per_second": figures.speed,
    }
