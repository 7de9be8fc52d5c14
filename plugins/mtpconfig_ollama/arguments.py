"""The settings of a launch: a Modelfile's statements, words of the command line, variables, options of a request."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mtpconfig.history import OptionHistory
from mtpconfig.launch import Form, Given, Known, Launch, Opaque, Setting, Value, Word
from mtpconfig.text import Fragment
from mtpconfig.version import Version
from mtpconfig_ollama.requests import HOLDERS, Request, request_of

VARIABLES = "OLLAMA_"
INHERITED = "LLAMA_ARG_"
"""Beginning of the variables that llama.cpp's server reads, which Ollama starts with its own environment."""

MODEL, DRAFT, DEPTH, QUANTIZE = "instruction-from", "draft", "draft_num_predict", "draft-quantize"


def subcommand(program: str) -> str:
    """The name under which the option history knows a program: `create` for `ollama create`."""
    return program.removeprefix("ollama ")


def lookup(surface: str, spelling: str) -> str:
    """A name as Ollama looks it up: instructions in any case, all else as it is written."""
    return spelling.upper() if surface == "instruction" else spelling


def parse(launch: Launch, history: OptionHistory, version: Version) -> tuple[Setting, ...]:
    """All settings of a launch in effect order; names unknown at `version` have the option None."""
    program = subcommand(launch.program)
    settings: list[Setting] = []
    source = launch.fragment.source.text
    for given in launch.given:
        if given.surface in ("param", "instruction") or (given.surface == "env" and _is_its(given, source)):
            settings.append(_given(given, history, version, program, len(settings)))
    request = request_of(launch)
    if request is not None:
        settings.extend(_options(request, history, version, program))
    elif launch.argv and program in ("create", "run", "pull", "serve", "show"):
        settings.extend(_command_line(launch, history, version, program, len(settings)))
    return tuple(settings)


def _is_its(given: Given, source: str) -> bool:
    """Whether a variable is meant for Ollama: a script that reads it itself has it for its own use."""
    name = given.name.text
    if not name.startswith(VARIABLES):
        return False
    return name.startswith("OLLAMA_MLX_MTP_") or not re.search(rf"\$\{{?{re.escape(name)}\b", source)


def _given(given: Given, history: OptionHistory, version: Version, program: str, order: int) -> Setting:
    spelling = given.name.text
    period = history.find(given.surface, lookup(given.surface, spelling), version, program)
    return Setting(
        option=period.option if period else None,
        surface=given.surface,
        spelling=spelling,
        form="assigned",
        value=given.value.value if given.value is not None else None,
        name=given.name.fragment,
        value_fragment=given.value.fragment if given.value is not None else None,
        words=(),
        guard=given.guard,
        order=order,
        given=given,
    )


def _options(request: Request, history: OptionHistory, version: Version, program: str) -> Iterator[Setting]:
    """The options that a request says where they are read; what stands elsewhere is no setting."""
    for order, entry in enumerate(request.entries):
        if len(entry.path) != 2 or entry.path[0] not in HOLDERS or not request.own:
            continue
        period = history.find("request", entry.path[1], version, program)
        yield Setting(
            option=period.option if period else None,
            surface="request",
            spelling=entry.path[1],
            form="assigned",
            value=entry.value if entry.kind in ("number", "null") else Opaque("no number"),
            name=entry.name,
            value_fragment=entry.fragment,
            words=(),
            guard=entry.guard,
            order=order,
            member=entry.member,
        )


def _command_line(
    launch: Launch, history: OptionHistory, version: Version, program: str, order: int
) -> Iterator[Setting]:
    """Flags as Cobra reads them: `--name value`, `--name=value`, a switch alone; `--` ends them."""
    words = launch.args
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if word.text == "--":
            return
        if not word.text.startswith("-") or len(word.text) < 2 or isinstance(word.value, Opaque):
            continue
        spelling, equals, _ = word.text.partition("=")
        period = history.find("flag", spelling, version, program)
        following = words[place] if place < len(words) else None
        if equals:
            yield _glued(word, len(spelling), period.option if period else None, order)
        else:
            takes = _takes_value(history, spelling, version, program, following)
            value = following if takes else None
            place += value is not None
            form: Form = "spaced" if value is not None else "bare"
            yield Setting(
                option=period.option if period else None,
                surface="flag",
                spelling=spelling,
                form=form,
                value=value.value if value is not None else None,
                name=word.fragment,
                value_fragment=value.fragment if value is not None else None,
                words=(word, value) if value is not None else (word,),
                guard=word.guard,
                order=order,
            )
        order += 1


def _glued(word: Word, size: int, option: str | None, order: int) -> Setting:
    """`--name=value` in one word."""
    value: Fragment = word.fragment.slice(size + 1, len(word.text))
    known: Value = word.value if isinstance(word.value, Opaque) else Known(value.text)
    return Setting(
        option=option,
        surface="flag",
        spelling=word.text[:size],
        form="glued",
        value=known,
        name=word.fragment.slice(0, size),
        value_fragment=value,
        words=(word,),
        guard=word.guard,
        order=order,
    )


def _takes_value(history: OptionHistory, spelling: str, version: Version, program: str, following: Word | None) -> bool:
    period = history.find("flag", spelling, version, program)
    if following is None:
        return False
    if period is not None:
        return period.type != "flag" and spelling != "--think"
    return not following.text.startswith("-")
