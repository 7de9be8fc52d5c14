"""The hook implementations; registered under the entry-point group `mtpconfig`."""

from __future__ import annotations

from collections.abc import Iterable

from mtpconfig.carrier import Carrier, LazyCarrier
from mtpconfig.engine import Engine
from mtpconfig.hooks import hookimpl
from mtpconfig_ollama.engine import Ollama
from mtpconfig_ollama.modelfile.claims import may_be_modelfile


@hookimpl
def mtpconfig_engines() -> Iterable[Engine]:
    """Ollama."""
    return (Ollama(),)


@hookimpl
def mtpconfig_carriers() -> Iterable[Carrier]:
    """Modelfiles."""
    return (LazyCarrier("modelfile", "mtpconfig_ollama.modelfile:ModelfileCarrier", may_be_modelfile),)
