"""Structure checks for every engine: repeated options, broken continuations."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from mtpconfig.engine import Reading
from mtpconfig.history import OptionHistory
from mtpconfig.launch import Launch, Word
from mtpconfig.lint.values import Diagnosis
from mtpconfig.match import Match


def diagnose(reading: Reading, history: OptionHistory) -> Iterator[Diagnosis]:
    """What is wrong with how a launch is put together, as (check, match)."""
    yield from _repeated(reading, history)
    yield from _blank_words(reading.launch)


def _repeated(reading: Reading, history: OptionHistory) -> Iterator[Diagnosis]:
    """An option said twice with different values on one surface, where only one counts."""
    for option, settings in reading.by_option.items():
        if not history.options[option].speculative:
            continue
        merge = history.merge(option, reading.version)
        if merge not in ("last", "first"):
            continue
        for surface in ("flag", "env"):
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
        if word.text and not word.text.strip() and _after_backslash(word):
            yield (
                "broken-continuation",
                Match(
                    anchor=word.fragment,
                    message="a blank follows the backslash: the command ends here, the next line is another one",
                    detail="delete the blank behind the backslash",
                ),
            )


def _ends_in_blank(launch: Launch) -> bool:
    return any(word.text and not word.text.strip() and _after_backslash(word) for word in launch.args)


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
