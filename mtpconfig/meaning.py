"""What the settings of a reading amount to: the values in force, and what an outdated spelling was meant to say."""

from __future__ import annotations

from collections.abc import Sequence

from mtpconfig.engine import Reading
from mtpconfig.history import OptionHistory, Period, Replacement


def values_of(option: str, reading: Reading, history: OptionHistory) -> Sequence[str] | None:
    """The values that an option may have, its default counted.

    Empty when it has none for sure, None when its values cannot be known. A bare switch is `on` or `off`.
    """
    settings = reading.by_option.get(option, ())
    merge = history.merge(option, reading.version)
    if not settings:
        if not reading.closed:
            return None
        default = history.default(option, reading.version)
        return [default] if default is not None else []
    wanted = settings if merge == "append" else settings[:1] if merge == "first" else settings[-1:]
    texts: list[str] = []
    for setting in wanted:
        if setting.negated or setting.value is None:
            texts.append("off" if setting.negated else "on")
            continue
        if not setting.texts:
            return None
        texts += setting.texts
    return texts


def replacement_for(period: Period, reading: Reading, history: OptionHistory) -> Replacement | None:
    """What to write instead of a spelling that is gone; None where there is nothing, or where it cannot be told."""
    for row in period.replace:
        if row.stretch.holds(reading.version) is not True:
            continue
        truth = _holds(row.when, reading, history)
        if truth is None:
            return None
        if truth:
            return row
    return None


def _holds(condition: str, reading: Reading, history: OptionHistory) -> bool | None:
    """Evaluate `OPTION has VALUE` or `OPTION lacks VALUE`; an empty condition holds."""
    if not condition:
        return True
    option, word, value = condition.split()
    values = values_of(option, reading, history)
    if values is None:
        return None
    has = any(value in text.split(",") for text in values)
    return has if word == "has" else not has


def still_meant(period: Period, reading: Reading, history: OptionHistory) -> bool:
    """Whether a spelling that stops the start was meant to say what its option, under its new name, still says."""
    if period.status != "fatal":
        return False
    new = replacement_for(period, reading, history)
    if new is None or new.spelling is None:
        return False
    return any(found.option == period.option for found in history.periods(new.surface or period.surface, new.spelling))
