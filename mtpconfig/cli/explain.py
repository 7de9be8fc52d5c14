"""`mtpconfig explain`."""

from __future__ import annotations

import click

from mtpconfig.errors import UnknownName, UsageError
from mtpconfig.hooks import engines, find_engine


@click.command(short_help="a rule code or an option, in full")
@click.argument("code", required=False)
@click.option("--option", metavar="NAME", help="A flag, an environment variable or a request field, as it is written.")
@click.option("--engine", "engine_name", metavar="ENGINE", help="With --option: only this engine.")
def command(code: str | None, option: str | None, engine_name: str | None) -> int:
    """Explain a rule code, or tell the history of an option.

    \b
    mtpconfig explain MTP101
    mtpconfig explain --option=--draft-max
    """
    if (code is None) == (option is None):
        raise UsageError("say either a CODE or --option NAME")
    click.echo(_code(code) if code is not None else _option(option or "", engine_name))
    return 0


def _code(code: str) -> str:
    from mtpconfig.lint.explanation import explain_code
    from mtpconfig.lint.linter import Linter
    from mtpconfig.lint.rule import code_names

    names = code_names()
    wanted = code.upper()
    if wanted not in names:
        by_name = {entry["name"]: key for key, entry in names.items()}
        if code.lower() not in by_name:
            raise UnknownName("code", code, [*names, *by_name])
        wanted = by_name[code.lower()]
    return explain_code(wanted, names[wanted], [rule for rule in Linter().rules if rule.code == wanted])


def _option(name: str, engine_name: str | None) -> str:
    from mtpconfig.lint.explanation import explain_option

    chosen = [find_engine(engine_name)] if engine_name is not None else list(engines().values())
    blocks = [text for engine in chosen if (text := explain_option(engine, name)) is not None]
    if not blocks:
        known = {
            spelling
            for engine in chosen
            for surface in engine.options().surfaces
            for spelling in engine.options().spellings(surface)
        }
        near = _near(name, known)
        hint = f"did you mean {near[0]}?" if near else "no version has ever known it"
        raise UsageError(f"unknown option {name!r} ({hint})")
    return "\n\n".join(blocks)


_NEAR = 0.75
"""How like a name must be to be offered; less of a short name is chance."""


def _near(name: str, known: set[str]) -> list[str]:
    import difflib

    return difflib.get_close_matches(name, known, n=1, cutoff=_NEAR)
