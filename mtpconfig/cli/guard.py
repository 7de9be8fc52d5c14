"""Turns whatever happens into an exit code and at most one sentence.

0 clean · 1 findings · 2 usage or configuration error · 3 unproven · 4 internal error · 130 interrupted
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from mtpconfig import __version__
from mtpconfig.cli.main import cli
from mtpconfig.errors import MtpconfigError


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    try:
        with cli.make_context("mtpconfig", list(arguments)) as context:
            result = cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return _flushed(stop.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 2
    except click.Abort:
        return 130
    except click.ClickException as error:
        return _refuse(error.format_message())
    except MtpconfigError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return _silenced()
    except Exception:
        return _internal_error(arguments)
    return result if isinstance(result, int) else 0


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _silenced()
    return code


def _silenced() -> int:
    """The reader has gone (`| head`): nothing is left to say, and nothing may be flushed at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _refuse(sentence: str) -> int:
    print(f"mtpconfig: {sentence}", file=sys.stderr)
    return 2


def _internal_error(arguments: Sequence[str]) -> int:
    import platform
    import tempfile
    import traceback

    handle, path = tempfile.mkstemp(prefix="mtpconfig-error-", suffix=".md")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(
            f"mtpconfig {__version__}, Python {platform.python_version()}, {platform.platform()}\n\n"
            f"verb: {arguments[0] if arguments else ''}\n\n```\n{traceback.format_exc()}```\n"
        )
    print(f"mtpconfig: internal error, a bug of mtpconfig; the report is in {path}", file=sys.stderr)
    return 4
