"""What was seen of one server, and what it amounts to: values, and the arithmetic between them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.evidence import Counters, Counts, Sample
from mtpconfig.probe.comparison import Comparison
from mtpconfig.spec import MTPSpec
from mtpconfig.speedup import acceptance_probability, tokens_from_positions
from mtpconfig.version import Version

Traffic = Literal["alone", "mixed", "elsewhere", "unknown"]
"""Whether the counters hold only our requests, others' too, not all of ours (another replica), or cannot tell."""

Source = Literal["responses", "counters", "totals", "nothing"]
"""Where counts come from: the responses themselves, counters before and after, counters since the start."""


class Round(Struct, frozen=True):
    """Requests at one temperature, between two looks at the server's counters; none when it was only watched.

    temperature  what was asked for; None when nothing was sent
    refused      why not all requests were answered, a sentence; "" when they were
    """

    temperature: float | None
    before: Counters
    after: Counters
    samples: tuple[Sample, ...] = ()
    refused: str = ""


class Observation(Struct, frozen=True):
    """One server, as it was seen.

    url      as it may be shown
    engine   the engine's id
    version  as stated by the server, else by the user; None when unknown
    notes    what the server misstates or withholds, a sentence each
    spec     the settings that the server itself reports, as far as the engine reads them; None when it reports none
    compared completions with drafts and without; None where they were not wanted, or not needed
    """

    url: str
    engine: str
    title: str
    version: Version | None
    rounds: tuple[Round, ...]
    model: str = ""
    notes: tuple[str, ...] = ()
    spec: MTPSpec | None = None
    compared: Comparison | None = None


class Evidence(Struct, frozen=True):
    """What one round shows.

    counts   None when nothing countable was seen
    tokens   tokens generated in the same stretch; None when unknown
    why      why there are no counts, a clause
    notes    how the sources agree, a clause each
    """

    source: Source
    counts: Counts | None
    tokens: int | None
    loaded: bool | None
    gamma: int | None
    traffic: Traffic = "unknown"
    speed: float | None = None
    requests: int = 0
    place: str = ""
    why: str = ""
    notes: tuple[str, ...] = ()
    exact: bool = True


class Figures(Struct, frozen=True):
    """Numbers for people, from counts.

    ratio      r, accepted / drafted (0..1)
    length     E, tokens emitted per verification step (>= 1); None where steps are unknown
    gamma      the longest draft
    alpha      acceptance probability that belongs to r at gamma, if acceptance were the same at each position
    positions  share of steps in which the draft token at position 1, 2 ... was accepted
    speed      tokens per second while decoding
    """

    ratio: float | None = None
    length: float | None = None
    gamma: int | None = None
    alpha: float | None = None
    positions: tuple[float, ...] = ()
    speed: float | None = None


def figures(evidence: Evidence) -> Figures:
    """The figures that counts allow; those that they do not are left out."""
    counts = evidence.counts
    if counts is None or counts.drafted <= 0:
        return Figures(gamma=evidence.gamma, speed=evidence.speed)
    ratio = counts.accepted / counts.drafted
    steps = counts.steps or 0
    positions = tuple(count / steps for count in counts.positions) if steps else ()
    length = 1 + counts.accepted / steps if steps else None
    if steps and sum(counts.positions) == counts.accepted and all(rate <= 1 for rate in positions):
        length = tokens_from_positions(positions)
    alpha = acceptance_probability(ratio, evidence.gamma) if evidence.gamma else None
    return Figures(ratio, length, evidence.gamma, alpha, positions, evidence.speed)


def evidence_of(seen: Round) -> Evidence:
    """Weigh one round: responses that tell of speculation first, then counters before and after, then totals.

    Counts that cannot be are none: they become the reason why there are no counts.
    """
    return _sound(_weighed(seen))


def _sound(evidence: Evidence) -> Evidence:
    counts = evidence.counts
    if counts is None:
        return evidence
    steps = counts.steps or 0
    why = ""
    if counts.accepted > counts.drafted:
        why = f"{counts.accepted} accepted of {counts.drafted} drafted"
    elif 0 < counts.drafted < steps:
        why = f"{steps} steps with {counts.drafted} drafted"
    if not why:
        if steps and any(not 0 <= count <= steps for count in counts.positions):
            notes = (*evidence.notes, "its counts by position contradict that")
            return replace(evidence, counts=replace(counts, positions=()), notes=notes)
        return evidence
    why = f"what is counted contradicts itself ({why})"
    return replace(evidence, source="nothing", counts=None, gamma=None, loaded=evidence.loaded or None, why=why)


