"""The conversation with one server: who are you, what do you count, here are a few requests, what do you count now."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.engine import Engine
from mtpconfig.errors import NotAdmitted, OutOfTime, Unreachable, UsageError
from mtpconfig.evidence import Answer, Ask, BadCounters, Counters, Found, LogReading, Probe, Request, Sample, Switching
from mtpconfig.probe.client import HttpClient
from mtpconfig.probe.comparison import Comparison
from mtpconfig.probe.log import ServerLog
from mtpconfig.probe.observation import Observation, Round, evidence_of
from mtpconfig.probe.prompts import PROMPTS
from mtpconfig.probe.reported import spec_of
from mtpconfig.probe.wording import shown
from mtpconfig.version import Version

_LAG = 2.0  # seconds that counters may need to catch up with an answer that has come
_LAG_TOLD = 0.5  # the same where the answers told everything, and counters only confirm it
_PAUSE = 0.1
_PAIRS = 4  # completions that are compared with drafts and without, at least
_STATUSES = {404: "it has no such path", 429: "it is too busy", 503: "it is not ready"}


class Plan(Struct, frozen=True):
    """What is asked of a server.

    engine        ask as this engine alone; None tries all
    version       the version to assume where the server states none
    requests      completions for each temperature (>= 1)
    max_tokens    tokens asked for in each
    temperatures  one round of requests for each
    passive       send no completions; watch the counters for `interval` seconds
    interval      seconds; 0 takes the totals since the server's start
    model         the name to ask for; "" takes what the server offers
    log           the server's own log, which is read in the place of its counters
    may_reload    completions may be asked for that make the server load its model again
    """

    engine: Engine | None = None
    version: Version | None = None
    requests: int = 2
    max_tokens: int = 128
    temperatures: tuple[float, ...] = (0.0,)
    passive: bool = False
    interval: float = 10.0
    model: str = ""
    log: ServerLog | None = None
    may_reload: bool = False


class Met(Struct, frozen=True, eq=False):
    """A server that was recognised.

    version  as it states it, else as the user says; None when unknown
    notes    what it misstates or withholds, a sentence each
    answers_as  the other engine whose server it is, where it is asked as one that does not know it
    """

    engine: Engine
    probe: Probe
    found: Found
    version: Version | None
    notes: tuple[str, ...] = ()
    answers_as: str = ""


def meet(client: HttpClient, engines: Mapping[str, Engine], plan: Plan) -> Met:
    """Find out which engine's server it is. Raises Unreachable when it gives no answer or is none that is known."""
    asked = [plan.engine] if plan.engine is not None else list(engines.values())
    probes = [(engine, probe) for engine in asked if (probe := engine.probe()) is not None]
    if not probes and plan.engine is not None:
        raise UsageError(f"{plan.engine.title} has no probe: its servers cannot be verified")
    for engine, probe in probes:
        if (found := probe.recognise(client)) is not None:
            version, notes = _version(engine, found, plan)
            return _readable(Met(engine, probe, _asked_for(found, plan), version, notes), plan)
    where = client.address.shown
    if client.refusals:
        path, status = client.refusals[0]
        raise _not_admitted(client, path, status)
    if plan.engine is not None:
        other = _recognised(client, [engine for engine in engines.values() if engine.id != plan.engine.id])
        seen = f"it answers as {other}" if other else "it was not recognised"
        note = f"{seen}, and is asked as {plan.engine.title}"
        met = Met(plan.engine, probes[0][1], _asked_for(Found(), plan), plan.version, (note,), other)
        return _readable(met, plan)
    known = ", ".join(engine.title for engine, _ in probes)
    raise Unreachable(f"{where} is no server that is known ({known}): say which with --engine, if it is one")


def _recognised(client: HttpClient, engines: Sequence[Engine]) -> str:
    """The engine among these whose server it is; empty when it is none's."""
    for engine in engines:
        try:
            if (probe := engine.probe()) is not None and probe.recognise(client) is not None:
                return engine.title
        except OutOfTime:
            break
    return ""


