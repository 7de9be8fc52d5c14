"""What the server does with the options of a request."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.engine import Reading
from mtpconfig.launch import Known
from mtpconfig.match import Match
from mtpconfig_ollama.arguments import DEPTH
from mtpconfig_ollama.reading import UNSET_DEPTH
from mtpconfig_ollama.requests import HOLDERS, request_of


def values(reading: Reading) -> Iterator[Match]:
    """A depth that is no number: refused as a text, and taken as said where it is null (MTP105)."""
    request = request_of(reading.launch)
    settings = {setting.name.locate_all(): setting for setting in reading.by_option.get(DEPTH, ())}
    for entry in request.entries if request is not None else ():
        setting = settings.get(entry.name.locate_all())
        if (
            setting is None
            or setting.surface != "request"
            or entry.fragment is None
            or not isinstance(entry.value, Known)
        ):
            continue
        text = entry.value.text
        if entry.kind in ("string", "bool"):
            yield Match(
                anchor=entry.fragment,
                message=f"Ollama {reading.version} answers this request with an error: `{DEPTH}` wants a number, not "
                f"{'the text ' if entry.kind == 'string' else ''}`{text}`",
                setting=setting,
                detail="no number",
                why=f'The answer is 500: option "{DEPTH}" must be of type integer',
                help="write a number without quotes",
                severity="error",
                about_value=True,
            )
        elif entry.kind == "null":
            yield Match(
                anchor=entry.fragment,
                message=f"Ollama {reading.version} takes `{DEPTH}: {text}` as said: it drafts {UNSET_DEPTH} tokens",
                setting=setting,
                detail="null is not off",
                why="A null keeps the default of 4, and an MTP head is used as soon as the option is there at all.",
                help="write 0 to switch drafting off, or leave the option out",
                severity="warning",
                about_value=True,
            )


def misplaced(reading: Reading) -> Iterator[Match]:
    """A depth where no server reads it: beside `options`, or on a route of another vendor's (MTP106)."""
    request = request_of(reading.launch)
    for entry in request.entries if request is not None else ():
        if entry.path[-1] != DEPTH or (request is not None and request.own and len(entry.path) != 1):
            continue
        if request is not None and not request.own:
            message = f"Ollama reads no `{DEPTH}` on the /v1 routes: it makes the options up itself"
            help_ = f"set `PARAMETER {DEPTH}` in the model, or ask /api/chat"
        elif len(entry.path) == 1:
            message = f"Ollama reads `{DEPTH}` inside `{HOLDERS[0]}` only"
            help_ = f"put it into `{HOLDERS[0]}`"
        else:
            continue
        yield Match(anchor=entry.name, message=message, detail="dropped without a word", help=help_)
