"""Verify a server from a test, through the library."""

from __future__ import annotations

from typing import Any

from mtpconfig.engine import Engine
from mtpconfig.hooks import engines
from mtpconfig.probe.address import parse_address
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
    connection = Connection(timeout)
    return verify(parse_address(url), known or engines(), Plan(**plan), connection, thresholds or Thresholds(), asking)
