"""How a llama-server is asked. Sources: llama.cpp's `tools/server` from b9294 to b11549, and runs of those builds.

What it tells of speculation, and where:

- `timings` of a streamed completion with `timings_per_token`: cumulative `draft_n` and `draft_n_accepted` with each
  token, so that each verification step shows as one rise. They are left out while nothing was drafted.
- `/metrics`, if started with `--metrics`: totals over all users, from b10289 on; zero, not absent, while it is off.
- `/slots`: `speculative` is true when a speculative implementation is loaded, which is no proof that it drafts.
- `/props` has the build, and a `speculative.types` that is "none" even when MTP runs: not read here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mtpconfig.evidence import Answer, Ask, Client, Counters, Counts, Found, Hints, Request, Sample
from mtpconfig.history import OptionHistory
from mtpconfig.probe.metrics import Metrics, read_metrics
from mtpconfig.version import BUILD, Version
from mtpconfig_llamacpp.reading import TYPE

_PREFIX = "llamacpp:"
_DRAFTED = "llamacpp:spec_decode_num_draft_tokens_total"
_ACCEPTED = "llamacpp:spec_decode_num_accepted_tokens_total"
_STEPS = "llamacpp:spec_decode_num_drafts_total"
_POSITIONS = "llamacpp:spec_decode_num_accepted_tokens_per_pos_total"
_TOKENS = "llamacpp:tokens_predicted_total"
_BUILD = re.compile(r"b([1-9]\d*)-\w+")
_FIRST_COUNTING = BUILD.parse("b10289")


class LlamaProbe:
    """The questions to a llama-server."""

    hints = Hints(
        off=(
            "it was started without a speculative type: --spec-draft-n-max alone switches nothing on "
            "(--spec-type draft-mtp does)",
            "`none` stands in a --spec-type list, which voids the list",
            "a draft model was given without --spec-type, or the variable that names it is not read any more",
        ),
        idle=(
            "--spec-draft-n-min lies above --spec-draft-n-max, or --spec-draft-p-min is out of reach",
            "an n-gram type found nothing in these prompts that repeats",
            "the request was kept from drafting by something before the server",
        ),
        rejecting=("the head or the draft model does not belong to this model, or was damaged by quantisation",),
        warm=("the temperature is too high for greedy drafts (--spec-draft-sampling probabilistic from b11368 on)",),
    )

    def __init__(self, history: OptionHistory) -> None:
        self._history = history

    def recognise(self, client: Client) -> Found | None:
        """By the `Server` header, which forks have changed; behind a proxy by what only llama-server answers."""
        answer = client.get("/props")
        props = answer.object()
        server = answer.headers.get("server", "")
        known = "build_info" in props and "default_generation_settings" in props
        if server != "llama.cpp" and (not known or "llama" in server):
            return None
        stated = str(props.get("build_info", ""))
        if (build := _BUILD.match(stated)) is not None:
            return Found(f"b{build[1]}")
        return Found(note=f"it was compiled without its build number ({stated})" if stated else "it hides its build")

    def reported(self, client: Client, found: Found) -> Sequence[str]:
        """Nothing: no route of llama-server says truly what it was started with."""
        return ()

    def counters(self, client: Client, version: Version | None) -> Counters:
        """Totals from `/metrics`, and from `/slots` whether an implementation is loaded."""
        loaded = _loaded(client.get("/slots"))
        answer = client.get("/metrics")
        if answer.status != 200:
            why = "started without --metrics" if answer.status in (404, 501) else f"/metrics answers {answer.status}"
            return Counters(why=why, loaded=loaded)
        metrics = read_metrics(answer.text, _PREFIX)
        tokens = metrics.count(_TOKENS)
        counts = _totals(metrics)
        if counts is None:
            old = version is not None and version < _FIRST_COUNTING
            why = (
                f"/metrics of {version} does not count drafts (from {_FIRST_COUNTING} on)"
                if old
                else ("/metrics does not count drafts")
            )
            return Counters(why=why, loaded=loaded, tokens=tokens)
        return Counters(counts, loaded=loaded, gamma=_drafted_at_most(counts), tokens=tokens)

    def request(self, ask: Ask) -> Request:
        """A streamed completion that tells its timings with each token."""
        body: dict[str, Any] = {
            "prompt": ask.prompt,
            "n_predict": ask.max_tokens,
            "temperature": ask.temperature,
            "cache_prompt": False,
            "stream": True,
            "timings_per_token": True,
        }
        return Request("/completion", {**body, **({"model": ask.model} if ask.model else {})})

    def sample(self, answer: Answer) -> Sample | None:
        """Steps and positions from the rises of the counts; None without a last event that has timings."""
        events = list(_events(answer))
        last = events[-1] if events else {}
        timings = last.get("timings")
        if last.get("stop") is not True or not isinstance(timings, dict):
            return None
        accepted_by_step: list[int] = []
        drafted, accepted, longest = 0, 0, 0
        for event in events:
            now_drafted, now_accepted = _counted(event)
            if now_drafted > drafted:
                longest = max(longest, now_drafted - drafted)
                accepted_by_step.append(now_accepted - accepted)
                drafted, accepted = now_drafted, now_accepted
        positions = tuple(sum(count > place for count in accepted_by_step) for place in range(longest))
        tokens = _integer(timings.get("predicted_n"))
        milliseconds = timings.get("predicted_ms")
        return Sample(
            tokens,
            Counts(drafted, accepted, len(accepted_by_step), positions),
            longest or None,
            milliseconds / 1000 if isinstance(milliseconds, int | float) and milliseconds > 0 else None,
            self._methods(last.get("generation_settings")),
        )

    def _methods(self, settings: object) -> tuple[str, ...]:
        """The methods behind `speculative.types`, e.g. "none,draft-mtp", as far as they have a name."""
        types = settings.get("speculative.types") if isinstance(settings, dict) else None
        names = types.split(",") if isinstance(types, str) else []
        known = {choice.text: choice.method for choice in self._history.options[TYPE].values if choice.method}
        return tuple(known[name] for name in names if name in known)


def _events(answer: Answer) -> Iterator[dict[str, Any]]:
    """The events of a stream; a server that does not stream answers with the last one alone."""
    if answer.kind == "application/json":
        yield answer.object()
        return
    for line in answer.text.split("\n"):  # not splitlines(): generated text may hold other line separators
        if line.startswith("data: {"):
            try:
                event = json.loads(line[6:])
            except (ValueError, RecursionError):
                return
            yield event


def _counted(event: Mapping[str, Any]) -> tuple[int, int]:
    timings = event.get("timings")
    if not isinstance(timings, dict):
        return 0, 0
    return _integer(timings.get("draft_n")), _integer(timings.get("draft_n_accepted"))


def _integer(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _loaded(answer: Answer) -> bool | None:
    """Whether any slot has a speculative implementation; None when the server does not show its slots."""
    slots = answer.json() if answer.status == 200 else None
    if not isinstance(slots, list):
        return None
    told = [slot["speculative"] for slot in slots if isinstance(slot, dict) and "speculative" in slot]
    return any(flag is True for flag in told) if told else None


def _totals(metrics: Metrics) -> Counts | None:
    drafted, accepted = metrics.count(_DRAFTED), metrics.count(_ACCEPTED)
    if drafted is None or accepted is None:
        return None
    return Counts(drafted, accepted, metrics.count(_STEPS), metrics.positions(_POSITIONS))


def _drafted_at_most(counts: Counts) -> int | None:
    """The mean draft rounded up: the draft length, where only the last steps of an answer draft less."""
    return -(-counts.drafted // counts.steps) if counts.steps else None
