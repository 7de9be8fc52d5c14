"""The states of a server that can be told apart from outside, and how to bring each about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from .model import ModelSpec

PERFECT: Final = ModelSpec(1.0)
PARTLY: Final = ModelSpec(0.5)
WRONG: Final = ModelSpec(0.0)
HEADLESS: Final = ModelSpec(None)


def _config(**keys: object) -> tuple[str, ...]:
    return ("--speculative-config", json.dumps(keys))


def _mtp(gamma: int) -> tuple[str, ...]:
    return _config(method="mtp", num_speculative_tokens=gamma)


_NGRAM: Final = _config(method="ngram", num_speculative_tokens=3, prompt_lookup_min=5)


@dataclass(frozen=True)
class State:
    """A server: its model, what follows on its command line, and its environment.

    ``gamma`` is what it should draft per step, None where speculation is off; ``verdict`` the word for what can be
    seen from outside.
    """

    model: ModelSpec
    args: tuple[str, ...] = ()
    gamma: int | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    verdict: Literal["active", "off", "idle", "rejecting", "unproven"] = "active"


STATES: Final[dict[str, State]] = {
    "mtp-2": State(PERFECT, _mtp(2), 2),
    "mtp-3": State(PERFECT, _mtp(3), 3, {"VLLM_SERVER_DEV_MODE": "1"}),
    "mtp-rejecting": State(WRONG, _mtp(2), 2, verdict="rejecting"),
    "off": State(PERFECT, (), None, {"VLLM_SERVER_DEV_MODE": "1"}, "off"),
    "ngram-idle": State(
        PERFECT, _config(method="ngram", num_speculative_tokens=3, prompt_lookup_min=5), 3, verdict="idle"
    ),
    "mtp-without-stats": State(PERFECT, (*_mtp(2), "--disable-log-stats"), 2, verdict="unproven"),
    "mtp-detailed": State(PERFECT, (*_mtp(2), "--per-request-spec-decode-metrics", "detailed"), 2),
    "mtp-summary": State(PARTLY, (*_mtp(2), "--per-request-spec-decode-metrics", "summary"), 2),
    "mtp-key": State(PERFECT, (*_mtp(2), "--api-key", "secret"), 2),
    "mtp-partly": State(PARTLY, _mtp(3), 3),
}
"""By name. The language's words come back after 96 tokens only, so that n-grams never match in 64."""
