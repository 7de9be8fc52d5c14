"""Structure checks for every engine: repeated options, broken continuations, maps among words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from mtpconfig.engine import Reading
from mtpconfig.history import OptionHistory
from mtpconfig.launch import Launch, Opaque, Word
from mtpconfig.lint.values import Diagnosis
from mtpconfig.match import Match
from mtpconfig.text.structured import is_object


def diagnose(reading: Reading, history: OptionHistory) -> Iterator[Diagnosis]:
    """What is wrong with how a launch is put together, as (check, match)."""
    yield from _repeated(reading, history)
    yield from _blank_words(reading.launch)
    yield from _kept_blanks(reading, history)
    yield from _maps(reading)


def _repeated(reading: Reading, history: OptionHistory) -> Iterator[Diagnosis]:
    """An option said twice with different values on one surface, where only one counts."""
    for option, settings in reading.by_option.items():
        if not history.options[option].speculative:
            continue
        merge = history.merge(option, reading.version)
        if merge not in ("last", "first"):
            continue
        for surface in dict.fromkeys(setting.surface for setting in settings):
            if history.derived(surface):  # a later section of a file overrides an earlier one on purpose
                continue
            said = [s for s in settings if s.surface == surface]
            if not said:
                continue
            winner = said[-1] if merge == "last" else said[0]
            for setting in said:
                if setting is winner or (setting.text == winner.text and setting.negated == winner.negated):
                    continue
                shown = f"{winner.spelling} {winner.text or ''}".strip()
                yield (
                    "repeated-option",
                    Match(
                        anchor=setting.name,
                        message=f"`{setting.spelling}` is said again: only the {merge} one counts, `{shown}`",
                        setting=setting,
                        detail="has no effect",
                        related=(winner.name,),
                    ),
                )


def _blank_words(launch: Launch) -> Iterator[Diagnosis]:
    """A backslash before trailing blanks continues nothing; the program receives a blank as a word."""
    for word in launch.args:
        if _is_kept_blank(word):
            ends = word is launch.args[-1]
            yield (
                "broken-continuation",
                Match(
                    anchor=word.fragment,
                    message="a blank follows the backslash: the command ends here, the next line is another one"
                    if ends
                    else "the backslash keeps the blank behind it: the program receives that as a word",
                    detail="delete the blank behind the backslash" if ends else "delete the backslash",
                ),
            )


def _kept_blanks(reading: Reading, history: OptionHistory) -> Iterator[Diagnosis]:
    """A backslash that continues nothing and keeps a blank or a line end: the option behind it is none."""
    taken = {id(word) for setting in reading.settings for word in setting.words}
    for word in reading.launch.args:
        if id(word) not in taken and hides_option(word, history):
            kept = "line end" if word.text.startswith("\n") else "blank"
            yield (
                "broken-continuation",
                Match(
                    anchor=word.fragment,
                    message=f"the backslash keeps the {kept} behind it: {reading.program} receives that "
                    f"in front of `{word.text.lstrip()}` and sees no option",
                    detail="no option to the program",
                    why="The option does not reach the program: it stops at start, or runs without it.",
                    help="delete the backslash",
                ),
            )


def hides_option(word: Word, history: OptionHistory) -> bool:
    """Whether a word is an option behind a blank that a backslash keeps."""
    name = word.text.lstrip()
    spelled = name.startswith("-") and name != word.text and history.periods("flag", name)
    return bool(spelled) and _after_backslash(word)


def _maps(reading: Reading) -> Iterator[Diagnosis]:
    """JSON without quotes in a YAML list: a map of YAML, where the option takes a string."""
    for setting in reading.settings:
        if setting.option is None or len(setting.words) != 2 or not _is_map(reading.launch, setting.words[1]):
            continue
        yield (
            "glued-list-item",
            Match(
                anchor=setting.words[1].fragment,
                message=f"the value of `{setting.spelling}` is a map of YAML: an item of a command must be a string",
                setting=setting,
                detail="JSON without quotes around it",
                why="The option does not receive the JSON: the file is refused, or the program receives another text.",
                help="put quotes around it",
                about_value=True,
            ),
        )


def _is_map(launch: Launch, word: Word) -> bool:
    """Whether an item of a list is a map that reads as JSON; a string of that text would stand in quotes."""
    container, text = launch.container, word.text
    if container is None or not isinstance(word.value, Opaque) or not text.startswith("{") or word.site is None:
        return False
    if word.site.end - word.site.start != len(text) or not container.is_item(word):
        return False
    return is_object(text)


def _ends_in_blank(launch: Launch) -> bool:
    return any(_is_kept_blank(word) for word in launch.args)


def _is_kept_blank(word: Word) -> bool:
    return bool(word.text) and not word.text.strip() and _after_backslash(word)


def _after_backslash(word: Word) -> bool:
    spans = word.fragment.locate_all()
    return bool(spans) and "\\" in word.fragment.source.text[spans[0].start : spans[0].end]


def stray_commands(launches: Sequence[tuple[Launch, bool]]) -> Iterator[tuple[Launch, Launch]]:
    """Commands that begin with an option, right behind a launch: (launch, stray command).

    `launches` are all commands of a text in order, each with whether an engine recognised it.
    """
    for (before, recognised), (stray, _) in itertools.pairwise(launches):
        if recognised and _ends_in_blank(before):
            continue  # told at the blank itself
        if before.fragment.parent is not stray.fragment.parent:
            continue  # the end of one text, the beginning of another
        if recognised and stray.argv and stray.argv[0].text.startswith("-") and stray.image is None:
            yield before, stray
