"""`mtpconfig rules`."""

from __future__ import annotations

import click

from mtpconfig.lint.rule import code_names


@click.command(short_help="all rule codes")
def command() -> int:
    """List all rule codes with the question that each answers."""
    for code, entry in sorted(code_names().items()):
        click.echo(f"{code}  {entry['severity']:8} {entry['name']:22} {entry['question']}")
    return 0
