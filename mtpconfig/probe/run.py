"""The conversation with one server: who are you, what do you count, here are a few requests, what do you count now."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from mtpconfig.engine import Engine
from mtpconfig.errors import NotAdmitted, OutOfTime, Unreachable, UsageError
from mtpconfig.evidence import Answer, Ask, BadCounters, Counters, Found, Probe, Sample
from mtpconfig.probe.client import HttpClient
from mtpconfig.probe.observation import Observation, Round
from mtpconfig.probe.prompts import PROMPTS
from mtpconfig.probe.reported import spec_of
from mtpconfig.probe.wording import shown
from mtpconfig.version import Version

_LAG = 2.0  # seconds that counters may need to catch up with an answer that has come
_LAG_TOLD = 0.5  # the same where the answers told everything, and counters only confirm it
_PAUSE = 0.1
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
    """

    engine: Engine | None = None
    version: Version | None = None
    requests: int = 2
    max_tokens: int = 128
    temperatures: tuple[float, ...] = (0.0,)
    passive: bool = False
    interval: float = 10.0
    model: str = ""


class Met(Struct, frozen=True, eq=False):
    """A server that was recognised.

    version  as it states it, else as the user says; None when unknown
    notes    what it misstates or withholds, a sentence each
    """

    engine: Engine
    probe: Probe
    found: Found
    version: Version | None
    notes: tuple[str, ...] = ()


def meet(client: HttpClient, engines: Mapping[str, Engine], plan: Plan) -> Met:
    """Find out which engine's server it is. Raises Unreachable when it gives no answer or is none that is known."""
    asked = [plan.engine] if plan.engine is not None else list(engines.values())
    probes = [(engine, probe) for engine in asked if (probe := engine.probe()) is not None]
    if not probes and plan.engine is not None:
        raise UsageError(f"{plan.engine.title} has no probe: its servers cannot be verified")
    for engine, probe in probes:
        if (found := probe.recognise(client)) is not None:
            version, notes = _version(engine, found, plan)
            return Met(engine, probe, found, version, notes)
    where = client.address.shown
    if client.refusals:
        path, status = client.refusals[0]
        raise _not_admitted(where, path, status)
    if plan.engine is not None:
        note = f"it was not recognised, and is asked as {plan.engine.title}"
        return Met(plan.engine, probes[0][1], Found(), plan.version, (note,))
    known = ", ".join(engine.title for engine, _ in probes)
    raise Unreachable(f"{where} is no server that is known ({known}): say which with --engine, if it is one")


def observe(client: HttpClient, met: Met, plan: Plan) -> Observation:
    """Ask a recognised server what it does. Raises Unreachable when it breaks off or asks for a key."""
    rounds = (_watched(client, met, plan),) if plan.passive else tuple(_asked(client, met, plan))
    try:
        words = met.probe.reported(client, met.found)
    except OutOfTime:
        words = ()
    return Observation(
        client.address.shown,
        met.engine.id,
        met.engine.title,
        met.version,
        rounds,
        plan.model or met.found.model,
        met.notes,
        spec_of(words, met.engine, met.version) if words else None,
    )


def _not_admitted(where: str, path: str, status: int) -> NotAdmitted:
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


def counters_now(client: HttpClient, met: Met) -> Counters:
    """The server's counters; those that cannot be read, or do not come in time, count as none, with the reason."""
    try:
        return met.probe.counters(client, met.version)
    except BadCounters as error:
        return Counters(why=str(error))
    except OutOfTime:
        return Counters(why="they did not come in time")


def _watched(client: HttpClient, met: Met, plan: Plan) -> Round:
    before = counters_now(client, met)
    if plan.interval <= 0 or before.counts is None:
        return Round(None, before, before)
    time.sleep(min(plan.interval, 0.9 * client.remaining()))
    return Round(None, before, counters_now(client, met))


def _asked(client: HttpClient, met: Met, plan: Plan) -> Iterator[Round]:
    before = counters_now(client, met)
    for temperature in plan.temperatures:
        samples, refused = _samples(client, met, plan, temperature)
        after = _settled(client, met, before, samples)
        yield Round(temperature, before, after, tuple(samples), refused)
        if refused:
            break
        before = after


def _samples(client: HttpClient, met: Met, plan: Plan, temperature: float) -> tuple[list[Sample], str]:
    """The requests of one round, one after the other, up to the first that is not answered."""
    samples: list[Sample] = []
    for number in range(plan.requests):
        prompt = PROMPTS[number % len(PROMPTS)]
        request = met.probe.request(Ask(prompt, plan.max_tokens, temperature, plan.model or met.found.model))
        try:
            answer = client.post(request.path, request.body)
        except OutOfTime as error:
            return samples, str(error)
        if answer.status in (401, 403):
            raise _not_admitted(client.address.shown, request.path, answer.status)
        sample = met.probe.sample(answer) if answer.status == 200 else None
        if sample is None:
            return samples, _refusal(client, request.path, answer)
        samples.append(sample)
    return samples, ""


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


def _settled(client: HttpClient, met: Met, before: Counters, samples: Sequence[Sample]) -> Counters:
    """The counters once they hold our requests, or after a moment."""
    own_requests, own_tokens = len(samples), sum(sample.tokens for sample in samples)
    lag = _LAG_TOLD if all(sample.counts is not None for sample in samples) else _LAG
    deadline = time.monotonic() + min(lag, client.remaining() / 2)
    while True:
        now = counters_now(client, met)
        pairs = ((before.requests, now.requests, own_requests), (before.tokens, now.tokens, own_tokens))
        behind = any(old is not None and new is not None and old <= new < old + own for old, new, own in pairs)
        if not behind or time.monotonic() >= deadline:
            return now
        time.sleep(_PAUSE)
