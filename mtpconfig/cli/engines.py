"""`mtpconfig engines`."""

from __future__ import annotations

import click

from mtpconfig.hooks import engines


@click.command(short_help="engines, their known versions")
def command() -> int:
    """List the engines and the versions whose options are known."""
    found = list(engines().values())
    if not found:
        click.echo("no engine plugin is loaded (see MTPCONFIG_PLUGINS)")
    for engine in found:
        history = engine.options()
        click.echo(f"{engine.id:12} {history.oldest} to {history.newest}  ({len(history.versions)} versions read)")
    return 0
