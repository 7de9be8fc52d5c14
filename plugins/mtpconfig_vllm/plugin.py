"""The hook implementations; registered under the entry-point group `mtpconfig`."""

from __future__ import annotations

from collections.abc import Iterable

from mtpconfig.engine import Engine
from mtpconfig.hooks import hookimpl
from mtpconfig_vllm.engine import Vllm


@hookimpl
def mtpconfig_engines() -> Iterable[Engine]:
    """The engine vLLM."""
    return (Vllm(),)
