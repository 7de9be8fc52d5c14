"""The hook implementations; registered under the entry-point group `mtpconfig`."""

from __future__ import annotations

from collections.abc import Iterable

from mtpconfig.engine import Engine
from mtpconfig.hooks import hookimpl
from mtpconfig_sglang.engine import SGLang


@hookimpl
def mtpconfig_engines() -> Iterable[Engine]:
    """SGLang."""
    return (SGLang(),)
