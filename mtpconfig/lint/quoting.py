"""Quoting checks: words that do not reach the program as they look."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator

from mtpconfig.engine import Engine, Reading
from mtpconfig.history import USABLE, OptionHistory, Period
from mtpconfig.launch import Known, Launch, Opaque, Setting, Word
from mtpconfig.lint.structure import hides_option
from mtpconfig.lint.values import Diagnosis
from mtpconfig.match import FixPlan, Match, plan
from mtpconfig.text.structured import is_object
from mtpconfig.version import Version

_PAIRS = {'"': '"', "'": "'", "\u201c": "\u201d", "\u201d": "\u201d", "\u2018": "\u2019", "\u2019": "\u2019"}
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_OPERATOR = re.compile(r"\|[|&]?|&&?|;|[\d&]?>>?(?:&\d|/\S+)?")


def diagnose(reading: Reading, engine: Engine, history: OptionHistory) -> Iterator[Diagnosis]:
    """Typographic dashes, quotes and operators that reach the program, several words in one, words too many."""
    taken = {id(word) for setting in reading.settings for word in setting.words}
    for setting in reading.settings:
        if setting.option is not None and history.options[setting.option].speculative:
            yield from _kept_quotes(reading, setting)
            yield from _too_many(reading, setting, history, taken)
        elif setting.option is None and setting.surface == "flag":
            yield from _one_word(reading, setting, engine, history)
    for word in reading.launch.args:
        if word.text[:1] in _DASHES and id(word) not in taken:
            yield from _dash(reading, word, engine, history)
    yield from _operator(reading, taken)


def _usable(reading: Reading, name: str, engine: Engine, history: OptionHistory, version: Version) -> Period | None:
    """What a name means at a version, where the program takes it there."""
    program = engine.program_at(reading.program, version)
    period = history.find("flag", engine.lookup("flag", name), version, program)
    return period if period is not None and period.status in USABLE else None


def _known(reading: Reading, name: str, engine: Engine, history: OptionHistory, version: Version) -> bool:
    period = _usable(reading, name, engine, history, version)
    return period is not None and history.options[period.option].speculative


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
    name, *rest = setting.spelling.split()
    if not rest:
        return
    new = _name_today(reading, name, engine, history)
    shown = setting.spelling
    if new is None and _hides_speculation(reading, setting, engine, history):
        new, shown = name, f"{name} ..."  # what follows may be secret
    if new is None:
        return
    listed, count = _in_list(reading.launch, setting.words[0]), "two" if len(rest) == 1 else "several"
    things = "items" if listed else "words"
    yield (
        "glued-list-item" if listed else "shell-quoting",
        Match(
            anchor=setting.name,
            message=f"{reading.program} receives `{shown}` as one word and knows no such option",
            setting=setting,
            detail=f"{count} words in one {'item of the list' if listed else 'pair of quotes'}",
            help=f"write `{new}` and its value as two {things}" if len(rest) == 1 else f"make {things} of them",
            plan=_parted(reading, setting, new, engine, history) if listed else None,
        ),
    )


def _hides_speculation(reading: Reading, setting: Setting, engine: Engine, history: OptionHistory) -> bool:
    """Whether a word begins with some option and holds a speculative one behind it; not what may be a value."""
    name, *rest = setting.spelling.split()
    if _usable(reading, name, engine, history, reading.version) is None or _may_be_value(reading, setting):
        return False
    return any(word.startswith("-") and _name_today(reading, word, engine, history) is not None for word in rest)


def _may_be_value(reading: Reading, setting: Setting) -> bool:
    """Whether the word in front is an option that nobody knows, or anything at all: it may take this one."""
    words = reading.launch.args
    place = next((n for n, word in enumerate(words) if word is setting.words[0]), 0)
    if place == 0:
        return False
    before = words[place - 1]
    holder = next((other for other in reading.settings if before in other.words), None)
    if holder is None:
        return isinstance(before.value, Opaque)
    return holder.option is None and len(holder.words) == 1 and len(holder.spelling.split()) == 1


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
    name, *values = _apart(setting.spelling) or ("",)
    if container is None or not name or not word.text.startswith(name) or word.fragment.text != word.text:
        return None
    return plan(
        "make an item of each word",
        word.fragment.replace(0, len(word.text), new),
        container.insert(word, values),
        same_meaning=True,
        holds_at=lambda version: _usable(reading, new, engine, history, version) is not None,
    )


def _apart(spelling: str) -> list[str] | None:
    """The words of an item without their quotes; None where it cannot be told which of them a value is made of."""
    name, _, value = spelling.partition(" ")
    value = value.strip()
    if value[:1] in ("{", "'") and (bare := value.strip("'")).startswith("{"):
        return [name, bare] if is_object(bare) and value in (bare, f"'{bare}'") else None
    if "{" in spelling or "\\" in spelling:
        return None
    try:
        words = shlex.split(spelling)
    except ValueError:
        return None
    loose = any(word[:1] != "-" and following[:1] != "-" for word, following in itertools.pairwise(words))
    return None if loose else words


def _operator(reading: Reading, taken: set[int]) -> Iterator[Diagnosis]:
    """The first shell operator that the program receives as a word, as no shell reads the command."""
    for word in reading.launch.args:
        if id(word) not in taken and _is_operator(reading.launch, word):
            yield (
                "shell-quoting",
                Match(
                    anchor=word.fragment,
                    message=f"no shell reads this command: {reading.program} receives `{word.text}` as an argument",
                    detail="means nothing here",
                    help="take it and what follows away, or let a shell start the program: `sh -c '...'`",
                ),
            )
            return


def _is_operator(launch: Launch, word: Word) -> bool:
    """Whether a word is a shell operator that was meant as one: an item of a list, or written without quotes."""
    if not isinstance(word.value, Known) or not _OPERATOR.fullmatch(word.text):
        return False
    return _in_list(launch, word) or _bare(word)


def _bare(word: Word) -> bool:
    """Whether a word stands in the text as the program receives it, with blanks around; no shell would leave it so."""
    spans = word.fragment.locate_all()
    if len(spans) != 1 or word.site is None or word.site.end - word.site.start != len(word.text):
        return False
    (start, end), text = spans[0], word.fragment.source.text
    return text[start:end] == word.text and not (text[start - 1 : start] + text[end : end + 1]).strip()


def _too_many(reading: Reading, setting: Setting, history: OptionHistory, taken: set[int]) -> Iterator[Diagnosis]:
    """A word right behind a speculative option and its value that no option takes."""
    words = reading.launch.args
    if not setting.words or not reading.closed:
        return
    place = next((n for n, word in enumerate(words) if word is setting.words[-1]), len(words)) + 1
    if place >= len(words) or id(words[place]) in taken:
        return
    stray = words[place]
    if any(stray is word for word in reading.operands):
        return
    if not isinstance(stray.value, Known) or not stray.text.strip() or stray.text[:1] in "-" + _DASHES:
        return
    if hides_option(stray, history) or _is_operator(reading.launch, stray):
        return  # told as what it is
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
