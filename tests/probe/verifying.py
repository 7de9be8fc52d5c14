"""Verify a server from a test, through the library."""

from __future__ import annotations

from typing import Any

from mtpconfig_vllm.probe import VllmProbe

from mtpconfig.engine import Engine
from mtpconfig.evidence import Probe
from mtpconfig.probe.asked import Asking
from mtpconfig.probe.run import Plan
from mtpconfig.probe.verdict import Thresholds
from mtpconfig.probe.verify import Connection, Outcome, verify
from mtpconfig.version import PEP440, Scheme


class VllmDouble:
    """As much of an engine as a probe's tests need."""

    id: str = "vllm"
    title: str = "vLLM"
    scheme: Scheme = PEP440
    words: tuple[str, ...] = ("vllm",)

    def probe(self) -> Probe:
        return VllmProbe()


def vllm() -> dict[str, Engine]:
    double: Any = VllmDouble()
    return {"vllm": double}


def check(
    url: str,
    known: dict[str, Engine] | None = None,
    *,
    asking: Asking | None = None,
    thresholds: Thresholds | None = None,
    timeout: float = 20.0,
    **plan: Any,
) -> Outcome:
    """The outcome for one server."""
    return verify(url, Plan(**plan), Connection(timeout), thresholds, asking, known)
