"""How an SGLang server is asked. Sources: the wheels of 0.4.1 to 0.5.23; no server was run.

What it tells of speculation, and where:

- `/server_info` (`/get_server_info` before 0.5.6): the version and all settings, as start-up rewrote them.
- `meta_info` of a native `/generate`: counts of this request, from 0.4.2 on.
- `sglext.spec_tokens_details` of `/v1/completions`, if asked for, from 0.5.19 on: the same, for servers of which only
  `/v1` can be reached. `return_meta_info` is a field of chat alone.
- `/metrics`, if started with `--enable-metrics`; else there is no such path.

`counting` says which names and meanings these have at which release. With `--api-key` all is locked but `/metrics` and
`/health`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from mtpconfig.errors import UsageError
from mtpconfig.evidence import Answer, Ask, Client, Counters, Found, Hints, Request, Sample
from mtpconfig.probe.metrics import Metrics, read_metrics
from mtpconfig.version import PEP440, Version
from mtpconfig_sglang.counting import of_request, reckoned, simulated
from mtpconfig_sglang.server_info import Setup, is_forks, is_own, setup_of, words_of

_PREFIX = "sglang:"
_STEPS = "sglang:spec_verify_calls_total"
_REQUESTS = "sglang:num_requests_total"
_TOKENS = "sglang:generation_tokens_total"
_LENGTH = "sglang:spec_accept_length"
_WIDTH = "sglang:spec_num_draft_tokens"
_FIRST_COUNTING = PEP440.parse("0.5.13")
_FIRST_TIMING = PEP440.parse("0.5.22")  # before, the first token's time is that of the first batch that was sent
_SIMULATED = "acceptance is simulated (SGLANG_SIMULATE_ACC_LEN): what is counted says nothing of the drafts"


class SGLangProbe:
    """The questions to one SGLang server. It remembers what `recognise` learned: responses alone do not tell it."""

    hints = Hints(
        off=(
            "it was started without --speculative-algorithm: steps, topk and draft tokens alone switch nothing on",
            "the options stand behind --config=FILE, which is not read (--config FILE is), or in a variable",
        ),
        idle=(
            "an adaptive configuration (--speculative-adaptive-config) has 0 steps for this batch size",
            "the request was answered by an instance that does not draft, e.g. behind a router",
        ),
        rejecting=(
            "the head or the draft model does not belong to this model, or was damaged by quantisation",
            "an n-gram method found nothing in these prompts that repeats: it verifies all the same",
            "adaptive steps (--speculative-adaptive) went down to 0, which cannot be told from drafts in vain",
        ),
        warm=("the temperature is too high for drafts that are chosen greedily",),
    )

    def __init__(self) -> None:
        self._info: Mapping[str, Any] = {}
        self._setup: Setup | None = None  # None: not told
        self._version: Version | None = None
        self._simulated = False

    def recognise(self, client: Client) -> Found | None:
        """By its settings; where they cannot be reached by the owner of its models, or by counters that stay open."""
        for path in ("/server_info", "/get_server_info"):
            answer = client.get(path)
            if is_own(info := answer.object()):
                return self._met(info)
            if is_forks(info):
                return None
            if answer.status in (401, 403):
                return Found() if _counts_openly(client) else None
        models = client.get("/v1/models").object().get("data")
        first = models[0] if isinstance(models, list) and models and isinstance(models[0], dict) else {}
        if first.get("owned_by") != "sglang":
            return None
        return Found(model=str(first.get("id", "")), note="only /v1 of it can be reached: it tells no settings")

    def _met(self, info: Mapping[str, Any]) -> Found:
        self._info, self._setup = info, setup_of(info)
        self._simulated = self._setup.simulated
        stated = info.get("version")
        version = stated if isinstance(stated, str) else ""
        try:
            self._version = PEP440.parse(version)
        except UsageError:
            self._version = None
        names = (info.get("served_model_name"), info.get("model_path"))
        model = next((name for name in names if isinstance(name, str) and name), "")
        adapts = "its steps change as it runs: drafted tokens are reckoned from those that it started with"
        return Found(version, model, adapts if self._setup.adaptive else "")

    def reported(self, client: Client, found: Found) -> Sequence[str]:
        """The words that would set a server up like this one; its own, which start-up rewrote, are not kept."""
        return words_of(self._info) if self._info else ()

    def counters(self, client: Client, version: Version | None) -> Counters:
        """Totals from `/metrics`; releases that only average tell their last average."""
        loaded = bool(self._setup.algorithm) if self._setup is not None else None
        answer = client.get("/metrics")
        if answer.status != 200:
            why = "started without --enable-metrics" if answer.status == 404 else f"/metrics answers {answer.status}"
            return Counters(why=_SIMULATED if self._simulated else why, loaded=loaded)
        metrics = read_metrics(answer.text, _PREFIX)
        if loaded is None and (_gauge(metrics, _LENGTH) or 0) >= 1:
            loaded = True
        # a series comes into being with the first request that finishes
        requests, tokens = metrics.count(_REQUESTS) or 0, metrics.count(_TOKENS) or 0
        gamma = self._setup.gamma if self._setup is not None else None
        base = Counters(loaded=loaded, requests=requests, tokens=tokens, gamma=gamma)
        return self._counted(metrics, base, version)

    def _counted(self, metrics: Metrics, base: Counters, version: Version | None) -> Counters:
        if self._simulated:
            return replace(base, why=_SIMULATED)
        steps, width = metrics.count(_STEPS), _gauge(metrics, _WIDTH)
        counting = version >= _FIRST_COUNTING if version is not None else steps is not None or width is not None
        if not counting and (version is not None or base.tokens):
            length = _gauge(metrics, _LENGTH)
            last = f", {length:.2f} tokens per step at last" if length else ""
            return replace(base, why=f"/metrics holds averages alone before {_FIRST_COUNTING}{last}")
        each = self._setup.drafted if self._setup is not None else int(width or 0) - 1
        counts = reckoned(steps or 0, base.tokens or 0, base.requests or 0, each if each and each > 0 else None)
        if counts is None:
            return replace(base, why="/metrics does not tell how much a step drafts")
        return replace(base, counts=counts)

    def request(self, ask: Ask) -> Request:
        """A native request where the server's own routes can be reached, else one of `/v1`."""
        if self._setup is not None:
            sampling = {"max_new_tokens": ask.max_tokens, "temperature": ask.temperature}
            return Request("/generate", {"text": ask.prompt, "sampling_params": sampling})
        body = {
            "model": ask.model,
            "prompt": ask.prompt,
            "max_tokens": ask.max_tokens,
            "temperature": ask.temperature,
            "return_spec_tokens_details": True,
        }
        return Request("/v1/completions", body)

    def sample(self, answer: Answer) -> Sample | None:
        """Tokens, and the counts of this request as far as its release tells them."""
        data = answer.object()
        native = data.get("meta_info")
        meta: Mapping[str, Any] = native if isinstance(native, dict) else _mapping(data.get("usage"))
        tokens = meta.get("completion_tokens")
        if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 0:
            return None
        self._simulated = self._simulated or simulated(data.get("output_ids"))
        if self._simulated:
            return Sample(tokens)
        told = meta if meta is native else _mapping(_mapping(data.get("sglext")).get("spec_tokens_details"))
        setup = self._setup or Setup()
        counts = of_request(told, tokens, setup, self._version)
        longest = setup.gamma if counts is not None and counts.drafted else None
        return Sample(tokens, counts, longest, self._seconds(meta, tokens))

    def _seconds(self, meta: Mapping[str, Any], tokens: int) -> float | None:
        """The time of the tokens after the first, which a server with metrics tells as tokens per second."""
        speed = meta.get("decode_throughput")
        if self._version is None or self._version < _FIRST_TIMING or not isinstance(speed, int | float):
            return None
        return (tokens - 1) / speed if speed > 0 and tokens > 1 else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _counts_openly(client: Client) -> bool:
    answer = client.get("/metrics")
    return answer.status == 200 and any(line.startswith(_PREFIX) for line in answer.text.split("\n"))


def _gauge(metrics: Metrics, name: str) -> float | None:
    """The highest value of all ranks; None when there is no such sample."""
    values = [value for _, value in metrics.samples.get(name, ()) if math.isfinite(value)]
    return max(values, default=None)