def observe(client: HttpClient, met: Met, plan: Plan) -> Observation:
    """Ask a recognised server what it does. Raises Unreachable when it breaks off or asks for a key."""
    rounds = (_watched(client, met, plan),) if plan.passive else tuple(_asked(client, met, plan))
    try:
        words = met.probe.reported(client, met.found)
    except OutOfTime:
        words = ()
    reported = spec_of(words, met.engine, met.version) if words else None
    off = reported is not None and reported.state == "off"
    compared = _compared(client, met, plan) if plan.may_reload and not off and _undecided(rounds) else None
    return Observation(
        client.address.shown,
        met.engine.id,
        met.engine.title,
        met.version,
        rounds,
        met.found.model,
        met.notes,
        reported,
        compared,
    )


def _asked_for(found: Found, plan: Plan) -> Found:
    return replace(found, model=plan.model) if plan.model else found


def _readable(met: Met, plan: Plan) -> Met:
    """Refuse a log that nobody could read."""
    if plan.log is not None and not isinstance(met.probe, LogReading):
        raise UsageError(f"--log: what {met.engine.title} logs is not read; its counters are")
    return met


def _not_admitted(client: HttpClient, path: str, status: int) -> NotAdmitted:
    where = client.address.shown
    if client.with_key:
        return NotAdmitted(f"{where} refuses the key that was sent: it answers {path} with {status}")
    return NotAdmitted(
        f"{where} refuses {path} ({status}): name the environment variable that holds its key with --api-key-env"
    )


def _version(engine: Engine, found: Found, plan: Plan) -> tuple[Version | None, tuple[str, ...]]:
    notes = [found.note] if found.note else []
    stated: Version | None = None
    if found.version:
        try:
            stated = engine.scheme.parse(found.version)
        except UsageError:
            notes.append(f"it states a version that is none: {shown(found.version)}")
    if stated is not None and plan.version is not None and stated != plan.version:
        notes.append(f"it states version {stated}, not {plan.version}: {stated} is believed")
    version = stated or plan.version
    if version is None:
        notes.append(f"its version is not known: --engine {engine.id}@{engine.options().newest} supplies it")
    return version, tuple(notes)


def counters_now(client: HttpClient, met: Met, plan: Plan) -> Counters:
    """The server's counters; those that cannot be read, or do not come in time, count as none, with the reason."""
    try:
        if plan.log is not None and isinstance(met.probe, LogReading):
            return met.probe.logged(plan.log.text())
        counters = met.probe.counters(client, met.version)
        if met.answers_as and counters.counts is None:  # what the probe makes of their absence holds for its own
            return replace(counters, why=f"it answers as {met.answers_as}")
        return counters
    except BadCounters as error:
        return Counters(why=str(error))
    except OutOfTime:
        return Counters(why="they did not come in time")


def _watched(client: HttpClient, met: Met, plan: Plan) -> Round:
    before = counters_now(client, met, plan)
    if plan.interval <= 0 or before.counts is None:
        return Round(None, before, before)
    time.sleep(min(plan.interval, 0.9 * client.remaining()))
    return Round(None, before, counters_now(client, met, plan))


def _asked(client: HttpClient, met: Met, plan: Plan) -> Iterator[Round]:
    before = counters_now(client, met, plan)
    for temperature in plan.temperatures:
        samples, refused = _samples(client, met, plan, temperature)
        after = _settled(client, met, plan, before, samples)
        yield Round(temperature, before, after, tuple(samples), refused)
        if refused:
            break
        before = after


