"""How engines, carriers and knowledge come together: pluggy hooks, the same for built-ins and for third parties.

Plugins are installed packages that register under the entry-point group `mtpconfig`; nothing is ever loaded from a tree
that is being linted. `MTPCONFIG_PLUGINS` narrows what is loaded: `none`, or a comma list of entry-point names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

import pluggy

from mtpconfig.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from mtpconfig.carrier import Carrier
    from mtpconfig.engine import Engine

GROUP = "mtpconfig"
SWITCH = "MTPCONFIG_PLUGINS"

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


class HookSpecs:
    """The hooks that a plugin may implement."""

    @hookspec
    def mtpconfig_engines(self) -> Iterable[Engine]:  # type: ignore[empty-body]
        """Engines that the plugin adds. Called once, at the first use of any engine."""

    @hookspec
    def mtpconfig_carriers(self) -> Iterable[Carrier]:  # type: ignore[empty-body]
        """File formats that the plugin can read. Called once, at the first read."""

    @hookspec
    def mtpconfig_rule_folders(self) -> Iterable[Traversable]:  # type: ignore[empty-body]
        """Folders with rule files (TOML) that the plugin adds. Called once, at the first lint."""


@lru_cache(maxsize=1)
def plugin_manager() -> pluggy.PluginManager:
    """The manager with all plugins that are installed and not switched off.

    Raises UsageError when `MTPCONFIG_PLUGINS` names a plugin that is not installed or when one cannot be imported.
    """
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(HookSpecs)
    installed = {point.name: point for point in entry_points(group=GROUP)}
    wanted = os.environ.get(SWITCH)
    names = (
        list(installed) if wanted is None else [n.strip() for n in wanted.split(",") if n.strip() not in ("", "none")]
    )
    for name in names:
        if name not in installed:
            raise UnknownName(f"plugin in {SWITCH}", name, installed)
        try:
            manager.register(installed[name].load(), name)
        except Exception as error:  # whatever a plugin does wrong while it is imported is its own fault, by name
            raise UsageError(
                f"plugin {name!r} cannot be imported ({error}); reinstall it or leave it out of {SWITCH}"
            ) from error
    return manager


@lru_cache(maxsize=1)
def engines() -> dict[str, Engine]:
    """All engines by id."""
    found: list[Engine] = [engine for group in plugin_manager().hook.mtpconfig_engines() for engine in group]
    ids = [engine.id for engine in found]
    if twice := next((id_ for id_ in ids if ids.count(id_) > 1), None):
        raise UsageError(f"two plugins bring the engine {twice!r}: leave one out with {SWITCH}")
    return {engine.id: engine for engine in sorted(found, key=lambda engine: engine.id)}


def find_engine(name: str) -> Engine:
    """One engine by id. Raises UnknownName."""
    try:
        return engines()[name]
    except KeyError:
        raise UnknownName("engine", name, engines()) from None


@lru_cache(maxsize=1)
def carriers() -> tuple[Carrier, ...]:
    """All carriers, in the order in which they are asked."""
    return tuple(carrier for group in plugin_manager().hook.mtpconfig_carriers() for carrier in group)


@lru_cache(maxsize=1)
def rule_folders() -> tuple[Traversable, ...]:
    """All folders with rule files."""
    return tuple(folder for group in plugin_manager().hook.mtpconfig_rule_folders() for folder in group)
