"""All settings of a launch, on every surface, as one release of SGLang receives them.

Facts: the keys of the file behind `--config` are put before the words of the command line (from 0.5.3rc2 on), so the
command line has the last word; `Engine(...)` hands its keywords to the same fields. No spelling is normalised: an
underscore in a flag is an underscore.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.argument_parser import ArgumentParser, Spoken
from mtpconfig.history import OptionHistory, Period, at
from mtpconfig.launch import Given, Known, Launch, Opaque, Setting, Value, Word
from mtpconfig.version import Version

ALGORITHM = "speculative-algorithm"
ENV_PREFIX = "SGLANG_"
CONFIG = "--config"

_NONE = "None"
_FALSE = frozenset(("False", "false"))
_UNKNOWN_WORD = "an algorithm that a plugin registers"


class Arguments(Struct, frozen=True, eq=False):
    """The settings of a launch.

    settings     all, in effect order
    ambiguous    flags that are the beginning of several names
    positionals  words that no option takes
    """

    settings: tuple[Setting, ...]
    ambiguous: tuple[Spoken, ...]
    positionals: tuple[Word, ...]


def fact(history: OptionHistory, name: str, version: Version) -> str:
    """A fact of the history at a version; empty where it holds none."""
    row = at(history.facts.get(name, ()), version)
    return row.value if row else ""


def parse(launch: Launch, history: OptionHistory, version: Version) -> Arguments:
    """Take a launch apart."""
    return _Collector(launch, history, version).arguments()


class _Collector:
    def __init__(self, launch: Launch, history: OptionHistory, version: Version) -> None:
        self._launch = launch
        self._history = history
        self._version = version
        self._settings: list[Setting] = []

    def arguments(self) -> Arguments:
        """The settings of the environment, the file, the command line and the call, in this order."""
        parser = ArgumentParser(self._history, self._version, self._launch.program)
        reads_files = self._history.surfaces["config"].stretch.holds(self._version)
        for given in self._launch.given:
            if given.surface == "env" and given.name.text.startswith(ENV_PREFIX):
                self._add_given(given, given.name.text)
        for given in self._launch.given:
            if given.surface == "config" and reads_files:
                name, _ = parser.resolve("--" + given.name.text)
                self._add_given(given, name.removeprefix("--"))
        spoken = list(parser.options(self._launch.args))
        for one in spoken:
            self._add_spoken(one)
        for given in self._launch.given:
            if given.surface == "kwarg":
                self._add_given(given, given.name.text)
        taken = {id(word) for one in spoken for word in one.words}
        return Arguments(
            tuple(self._settings),
            tuple(one for one in spoken if one.rivals),
            tuple(word for word in self._launch.args if id(word) not in taken and word.text != "--"),
        )

    def _add_given(self, given: Given, key: str) -> None:
        period = self._history.find(given.surface, key, self._version, self._launch.program)
        value = given.value
        if period is not None and value is not None and given.surface != "env" and _says_nothing(period, value, given):
            return
        self._put(
            Setting(
                option=period.option if period else None,
                surface=given.surface,
                spelling=given.name.text,
                form="assigned",
                value=value.value if value is not None else None,
                name=given.name.fragment,
                value_fragment=value.fragment if value is not None else None,
                words=(),
                guard=given.guard,
                order=len(self._settings),
                given=given,
                negated=bool(period and period.negates),
                key=key,
                word=value,
            )
        )

    def _add_spoken(self, spoken: Spoken) -> None:
        if spoken.rivals and spoken.name == spoken.spelling:
            return  # nobody knows what was meant
        period, word, start = spoken.period, spoken.word, len(spoken.spelling)
        value = spoken.values[0] if spoken.values else None
        self._put(
            Setting(
                option=period.option if period else None,
                surface="flag",
                spelling=spoken.spelling,
                form="glued" if spoken.glued else "spaced" if value else "bare",
                value=value.value if value else None,
                name=word.fragment if len(word.text) == start else word.fragment.slice(0, start),
                value_fragment=value.fragment if value is not None else None,
                words=spoken.words,
                guard=word.guard,
                order=len(self._settings),
                negated=bool(period and period.negates),
                key=spoken.name,
                word=value,
            )
        )

    def _put(self, setting: Setting) -> None:
        if setting.option == ALGORITHM and isinstance(setting.value, Known):
            setting = replace(setting, value=self._algorithm(setting.value.text))
        self._settings.append(setting)

    def _algorithm(self, text: str) -> Value:
        """The word as it is compared; one that a plugin may have registered is not known."""
        if fact(self._history, "algorithm-case", self._version) != "folded":
            return Known(text)
        upper = text.upper()
        option = self._history.options[ALGORITHM]
        if any(choice.text == upper for choice in option.values):
            return Known(upper)
        return Known(text) if text in option.never or upper in option.never else Opaque(_UNKNOWN_WORD)


def _says_nothing(period: Period, value: Word, given: Given) -> bool:
    """Whether a key or a keyword only says what holds anyway: a switch that is off, None for a keyword."""
    if not isinstance(value.value, Known):
        return False
    if given.surface == "kwarg" and value.text == _NONE:
        return True
    return period.type == "flag" and value.text in _FALSE
