"""Settings beside speculation that mean the same in several engines, and what the names of models stand for.

Which option of an engine says a setting stands in its own knowledge (`OptionHistory.counterparts`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from mtpconfig.history import OptionHistory
from mtpconfig.knowledge import blaming, knowledge_root, load_toml


class Shared(Struct, frozen=True):
    """A setting that several engines have.

    values  a pattern of the values that all of them read alike; None for a switch that takes none
    """

    id: str
    title: str
    values: re.Pattern[str] | None


class Weights(Struct, frozen=True):
    """A form in which models come; `names` is how a model's name tells it, whatever the engine."""

    id: str
    title: str
    names: re.Pattern[str] | None


@lru_cache(maxsize=1)
def _known() -> tuple[Mapping[str, Shared], Mapping[str, Weights]]:
    path = knowledge_root() / "common" / "counterparts.toml"
    data = load_toml(path)
    with blaming(path):
        settings = [
            Shared(row["id"], row["title"], re.compile(row["values"]) if row["values"] else None)
            for row in data["setting"]
        ]
        forms = [
            Weights(row["id"], row["title"], re.compile(row["names"]) if "names" in row else None)
            for row in data["weights"]
        ]
    return {one.id: one for one in settings}, {one.id: one for one in forms}


def shared_settings() -> Mapping[str, Shared]:
    """All settings that several engines have, by id. Raises KnowledgeError."""
    return _known()[0]


def shared_by(option: str, history: OptionHistory) -> Shared | None:
    """The setting that an option of an engine says, if others have it too."""
    known = shared_settings()
    for setting, counterpart in history.counterparts.settings.items():
        if counterpart.option == option and setting in known:
            return known[setting]
    return None


def weights_of(name: str, history: OptionHistory) -> Weights | None:
    """The form of what a model's name stands for, by the name or by the engine that takes it; None if unknown."""
    forms = _known()[1]
    told = next((form for form in forms.values() if form.names is not None and form.names.search(name)), None)
    return told or forms.get(history.counterparts.weights)


def weights_taken(history: OptionHistory) -> Weights | None:
    """The form of the models that an engine takes; None if unknown."""
    return _known()[1].get(history.counterparts.weights)
