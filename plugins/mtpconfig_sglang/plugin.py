"""The hook implementations; registered under the entry-point group `mtpconfig`."""

from __future__ import annotations

from collections.abc import Iterable

from mtpconfig.carrier import Carrier, LazyCarrier
from mtpconfig.carriers.names import may_be_yaml
from mtpconfig.engine import Engine
from mtpconfig.hooks import hookimpl
from mtpconfig_sglang.engine import SGLang


@hookimpl
def mtpconfig_engines() -> Iterable[Engine]:
    """SGLang."""
    return (SGLang(),)


@hookimpl
def mtpconfig_carriers() -> Iterable[Carrier]:
    """The file behind `--config`."""
    return (LazyCarrier("sglang --config yaml", "mtpconfig_sglang.config_yaml:ConfigCarrier", may_be_yaml),)
