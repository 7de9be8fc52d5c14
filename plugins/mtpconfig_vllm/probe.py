"""How a vLLM server is asked. Sources: vLLM 0.5.0 to 0.33.0 as released, and runs of 0.32.0.

What it tells of speculation, and where:

- `/metrics` of V1 (the engine since 0.8.3, the only one since 0.10.0): `vllm:spec_decode_num_*_total`, over all users.
  From 0.8.5 on the families are absent when speculation is off, zero when it never drafts, and have one series for each
  draft position. 0.8.3 and 0.8.4 have two of them, zero when it is off; V1 before that has none.
- `/metrics` of V0 (to 0.9.2; declares `vllm:spec_decode_efficiency`): published every few seconds while the server is
  busy, and each time the whole sum since the start is *added*: growth and ratio mean something, amounts do not.
- with `--disable-log-stats` there is no `vllm:` line at all, and nothing follows from that.
- responses, from 0.29.0 on with `--per-request-spec-decode-metrics`: `metrics.speculative_decoding`.
- `/server_info`, only with `VLLM_SERVER_DEV_MODE=1`: the resolved configuration.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from mtpconfig.evidence import Answer, Ask, Client, Counters, Counts, Found, Hints, Request, Sample
from mtpconfig.probe.metrics import Metrics, read_metrics
from mtpconfig.version import PEP440, Version

_PREFIX = "vllm:"
_DRAFTED = "vllm:spec_decode_num_draft_tokens_total"
_ACCEPTED = "vllm:spec_decode_num_accepted_tokens_total"
_STEPS = "vllm:spec_decode_num_drafts_total"
_POSITIONS = "vllm:spec_decode_num_accepted_tokens_per_pos_total"
_REQUESTS = "vllm:request_success_total"
_TOKENS = "vllm:generation_tokens_total"
_DECODING = "vllm:request_decode_time_seconds_sum"
_ONLY_V0 = "vllm:spec_decode_efficiency"
_FIRST_TELLING = "0.8.5"  # from here on, no family means no speculation
_REPORTED = ("method", "model", "num_speculative_tokens", "draft_sample_method", "rejection_sample_method")


class VllmProbe:
    """The questions to a vLLM server."""

    hints = Hints(
        off=(
            "it was started without --speculative-config (or --spec-method and --spec-tokens)",
            "the configuration stands where it is not read, e.g. in a variable or in --additional-config",
        ),
        idle=(
            "an n-gram or suffix method found nothing in these prompts that repeats",
            "the draft model's length is exceeded, or the batch size at which drafts are switched off",
            "a sampling default (penalties, min_p) keeps 0.8.0 to 0.13.0 from drafting",
        ),
        rejecting=("the model has no trained MTP weights, or quantisation damaged them",),
        warm=(
            "the temperature is too high for greedy drafts (draft_sample_method probabilistic from 0.22.0 on)",
            "on a CPU without triton: any temperature above 0",
        ),
    )

    def recognise(self, client: Client) -> Found | None:
        """By the owner of its models, or by its counters, which stay open where `--api-key` locks the models."""
        answer = client.get("/v1/models")
        models = answer.object().get("data")
        first = models[0] if isinstance(models, list) and models and isinstance(models[0], dict) else {}
        if first.get("owned_by") != "vllm" and not (answer.status in (401, 403) and _counts_openly(client)):
            return None
        model = str(first.get("id", ""))
        version = client.get("/version").object().get("version")
        return Found(version if isinstance(version, str) else "", model)

    def reported(self, client: Client, found: Found) -> Sequence[str]:
        """The words that would ask for the resolved configuration, in development mode; else nothing."""
        config = client.get("/server_info?config_format=json").object().get("vllm_config")
        if not isinstance(config, dict) or "speculative_config" not in config:
            return ()
        words = ["vllm", "serve", found.model]
        speculative = config["speculative_config"]
        if isinstance(speculative, dict):
            told = {key: speculative[key] for key in _REPORTED if isinstance(speculative.get(key), str | int)}
            words += ["--speculative-config", json.dumps(told)]
        return words

    def counters(self, client: Client, version: Version | None) -> Counters:
        """Totals from `/metrics`, whichever generation of the engine publishes them."""
        answer = client.get("/metrics")
        if answer.status != 200:
            return Counters(why=f"/metrics answers {answer.status}")
        metrics = read_metrics(answer.text, _PREFIX)
        if not metrics.families:
            return Counters(why="/metrics has no vllm: line, as with --disable-log-stats")
        base = Counters(
            requests=metrics.count(_REQUESTS), tokens=metrics.count(_TOKENS), seconds=metrics.number(_DECODING)
        )
        if _ONLY_V0 in metrics.families:
            return _v0(metrics, base)
        return _v1(metrics, base, version)

    def request(self, ask: Ask) -> Request:
        """A plain completion; the temperature is always said, as the model's own default would be taken else."""
        return Request(
            "/v1/completions",
            {
                "model": ask.model,
                "prompt": ask.prompt,
                "max_tokens": ask.max_tokens,
                "temperature": ask.temperature,
            },
        )

    def sample(self, answer: Answer) -> Sample | None:
        """Tokens from `usage`, and what the response tells of speculation, if it does."""
        data = answer.object()
        usage = data.get("usage")
        tokens = usage.get("completion_tokens") if isinstance(usage, dict) else None
        if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 0:
            return None
        metrics = data.get("metrics")
        told = metrics.get("speculative_decoding") if isinstance(metrics, dict) else None
        if not isinstance(told, dict) or (counts := _counts(told)) is None:
            return Sample(tokens)
        return Sample(tokens, counts, told["num_spec_tokens"])