def _samples(client: HttpClient, met: Met, plan: Plan, temperature: float) -> tuple[list[Sample], str]:
    """The requests of one round, one after the other, up to the first that is not answered."""
    samples: list[Sample] = []
    for number in range(plan.requests):
        prompt = PROMPTS[number % len(PROMPTS)]
        found = _sample(client, met, met.probe.request(Ask(prompt, plan.max_tokens, temperature, met.found.model)))
        if isinstance(found, str):
            return samples, found
        samples.append(found)
    return samples, ""


def _sample(client: HttpClient, met: Met, request: Request) -> Sample | str:
    """What one request tells, or why it was not answered."""
    try:
        answer = client.post(request.path, request.body)
    except OutOfTime as error:
        return str(error)
    if answer.status in (401, 403):
        raise _not_admitted(client, request.path, answer.status)
    sample = met.probe.sample(answer) if answer.status == 200 else None
    return sample if sample is not None else _refusal(client, request.path, answer)


def _undecided(rounds: Sequence[Round]) -> bool:
    """Whether completions were answered, and nothing counted what became of drafts."""
    return all(seen.samples and not seen.refused and evidence_of(seen).counts is None for seen in rounds)


def _compared(client: HttpClient, met: Met, plan: Plan) -> Comparison | None:
    """Completions without drafts, and then the same ones as the server is set up; the first of each is left out.

    What was set up is asked for last, so that the server is left as it was found.
    """
    probe = met.probe
    if not isinstance(probe, Switching):
        return None
    try:
        switches = probe.switches(client, met.found)
    except OutOfTime as error:
        return Comparison(failed=str(error))
    if not switches:
        return Comparison(failed="drafts cannot be switched off for requests to this model")
    prompts = [PROMPTS[number % len(PROMPTS)] for number in range(max(_PAIRS, plan.requests))]
    requests = [probe.request(Ask(prompt, plan.max_tokens, 0.0, met.found.model)) for prompt in prompts]
    rates: list[tuple[float, ...]] = []
    for arm in ([probe.without_drafts(request) for request in requests], requests):
        found = [_sample(client, met, request) for request in (arm[0], *arm)]
        failed = next((one for one in found if isinstance(one, str)), "")
        samples = [one for one in found if isinstance(one, Sample)]
        if failed or any(sample.tokens < 2 or not sample.seconds for sample in samples):
            return Comparison(failed=failed or "an answer did not tell how long it took")
        rates.append(tuple((sample.tokens - 1) / sample.seconds for sample in samples[1:] if sample.seconds))
    return Comparison(rates[1], rates[0])


def _refusal(client: HttpClient, path: str, answer: Answer) -> str:
    where = client.address.shown
    if answer.status == 200:
        kind = client.shown(answer.kind) or "an unknown type"
        return f"{where} answers {path} with something that is no completion ({kind})"
    reason = client.shown(_message(answer)) or _STATUSES.get(answer.status, "an error without a reason")
    return f"{where} answers {path} with {answer.status}: {reason}"


def _message(answer: Answer) -> str:
    """What a JSON error says; "" when it says nothing."""
    data: Any = answer.json()
    error = data.get("error", data) if isinstance(data, dict) else None
    text = error.get("message") or error.get("detail") if isinstance(error, dict) else error
    return text if isinstance(text, str) else ""


def _settled(client: HttpClient, met: Met, plan: Plan, before: Counters, samples: Sequence[Sample]) -> Counters:
    """The counters once they hold our requests, or after a moment."""
    own_requests, own_tokens = len(samples), sum(sample.tokens for sample in samples)
    lag = _LAG_TOLD if all(sample.counts is not None for sample in samples) else _LAG
    deadline = time.monotonic() + min(lag, client.remaining() / 2)
    while True:
        now = counters_now(client, met, plan)
        pairs = ((before.requests, now.requests, own_requests), (before.tokens, now.tokens, own_tokens))
        behind = any(old is not None and new is not None and old <= new < old + own for old, new, own in pairs)
        if not behind or time.monotonic() >= deadline:
            return now
        time.sleep(_PAUSE)
