"""The hook implementations; registered under the entry-point group `mtpconfig`."""

from __future__ import annotations

from collections.abc import Iterable

from mtpconfig.carrier import Carrier, LazyCarrier
from mtpconfig.carriers.names import may_be_ini, may_be_yaml
from mtpconfig.engine import Engine
from mtpconfig.hooks import hookimpl
from mtpconfig_llamacpp.engine import LlamaCpp


@hookimpl
def mtpconfig_engines() -> Iterable[Engine]:
    """llama.cpp."""
    return (LlamaCpp(),)


@hookimpl
def mtpconfig_carriers() -> Iterable[Carrier]:
    """llama-server's preset files, llama-swap's configuration."""
    return (
        LazyCarrier("llama-server preset INI", "mtpconfig_llamacpp.preset_ini:PresetCarrier", may_be_ini),
        LazyCarrier("llama-swap config", "mtpconfig_llamacpp.llama_swap:LlamaSwapCarrier", may_be_yaml),
    )
