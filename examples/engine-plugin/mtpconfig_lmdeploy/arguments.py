"""The command line as one release of LMDeploy takes it apart.

Facts (lmdeploy/cli/utils.py, FlexibleArgumentParser): argparse, beginnings of names included; before it, `_` in the
name of a long option becomes `-`.
"""

from __future__ import annotations

import re

from msgspec import Struct

from mtpconfig.argument_parser import ArgumentParser, Spoken
from mtpconfig.history import OptionHistory
from mtpconfig.launch import Launch, Setting, Word
from mtpconfig.version import Version

_INT = re.compile(r"\s*[+-]?[0-9]+(?:_[0-9]+)*\s*")
_MOST_DIGITS = 300


class Arguments(Struct, frozen=True, eq=False):
    """The settings in order, and the words that no option takes: the model, first."""

    settings: tuple[Setting, ...]
    positionals: tuple[Word, ...]


class _Parser(ArgumentParser):
    """LMDeploy's parser: argparse, with names made uniform."""

    def resolve(self, spelling: str) -> tuple[str, tuple[str, ...]]:
        """The whole name of a spelling, and what else it may stand for."""
        return super().resolve(normal(spelling))


def normal(spelling: str) -> str:
    """A flag as the parser looks it up."""
    name = spelling.partition("=")[0]
    return name.replace("_", "-") if name.startswith("--") else name


def numeral(text: str, kind: str) -> float | None:
    """The number that a text is read as; None where it is refused."""
    if len(text) > _MOST_DIGITS or (kind == "int" and not _INT.fullmatch(text)):
        return None
    try:
        return float(text.replace("_", ""))
    except ValueError:
        return None


def parse(launch: Launch, history: OptionHistory, version: Version) -> Arguments:
    """Take a launch apart."""
    spoken = list(_Parser(history, version, launch.program).options(launch.args))
    settings = tuple(_setting(one, place) for place, one in enumerate(spoken) if not one.rivals)
    taken = {id(word) for one in spoken for word in one.words}
    return Arguments(settings, tuple(w for w in launch.args if id(w) not in taken and w.text != "--"))


def _setting(spoken: Spoken, order: int) -> Setting:
    word, size = spoken.word, len(spoken.spelling)
    value = spoken.values[0] if spoken.values else None
    return Setting(
        option=spoken.period.option if spoken.period is not None else None,
        surface="flag",
        spelling=spoken.spelling,
        form="glued" if spoken.glued else "spaced" if value is not None else "bare",
        value=value.value if value is not None else None,
        name=word.fragment if len(word.text) == size else word.fragment.slice(0, size),
        value_fragment=value.fragment if value is not None else None,
        words=spoken.words,
        guard=word.guard,
        order=order,
        key=spoken.name,
        word=value,
    )
