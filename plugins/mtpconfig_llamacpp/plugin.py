"""The hook implementations; registered under the entry-point group `mtpconfig`."""

from __future__ import annotations

from collections.abc import Iterable

from mtpconfig.carrier import Carrier
from mtpconfig.engine import Engine
from mtpconfig.hooks import hookimpl
from mtpconfig_llamacpp.engine import LlamaCpp
from mtpconfig_llamacpp.llama_swap import LlamaSwapCarrier
from mtpconfig_llamacpp.preset_ini import PresetCarrier


@hookimpl
def mtpconfig_engines() -> Iterable[Engine]:
    """llama.cpp."""
    return (LlamaCpp(),)


@hookimpl
def mtpconfig_carriers() -> Iterable[Carrier]:
    """llama-server's preset files, llama-swap's configuration."""
    return (PresetCarrier(), LlamaSwapCarrier())
