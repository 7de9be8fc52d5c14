"""`mtpconfig render`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from mtpconfig.cli.choosing import check_format, engine_at
from mtpconfig.errors import UsageError
from mtpconfig.lint.rendered import objections
from mtpconfig.rendering import render
from mtpconfig.spec import METHODS, MTPSpec, load_spec, spec_from
from mtpconfig.writers import WRITERS


@click.command(short_help="spell a spec for an engine version")
@click.option(
    "--engine",
    "where",
    required=True,
    metavar="ENGINE[@VERSION]",
    help="The engine; without a version, the newest known.",
)
@click.option("--model", help="What is served: a path or a repository id.")
@click.option("--gamma", type=int, help="Draft tokens per verification step.")
@click.option("--temperature", type=float, help="Sampling temperature; left to the model if not given.")
@click.option("--off", is_flag=True, help="Without speculation.")
@click.option("--spec", "spec_file", metavar="FILE", help="A spec in TOML; options override it.")
@click.option("--format", "form", default="shell", show_default=True, metavar="|".join(WRITERS))
@click.option("--explain", is_flag=True, help="Say on standard error how each setting came to be.")
def command(
    where: str,
    model: str | None,
    gamma: int | None,
    temperature: float | None,
    off: bool,
    spec_file: str | None,
    form: str,
    explain: bool,
) -> int:
    """Spell a spec for an engine version; standard output holds the launch alone.

    \b
    mtpconfig render --engine llama.cpp --model qwen3.6-27b-mtp.gguf --gamma 3
    mtpconfig render --engine llama.cpp@b9180 --spec mtp.toml --format json

    Exits with 1 when the version cannot say all that was asked, or when `lint` has something against the launch;
    standard error tells what was dropped, and what is wrong.
    """
    check_format(form)
    engine, version = engine_at(where)
    spec = _spec(spec_file, model, gamma, temperature, off, engine.options().methods())
    rendering = render(engine, spec, version)
    against = objections(rendering)
    click.echo(WRITERS[form](rendering))
    for field, reason in rendering.dropped.items():
        click.echo(f"mtpconfig: {field} is dropped: {reason}", err=True)
    for objection in against:
        click.echo(f"mtpconfig: `mtpconfig lint` says of this launch: {objection}", err=True)
    if explain:
        for note in (f"for {engine.title} {version}", *rendering.notes):
            click.echo(note, err=True)
    return int(bool(rendering.dropped or against))


def _spec(
    spec_file: str | None,
    model: str | None,
    gamma: int | None,
    temperature: float | None,
    off: bool,
    further: Sequence[str],
) -> MTPSpec:
    known = tuple(dict.fromkeys((*METHODS, *further)))
    spec = MTPSpec(state="on")
    if spec_file is not None:
        try:
            if Path(spec_file).exists() and not Path(spec_file).is_file():
                raise UsageError(f"spec {spec_file} cannot be read: it is not a regular file")
            spec = load_spec(Path(spec_file).read_text("utf-8"), spec_file, known)
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not valid UTF-8"
            raise UsageError(f"spec {spec_file} cannot be read: {reason}") from None
        if spec.state == "unknown":
            spec = replace(spec, state="on")
    data = {**spec.to_dict(), **({"gamma": gamma} if gamma is not None else {})}
    data |= {"model": model} if model is not None else {}
    data |= {"temperature": temperature} if temperature is not None else {}
    if off and gamma is not None:
        raise UsageError("--off and --gamma exclude each other")
    if off:
        data = {key: value for key, value in data.items() if key not in ("methods", "gamma")} | {"state": "off"}
    return spec_from(data, "the options", known)
