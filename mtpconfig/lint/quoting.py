"""Quoting checks: words that do not reach the program as they look."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from mtpconfig.engine import Engine, Reading
from mtpconfig.history import USABLE, OptionHistory
from mtpconfig.launch import Known, Launch, Setting, Word
from mtpconfig.lint.values import Diagnosis
from mtpconfig.match import FixPlan, Match, plan
from mtpconfig.version import Version

_PAIRS = {'"': '"', "'": "'", "\u201c": "\u201d", "\u201d": "\u201d", "\u2018": "\u2019", "\u2019": "\u2019"}
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"


def diagnose(reading: Reading, engine: Engine, history: OptionHistory) -> Iterator[Diagnosis]:
    """Typographic dashes, quotes that reach the program, an option and its value in one word, words too many."""
    taken = {id(word) for setting in reading.settings for word in setting.words}
    for setting in reading.settings:
        if setting.option is not None and history.options[setting.option].speculative:
            yield from _kept_quotes(reading, setting)
            yield from _too_many(reading, setting, taken)
        elif setting.option is None and setting.surface == "flag":
            yield from _one_word(reading, setting, engine, history)
    for word in reading.launch.args:
        if word.text[:1] in _DASHES and id(word) not in taken:
            yield from _dash(reading, word, engine, history)


def _known(reading: Reading, name: str, engine: Engine, history: OptionHistory, version: Version) -> bool:
    program = engine.program_at(reading.program, version)
    period = history.find("flag", engine.lookup("flag", name), version, program)
    return period is not None and period.status in USABLE and history.options[period.option].speculative


def _dash(reading: Reading, word: Word, engine: Engine, history: OptionHistory) -> Iterator[Diagnosis]:
    text = word.text
    name = "--" + text.lstrip(_DASHES + "-")
    if not history.periods("flag", engine.lookup("flag", name)):
        return
    yield (
        "shell-quoting",
        Match(
            anchor=word.fragment,
            message=f"`{text}` begins with a typographic dash: {reading.program} sees no option in it",
            detail="no option to the program",
            help=f"write `{name}`",
            plan=plan(
                f"write `{name}`",
                word.fragment.replace(0, len(text), name),
                same_meaning=True,
                holds_at=lambda version: _known(reading, name, engine, history, version),
            ),
        ),
    )


def _kept_quotes(reading: Reading, setting: Setting) -> Iterator[Diagnosis]:
    value, text = setting.value_fragment, setting.text
    if value is None or text is None or len(text) < 2 or _PAIRS.get(text[0]) != text[-1]:
        return
    inner = text[1:-1]
    yield (
        "shell-quoting",
        Match(
            anchor=value,
            message=f"the quotes reach {reading.program}: it receives {text} for `{setting.spelling}`",
            setting=setting,
            detail="part of the value",
            help=f"write {inner} without them",
            about_value=True,
            plan=plan(
                "take the quotes away",
                value.replace(0, len(text), inner) if value.text == text else None,
                same_meaning=True,
                holds_at=lambda version: True,
            ),
        ),
    )


def _one_word(reading: Reading, setting: Setting, engine: Engine, history: OptionHistory) -> Iterator[Diagnosis]:
    name, blank, rest = setting.spelling.partition(" ")
    if not blank or not rest.strip():
        return
    new = _name_today(reading, name, engine, history)
    if new is None:
        return
    listed = _in_list(reading.launch, setting.words[0])
    yield (
        "glued-list-item" if listed else "shell-quoting",
        Match(
            anchor=setting.name,
            message=f"{reading.program} receives `{setting.spelling}` as one word and knows no such option",
            setting=setting,
            detail="two words in one item of the list" if listed else "two words in one pair of quotes",
            help=f"write `{new}` and its value as two {'items' if listed else 'words'}",
            plan=_parted(reading, setting, new, engine, history) if listed else None,
        ),
    )


def _name_today(reading: Reading, name: str, engine: Engine, history: OptionHistory) -> str | None:
    """The name at this version of the speculative option that a name stands for at any; None if it stands for none."""
    if _known(reading, name, engine, history, reading.version):
        return name
    program = engine.program_at(reading.program, reading.version)
    for period in reversed(history.periods("flag", engine.lookup("flag", name))):
        if history.options[period.option].speculative:
            return history.current_spelling(period.option, "flag", reading.version, program)
    return None


def _in_list(launch: Launch, word: Word) -> bool:
    return launch.container is not None and launch.container.is_item(word)


def _parted(reading: Reading, setting: Setting, new: str, engine: Engine, history: OptionHistory) -> FixPlan | None:
    """The item cut down to the option, and a new item behind it for each word that followed; quotes are taken off."""
    container, word = reading.launch.container, setting.words[0]
    try:
        name, *values = shlex.split(setting.spelling)
    except ValueError:
        return None
    if container is None or not word.text.startswith(name) or word.fragment.text != word.text:
        return None
    return plan(
        "make an item of each word",
        word.fragment.replace(0, len(word.text), new),
        container.insert(word, values),
        same_meaning=True,
        holds_at=lambda version: _known(reading, new, engine, history, version),
    )


def _too_many(reading: Reading, setting: Setting, taken: set[int]) -> Iterator[Diagnosis]:
    """A word right behind a speculative option and its value that no option takes."""
    words = reading.launch.args
    if not setting.words or not reading.closed:
        return
    place = next((n for n, word in enumerate(words) if word is setting.words[-1]), len(words)) + 1
    if place >= len(words) or id(words[place]) in taken:
        return
    stray = words[place]
    if not isinstance(stray.value, Known) or not stray.text.strip() or stray.text[:1] in "-" + _DASHES:
        return
    takes = "one value" if setting.value is not None else "no value"
    yield (
        "invalid-value",
        Match(
            anchor=stray.fragment,
            message=f"{reading.program} does not start: `{stray.text}` is too many, `{setting.spelling}` takes {takes}",
            setting=setting,
            detail="no option takes it",
            help=f"remove it, or join the values: {setting.text},{stray.text}" if setting.text else "remove it",
            severity="error",
        ),
    )