def _weighed(seen: Round) -> Evidence:
    before, after, samples = seen.before, seen.after, seen.samples
    tokens = sum(sample.tokens for sample in samples)
    told = [sample.counts for sample in samples if sample.counts is not None]
    longest = max((sample.longest for sample in samples if sample.longest), default=None)
    loaded = after.loaded if after.loaded is not None else before.loaded
    traffic = _traffic(seen)
    if samples and len(told) == len(samples):
        counts = told[0]
        for more in told[1:]:
            counts = counts + more
        return Evidence(
            "responses",
            counts,
            tokens,
            loaded,
            longest or after.gamma,
            traffic,
            _speed(samples),
            len(samples),
            "the responses",
            notes=_agreement(seen, counts, traffic),
        )
    return _from_counters(seen, loaded, longest, traffic, tokens)


def _from_counters(seen: Round, loaded: bool | None, longest: int | None, traffic: Traffic, tokens: int) -> Evidence:
    before, after, samples = seen.before, seen.after, seen.samples
    base = Evidence(
        "nothing",
        None,
        tokens if samples else _grown(before.tokens, after.tokens),
        loaded,
        after.gamma or longest,
        traffic,
        _speed(samples) or _served(seen, traffic),
        len(samples),
        after.source,
        exact=after.exact,
    )
    if went_back(before, after):
        return replace(base, why="the counters went back: the server was restarted in between")
    if traffic == "elsewhere":
        why = "the counters hold less than our requests: another replica answered, or they lag"
        if not after.source.startswith("/"):
            why = f"{after.source} tells of less than our requests: it is another server's, or lags, or leaves them out"
        return replace(base, why=why)
    if after.counts is None or before.counts is None:
        return replace(base, why=after.why or before.why or "the server does not count")
    window = after.counts - before.counts
    if traffic == "mixed":
        base = replace(base, tokens=_grown(before.tokens, after.tokens))
    if window.drafted > 0 or (after.exact and (samples or base.tokens)):
        return replace(base, source="counters", counts=window)
    return replace(base, source="totals", counts=after.counts, tokens=after.tokens, traffic="mixed")


def went_back(before: Counters, after: Counters) -> bool:
    """Whether any counter is lower than it was."""
    pairs: list[tuple[int | None, int | None]] = [(before.requests, after.requests), (before.tokens, after.tokens)]
    if before.counts is not None and after.counts is not None:
        pairs += [
            (before.counts.drafted, after.counts.drafted),
            (before.counts.accepted, after.counts.accepted),
            (before.counts.steps, after.counts.steps),
        ]
    return any(old is not None and new is not None and new < old for old, new in pairs)


def _grown(old: int | None, new: int | None) -> int | None:
    return None if old is None or new is None else new - old


def _traffic(seen: Round) -> Traffic:
    """Compare what the counters saw with what we sent, in requests and in tokens, where both are known."""
    if not seen.samples:
        return "unknown"
    ours = (len(seen.samples), sum(sample.tokens for sample in seen.samples))
    grown = (
        _grown(seen.before.requests, seen.after.requests),
        _grown(seen.before.tokens, seen.after.tokens),
    )
    differences = [theirs - own for theirs, own in zip(grown, ours) if theirs is not None]
    if not differences:
        return "unknown"
    if min(differences) < 0:
        return "elsewhere"
    return "mixed" if max(differences) > 0 or seen.refused else "alone"


def _agreement(seen: Round, counts: Counts, traffic: Traffic) -> tuple[str, ...]:
    """What the counters add to responses that tell everything by themselves."""
    before, after = seen.before.counts, seen.after.counts
    if before is None or after is None:
        return ()
    if went_back(seen.before, seen.after):
        return (f"{seen.after.source} went back: restarted in between",)
    if traffic == "mixed":
        return (f"{seen.after.source} holds other traffic too",)
    if traffic != "alone":
        return ()
    window = after - before
    same = (window.drafted, window.accepted) == (counts.drafted, counts.accepted)
    return (
        f"{seen.after.source} agrees"
        if same
        else f"{seen.after.source} counts {window.drafted} drafted, {window.accepted} accepted",
    )


def _speed(samples: tuple[Sample, ...]) -> float | None:
    """Tokens per second while decoding: the first token of each request comes from its prompt and is left out."""
    timed = [(sample.tokens - 1, sample.seconds) for sample in samples if sample.seconds and sample.tokens > 1]
    seconds = sum(time for _, time in timed)
    return sum(tokens for tokens, _ in timed) / seconds if seconds > 0 else None


def _served(seen: Round, traffic: Traffic) -> float | None:
    """The same from the server's own sum of decoding times, as long as it holds our requests alone."""
    before, after = seen.before.seconds, seen.after.seconds
    if traffic != "alone" or before is None or after is None or after <= before:
        return None
    return sum(sample.tokens - 1 for sample in seen.samples if sample.tokens) / (after - before)
