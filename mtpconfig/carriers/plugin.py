"""Registers the carriers that ship with mtpconfig, through the same hook as anybody's."""

from __future__ import annotations

from collections.abc import Iterable

from mtpconfig.carrier import Carrier
from mtpconfig.carriers.shell import ShellCarrier
from mtpconfig.hooks import hookimpl


@hookimpl
def mtpconfig_carriers() -> Iterable[Carrier]:
    """Shell scripts."""
    return (ShellCarrier(),)
