"""Verify a server from a test, through the library."""

from __future__ import annotations

from typing import Any

from mtpconfig.engine import Engine
from mtpconfig.probe.asked import Asking
from mtpconfig.probe.run import Plan
from mtpconfig.probe.verdict import Thresholds
from mtpconfig.probe.verify import Connection, Outcome, verify


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
