"""llama.cpp's own grammar of a command line and of its environment, for one build and one program.

Facts (common/arg.cpp): in words that begin with `--`, every `_` becomes `-` before the look-up; there is no `--x=y`;
an option that takes a value takes the next word whatever it looks like; the environment is read before the command
line, so the command line has the last word (but see the merge rules of the history). A section of a preset file
(common/preset.cpp) is a map: a key said again replaces the one before, and keys take effect in their names' order.
"""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.history import OptionHistory, Period, at
from mtpconfig.launch import Form, Given, Launch, Opaque, Setting, Word
from mtpconfig.text import Kind
from mtpconfig.version import Version

_ARITY = {"flag": 0, "bool": 0, "string2": 2}
ENV_PREFIX = "LLAMA_"

KEYED = ("ini", "config")
"""Surfaces of configuration files: a name is an option's spelling without its dashes, or its variable."""

_FALSE = frozenset({"off", "disabled", "false", "0"})


def example_of(history: OptionHistory, program: str, version: Version) -> str:
    """The parser's name for a program at a build, e.g. `server` for llama-server."""
    row = at(history.programs.get(program, ()), version)
    return row.value if row else program.removeprefix("llama-")


def parse(launch: Launch, history: OptionHistory, version: Version, example: str) -> tuple[Setting, ...]:
    """All settings of a launch in effect order; spellings unknown at `version` have the option None."""
    settings: list[Setting] = []
    for given in launch.given:
        if given.surface == "env" and (setting := _environment(given, history, version, example, len(settings))):
            settings.append(setting)
    keyed = sorted((given for given in launch.given if given.surface in KEYED), key=_file_order)
    for given in keyed:
        if (setting := _key(given, history, version, example, len(settings))) is not None:
            settings.append(setting)
    settings.extend(_command_line(launch, history, version, example, len(settings)))
    return tuple(settings)


def normal(spelling: str) -> str:
    """A flag as the parser looks it up."""
    return "--" + spelling[2:].replace("_", "-") if spelling.startswith("--") else spelling


def lookup(setting: Setting) -> str:
    """A setting's spelling as the parser looks it up."""
    return normal(setting.spelling) if setting.surface == "flag" else setting.spelling


def _environment(given: Given, history: OptionHistory, version: Version, example: str, order: int) -> Setting | None:
    name = given.name.text
    if not name.startswith(ENV_PREFIX):
        return None
    period = history.find("env", name, version, example)
    return Setting(
        option=period.option if period else None,
        surface="env",
        spelling=name,
        form="assigned",
        value=given.value.value if given.value is not None else None,
        name=given.name.fragment,
        value_fragment=given.value.fragment if given.value is not None else None,
        words=(),
        guard=given.guard,
        order=order,
        given=given,
        negated=bool(period and period.negates),
    )


def _file_order(given: Given) -> tuple[bool, str]:
    """Keys take effect in the order of their names, those that all sections share first."""
    return not shared(given), given.name.text


def shared(given: Given) -> bool:
    """Whether a key comes from the section that holds for all models."""
    return any(segment.kind is Kind.SUBSTITUTED for segment in given.name.fragment.segments)


def _key(given: Given, history: OptionHistory, version: Version, example: str, order: int) -> Setting | None:
    """A key of a configuration file; a switch that is said to be off is no setting."""
    assert given.value is not None
    period = history.find(given.surface, given.name.text, version, example)
    switch = period is not None and period.type in ("flag", "bool")
    off = switch and given.value.text in _FALSE
    if period is not None and period.type == "flag" and off:
        return None
    return Setting(
        option=period.option if period else None,
        surface=given.surface,
        spelling=given.name.text,
        form="assigned",
        value=given.value.value,
        name=given.name.fragment,
        value_fragment=given.value.fragment,
        words=(),
        guard=given.guard,
        order=order,
        given=given,
        negated=bool(period and period.negates) != off,
    )


def _command_line(
    launch: Launch, history: OptionHistory, version: Version, example: str, order: int
) -> Iterator[Setting]:
    words = launch.args
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        spelling = word.text
        if isinstance(word.value, Opaque) or not spelling.startswith("-") or _is_number(spelling):
            continue
        period = history.find("flag", normal(spelling), version, example)
        takes = _ARITY.get(period.type, 1) if period else _borrowed_arity(history, spelling, words, place)
        values = words[place : place + takes]
        place += len(values)
        yield _setting(word, values, period, launch, order)
        order += 1


def _setting(word: Word, values: tuple[Word, ...], period: Period | None, launch: Launch, order: int) -> Setting:
    value = values[0] if values else None
    form: Form = "spaced" if values else "bare"
    return Setting(
        option=period.option if period else None,
        surface="flag",
        spelling=word.text,
        form=form,
        value=value.value if value else None,
        name=word.fragment,
        value_fragment=value.fragment if value else None,
        words=(word, *values),
        guard=word.guard,
        order=order,
        negated=bool(period and period.negates),
    )


def _borrowed_arity(history: OptionHistory, spelling: str, words: tuple[Word, ...], place: int) -> int:
    """How many words an unknown option takes: as at another build, else by the look of the next word."""
    periods = history.periods("flag", normal(spelling))
    if periods:
        return _ARITY.get(periods[-1].type, 1)
    following = words[place].text if place < len(words) else "-"
    return int(not following.startswith("-") or _is_number(following))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
