"""The hook implementations; registered under the entry-point group `mtpconfig`."""

from __future__ import annotations

from collections.abc import Iterable

from mtpconfig.carrier import Carrier, LazyCarrier
from mtpconfig.carriers.names import may_be_yaml
from mtpconfig.engine import Engine
from mtpconfig.hooks import hookimpl
from mtpconfig_vllm.engine import Vllm


@hookimpl
def mtpconfig_engines() -> Iterable[Engine]:
    """The engine vLLM."""
    return (Vllm(),)


@hookimpl
def mtpconfig_carriers() -> Iterable[Carrier]:
    """The file behind `--config`, and Ray Serve's configuration of models."""
    return (
        LazyCarrier("ray serve", "mtpconfig_vllm.ray_serve:RayServeCarrier", may_be_yaml),
        LazyCarrier("vllm --config yaml", "mtpconfig_vllm.config_yaml:ConfigCarrier", may_be_yaml),
    )