def _counts_openly(client: Client) -> bool:
    answer = client.get("/metrics")
    return answer.status == 200 and any(line.startswith(_PREFIX) for line in answer.text.split("\n"))


def _counts(told: Mapping[str, Any]) -> Counts | None:
    """Counts of one response; place j of the histogram holds the steps that accepted exactly j draft tokens."""
    names = ("num_draft_tokens", "num_accepted_draft_tokens", "num_spec_steps", "num_spec_tokens")
    numbers = [told.get(name) for name in names]
    histogram = told.get("acceptance_histogram")
    if not all(isinstance(number, int) for number in numbers) or not isinstance(histogram, list):
        return None
    if not all(isinstance(count, int) for count in histogram):
        return None
    positions = tuple(sum(histogram[place:]) for place in range(1, len(histogram)))
    drafted, accepted, steps = (int(told[name]) for name in names[:3])
    return Counts(drafted, accepted, steps, positions)


def _v1(metrics: Metrics, base: Counters, version: Version | None) -> Counters:
    drafted, accepted = metrics.count(_DRAFTED), metrics.count(_ACCEPTED)
    if drafted is None or accepted is None:
        if version is None:
            return replace(base, why="/metrics has no vllm:spec_decode_* series, and the version is not known")
        if version < PEP440.parse(_FIRST_TELLING):
            return replace(base, why=f"vLLM {version} does not count drafts")
        return replace(base, why="/metrics has no vllm:spec_decode_* series", loaded=False)
    steps = metrics.count(_STEPS)
    if steps is None:  # 0.8.3 and 0.8.4: zero also when it is off
        return replace(base, counts=Counts(drafted, accepted))
    positions = metrics.positions(_POSITIONS)
    counts = Counts(drafted, accepted, steps, positions)
    return replace(base, counts=counts, loaded=True, gamma=len(positions) or None)


def _v0(metrics: Metrics, base: Counters) -> Counters:
    drafted, accepted = metrics.count(_DRAFTED), metrics.count(_ACCEPTED)
    if drafted is None or accepted is None:
        return replace(base, why="this engine (V0) publishes its counters late, and has none yet", exact=False)
    return replace(base, counts=Counts(drafted, accepted), loaded=True, exact=False)
