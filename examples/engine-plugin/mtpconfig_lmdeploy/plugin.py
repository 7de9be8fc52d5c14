"""The hook implementations; registered under the entry-point group `mtpconfig`."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable

from mtpconfig.engine import Engine
from mtpconfig.hooks import hookimpl
from mtpconfig_lmdeploy.engine import LMDeploy


@hookimpl
def mtpconfig_engines() -> Iterable[Engine]:
    """LMDeploy."""
    return (LMDeploy(),)


@hookimpl
def mtpconfig_rule_folders() -> Iterable[Traversable]:
    """The rules of this package."""
    return (files("mtpconfig_lmdeploy") / "rules",)
