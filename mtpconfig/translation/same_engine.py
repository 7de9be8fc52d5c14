"""From one version of an engine to another: what the spec does not hold is taken along under its name there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mtpconfig.engine import Engine, Reading
from mtpconfig.history import ANY_WORD, USABLE, OptionHistory, Period
from mtpconfig.launch import Opaque, Setting
from mtpconfig.translation.left import Stays, values_of
from mtpconfig.translation.told import Told

_SWITCHES = frozenset(("flag", "bool", "optional"))


def conflicting(told: Told, history: OptionHistory) -> bool:
    """Whether the engine's own words for the spec say something else of speculation than the launch does.

    A tree of drafts, or a kind of n-grams, is no part of the spec.
    """
    said = told.again.by_option if told.again is not None else {}
    return any(o is not None and o in said and history.options[o].speculative for s, o in told.untold if not s.guard)


def renamed(setting: Setting, option: str, engine: Engine, there: Reading) -> Sequence[str]:
    """The words for an option at another version. Raises Stays."""
    name = _spelling(setting, option, engine, there)
    where = f"{engine.title} {there.version}"
    texts, period = values_of(setting), _period(name, engine, there)
    if not texts and period is not None and period.type not in _SWITCHES:
        raise Stays(f"`{name}` takes a value at {where}")
    if texts and period is not None and period.type == "flag":
        raise Stays(f"`{name}` takes no value at {where}")
    if not isinstance(setting.value, Opaque) and (item := refused(option, texts, engine, there)) is not None:
        raise Stays(f"{where} is not known to take {item}")
    return [name, *texts]


def refused(option: str, texts: Sequence[str], engine: Engine, there: Reading) -> str | None:
    """The first word among an option's values that the other version is not known to take."""
    history = engine.options()
    choices = [choice for choice in history.options[option].values if choice.status in USABLE]
    taken = {choice.text for choice in choices if choice.stretch.holds(there.version)}
    lists = history.type(option, there.version) == "list"
    items = [item for text in texts for item in (text.split(",") if lists else [text])]
    if not history.options[option].values or ANY_WORD in taken:
        return None
    return next((item for item in items if item not in taken), None)


def with_value(argv: Sequence[str], said: Setting, text: str) -> Sequence[str]:
    """The words with another value for what `said` says among them."""
    found = list(argv)
    for place in range(len(found) - 1):
        if found[place] == said.spelling:
            found[place + 1] = text
    return found


def with_member(argv: Sequence[str], setting: Setting, engine: Engine, there: Reading) -> Sequence[str]:
    """The words with one more member in the object that holds such names. Raises Stays."""
    history = engine.options()
    where = f"{engine.title} {there.version}"
    surface = history.surfaces.get(setting.surface)
    holder = there.by_option.get(surface.holder, ()) if surface is not None and surface.holder else ()
    period = history.find(setting.surface, setting.key or setting.spelling, there.version, there.program)
    if not holder or period is None or period.status not in USABLE or setting.text is None or "." in setting.spelling:
        raise Stays(f"{where} has no place for it")
    if (item := refused(period.option, [setting.text], engine, there)) is not None:
        raise Stays(f"{where} is not known to take {item}")
    body = json.loads(holder[-1].text or "{}")
    body[setting.spelling] = _as_json(setting.text, period.type)
    return with_value(argv, holder[-1], json.dumps(body, ensure_ascii=False))


def _as_json(text: str, kind: str) -> Any:
    try:
        return text if kind == "string" else json.loads(text)
    except ValueError:
        return text


def _spelling(setting: Setting, option: str, engine: Engine, there: Reading) -> str:
    """The flag that says an option there: as it is written, where that still does."""
    history, where = engine.options(), f"{engine.title} {there.version}"
    if option in there.by_option:
        raise Stays(f"{where} is told something else by what stands for the spec")
    if setting.surface == "flag":
        key = setting.key or engine.lookup("flag", setting.spelling)
        same = _period(key, engine, there)
        if same is not None and same.option == option and same.status in ("active", "alias"):
            return key
    program = engine.program_at(there.program, there.version)
    name = history.current_spelling(option, "flag", there.version, program)
    if setting.negated:
        name = _negation(option, engine, there)
    if name is None:
        raise Stays(f"{where} has no option for it")
    return name


def _negation(option: str, engine: Engine, there: Reading) -> str | None:
    periods = engine.options().options[option].periods
    names = dict.fromkeys(p.spelling for p in periods if p.surface == "flag" and p.negates)
    found = ((name, _period(name, engine, there)) for name in names)
    return next((name for name, period in found if period is not None and period.status in USABLE), None)


def _period(name: str, engine: Engine, there: Reading) -> Period | None:
    program = engine.program_at(there.program, there.version)
    return engine.options().find("flag", name, there.version, program)
