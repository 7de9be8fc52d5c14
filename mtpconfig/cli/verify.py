"""`mtpconfig verify`."""

from __future__ import annotations

import math
import os
import re
from typing import Any

import click

from mtpconfig.engine import Engine
from mtpconfig.errors import UsageError
from mtpconfig.hooks import engines, find_engine
from mtpconfig.probe.address import Address, parse_address
from mtpconfig.probe.asked import Asking, from_launch, from_spec
from mtpconfig.probe.log import ServerLog
from mtpconfig.probe.report import json_, text
from mtpconfig.probe.run import Plan
from mtpconfig.probe.verdict import Thresholds
from mtpconfig.probe.verify import Connection, exit_code, verify
from mtpconfig.version import Version

_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*)")


class _Finite(click.FloatRange):
    """A range that `nan` does not slip through."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        return number if math.isfinite(number) else self.fail(f"{value} is no number.", param, ctx)


@click.command(short_help="prove on the running server that speculation is active")
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--engine", "where", metavar="ENGINE[@VERSION]", help="Ask as this engine; a version it does not state.")
@click.option("--spec", "spec_file", metavar="FILE", help="Compare with a spec in TOML.")
@click.option("--against", metavar="FILE[:LINE]", help="Compare with the launch in a script, manifest, unit ...")
@click.option("--requests", type=click.IntRange(1, 50), default=2, show_default=True, help="Completions to ask for.")
@click.option("--max-tokens", type=click.IntRange(1, 4096), default=128, show_default=True, help="Tokens in each.")
@click.option("--passive", is_flag=True, help="Send no completions: watch the counters.")
@click.option("--interval", type=_Finite(0, 3600), default=10.0, show_default=True, help="Seconds to watch.")
@click.option("--min-acceptance", type=_Finite(0, 1), default=0.0, help="Less accepted/drafted is inactive.")
@click.option(
    "--min-drafts", type=click.IntRange(1), default=20, show_default=True, help="Draft tokens needed for a verdict."
)
@click.option("--model", default="", help="The model to ask for, where a server has several.")
@click.option("--log", "log", metavar="FILE", help="The server's own log, for servers that count nothing.")
@click.option(
    "--allow-reload",
    is_flag=True,
    help="Where nothing is counted: compare with drafts off, which loads the model twice.",
)
@click.option("--timeout", type=_Finite(0.1, 3600), default=60.0, show_default=True, help="Seconds for each server.")
@click.option("--api-key-env", metavar="NAME", help="The environment variable that holds the API key.")
@click.option("--header", "headers", multiple=True, metavar="'NAME: VALUE'", help="Sent with each request.")
@click.option("--ca-file", metavar="FILE", help="Certificates to trust (PEM) in the place of the system's.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    urls: tuple[str, ...],
    where: str | None,
    spec_file: str | None,
    against: str | None,
    requests: int,
    max_tokens: int,
    passive: bool,
    interval: float,
    min_acceptance: float,
    min_drafts: int,
    model: str,
    log: str | None,
    allow_reload: bool,
    timeout: float,
    api_key_env: str | None,
    headers: tuple[str, ...],
    ca_file: str | None,
    as_json: bool,
) -> int:
    """Prove on running servers that speculation is active: from what they count, not from what they were told.

    \b
    mtpconfig verify http://127.0.0.1:8080
    mtpconfig verify http://10.0.0.7:8000 --against deploy.yaml --min-acceptance 0.4
    mtpconfig verify https://llm.example.org --api-key-env LLM_KEY --passive --json

    Exits with 0 active, 1 inactive or not as asked for, 2 unreachable, 3 unproven; of several the gravest.
    """
    if not engines():
        raise UsageError("no engine plugin is loaded, so no server would be known (see MTPCONFIG_PLUGINS)")
    addresses = [parse_address(url) for url in urls]
    engine, version = _engine(where)
    plan = Plan(
        engine=engine,
        version=version,
        requests=requests,
        max_tokens=max_tokens,
        passive=passive,
        interval=interval,
        model=model,
        log=_log(log, addresses),
        may_reload=allow_reload,
    )
    connection = Connection(timeout, _headers(headers, api_key_env), ca_file)
    thresholds = Thresholds(min_acceptance, min_drafts)
    asking = _asking(spec_file, against)
    if passive and allow_reload:
        raise UsageError("--passive sends no completions, and --allow-reload compares some: leave one out")
    if passive and interval >= timeout:
        raise UsageError(f"--interval {interval:g} must be shorter than --timeout {timeout:g}")
    outcomes = [verify(address, plan, connection, thresholds, asking) for address in addresses]
    if shown := json_(outcomes) if as_json else text(outcomes):
        click.echo(shown)
    for outcome in outcomes:
        if outcome.error:
            click.echo(f"mtpconfig: {outcome.error}", err=True)
    return exit_code(outcomes)


def _engine(where: str | None) -> tuple[Engine | None, Version | None]:
    if where is None:
        return None, None
    name, at, stated = where.partition("@")
    engine = find_engine(name)
    return engine, engine.scheme.parse(stated) if at else None


def _asking(spec_file: str | None, against: str | None) -> Asking | None:
    if spec_file is not None and against is not None:
        raise UsageError("--spec and --against exclude each other")
    if spec_file is not None:
        return from_spec(spec_file)
    return from_launch(against) if against is not None else None


def _log(path: str | None, addresses: list[Address]) -> ServerLog | None:
    if path is not None and len(addresses) > 1:
        raise UsageError("--log is one server's: give one URL with it")
    return ServerLog(path) if path is not None else None


def _headers(given: tuple[str, ...], api_key_env: str | None) -> dict[str, str]:
    """Headers to send. Raises UsageError, never with a value in it: values may be secrets."""
    found: dict[str, str] = {}
    for header in given:
        if (match := _HEADER.fullmatch(header)) is None:
            raise UsageError("--header is written as 'NAME: VALUE', in one line of ASCII")
        found[match[1]] = match[2]
    if api_key_env is not None:
        key = os.environ.get(api_key_env, "").strip()
        if not key:
            raise UsageError(f"--api-key-env: the variable {api_key_env} is not set, or empty")
        if not key.isascii() or not key.isprintable():
            raise UsageError(
                f"--api-key-env: the value of {api_key_env} is no key: it has characters that headers cannot"
            )
        found["Authorization"] = f"Bearer {key}"
    return found
