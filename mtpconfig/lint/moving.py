"""Options that became keys of an object: several old options at once, said as one new one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mtpconfig.engine import Engine, Reading, key_of
from mtpconfig.history import USABLE, OptionHistory, Replacement
from mtpconfig.launch import Opaque, Setting, texts_of
from mtpconfig.match import FixPlan, plan
from mtpconfig.meaning import replacement_for
from mtpconfig.version import Version


def gathered(
    reading: Reading, setting: Setting, replacement: Replacement, engine: Engine, history: OptionHistory
) -> FixPlan | None:
    """The plan that puts all options of a launch that are keys today into the option that holds these keys.

    None where that option is given already, where a value is not known, or where some stand in other branches.
    """
    surface = history.surfaces.get(replacement.surface)
    container = reading.launch.container
    if surface is None or not surface.holder or container is None or setting.surface != "flag":
        return None
    program, version = engine.program_at(reading.program, reading.version), reading.version
    holder = history.current_spelling(surface.holder, "flag", version, program)
    if holder is None or any(s.option == surface.holder for s in reading.settings):
        return None
    moved = list(_moved(reading, surface.name, engine, history))
    if any(other.guard != setting.guard or not _known(other) for other, _ in moved):
        return None
    keys = [key for _, key in moved if _usable(history, surface.name, key, version, program)]
    entries = {key: _value(other, key, surface.name, history, version, program) for other, key in moved if key in keys}
    first = min(reading.launch.argv.index(other.words[0]) for other, _ in moved)
    if not entries or first == 0 or None in entries.values():
        return None
    import json  # few launches come this far

    words = (holder, json.dumps(entries, separators=(",", ":")))
    edits = container.remove([word for other, _ in moved for word in other.words])
    if edits is None:
        return None

    def holds_at(at: Version) -> bool:
        there = history.current_spelling(surface.holder, "flag", at, engine.program_at(reading.program, at))
        return there == holder and all(_usable(history, surface.name, key, at, program) for key in keys)

    return plan(
        f"say it in `{holder}`",
        container.insert(reading.launch.argv[first - 1], words),
        *edits,
        same_meaning=len(keys) == len(moved),
        holds_at=holds_at,
    )


def _moved(reading: Reading, surface: str, engine: Engine, history: OptionHistory) -> Iterator[tuple[Setting, str]]:
    """The settings of a command line that are keys of an object today, each with its key."""
    for setting in reading.settings:
        program = engine.program_at(reading.program, reading.version)
        period = history.find(setting.surface, key_of(setting, engine), reading.version, program)
        if setting.surface != "flag" or period is None or period.status == "ignored":
            continue
        new = replacement_for(period, reading, history)
        if new is not None and new.surface == surface and new.spelling is not None:
            yield setting, new.spelling


def _known(setting: Setting) -> bool:
    """Whether a value is one text, whatever happens."""
    value = setting.value
    return value is None or (not isinstance(value, Opaque) and len(texts_of(value)) == 1)


def _usable(history: OptionHistory, surface: str, key: str, version: Version, program: str) -> bool:
    period = history.find(surface, key, version, program)
    return period is not None and period.status in USABLE


def _value(setting: Setting, key: str, surface: str, history: OptionHistory, version: Version, program: str) -> Any:
    """What JSON holds for a value of the command line; None where it cannot be told."""
    period = history.find(surface, key, version, program)
    text = setting.text
    kind = history.type(period.option, version) if period is not None else "string"
    if kind == "bool":
        return {"none": True, "true": True, "false": False}.get(str(text).lower()) if not setting.negated else False
    if text is None:
        return None
    if kind in ("int", "float"):
        try:
            return int(text) if kind == "int" else float(text)
        except ValueError:
            return None
    return text
