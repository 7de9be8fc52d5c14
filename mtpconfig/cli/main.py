"""The group of verbs. Each verb lives in a module of its own and is imported when it is called."""

from __future__ import annotations

from importlib import import_module

import click

VERBS = {
    "render": "spell a spec for an engine version",
    "lint": "check launches in scripts, manifests, units, docs",
    "show": "what the engine will really receive",
    "translate": "a launch as another engine or version says it",
    "verify": "prove on the running server that speculation is active",
    "explain": "a rule code or an option, in full",
    "engines": "engines, their known versions",
    "rules": "all rule codes",
}


class _Verbs(click.Group):
    """Knows all verbs by name and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = import_module(f"mtpconfig.cli.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from mtpconfig.errors import UnknownName

            raise UnknownName("verb", args[0], VERBS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(None, "-V", "--version", package_name="mtpconfig", message="mtpconfig %(version)s")
def cli() -> None:
    """Multi-token-prediction settings, right for the version of the engine that runs: render, lint, fix, verify."""
