"""All settings of a launch, on every surface, as one release of vLLM receives them.

Facts: options of the file behind `--config` come before those of the command line (`_pull_args_from_config` in
vllm/utils), so the command line has the last word; dotted keys are gathered, an object for each name before the dot,
and put last of all. The value of `--speculative-config` replaces an earlier one as a whole (argparse stores
it); the keys of one make the configuration.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.history import OptionHistory, Period, bare
from mtpconfig.launch import Form, Given, Launch, Opaque, Setting, Value, Word
from mtpconfig.version import PEP440, Version
from mtpconfig_vllm.configuration import Body, Keys, is_no_map, said_apart
from mtpconfig_vllm.grammar import Parser, Spoken

CONFIG = "speculative-config"
ENV_PREFIX = "VLLM_"
NESTED_SINCE = PEP440.parse("0.16.0")
"""The first release whose `--config` file may hold a map as a value; before, Python's text of it is handed on."""


class Arguments(Struct, frozen=True, eq=False):
    """The settings of a launch.

    settings     all, in effect order
    discarded    ids of those that a later value replaces as a whole
    positionals  words that no option takes
    faulty       the configuration in force could not be opened, or not to its end, or not read at all
    why_open     what it is written as, where nobody knows here what stands in it
    """

    settings: tuple[Setting, ...]
    discarded: frozenset[int]
    positionals: tuple[Word, ...]
    faulty: bool
    why_open: str = ""


def nested_maps(version: Version) -> bool:
    """Whether a map in the file behind `--config` reaches the option as JSON."""
    return version >= NESTED_SINCE


def parse(launch: Launch, history: OptionHistory, version: Version) -> Arguments:
    """Take a launch apart."""
    return _Collector(launch, history, version).arguments()


class _Collector:
    def __init__(self, launch: Launch, history: OptionHistory, version: Version) -> None:
        self._launch = launch
        self._history = history
        self._version = version
        self._parser = Parser(history, version, launch.program)
        self._keys = Keys(history, version, launch.program)
        self._settings: list[Setting] = []
        self._bodies: list[Body] = []
        self._dotted: dict[str, list[Setting]] = {}
        self._lost = False

    def arguments(self) -> Arguments:
        """The settings of the environment, the file, the command line and the call, in this order."""
        for given in self._launch.given:
            if given.surface == "env" and given.name.text.startswith(ENV_PREFIX):
                self._add_given(given)
        for given in self._launch.given:
            if given.surface == "config":
                self._add_key_of_file(given)
        for spoken in self._parser.options(self._launch.args):
            self._add_spoken(spoken)
        for given in self._launch.given:
            if given.surface == "kwarg":
                self._add_given(given)
        bodies = [*self._bodies, *(Body(tuple(settings)) for settings in self._dotted.values())]
        kept = bodies[-1:]
        return Arguments(
            tuple(self._settings),
            frozenset(id(setting) for body in bodies[:-1] for setting in body.settings),
            tuple(self._parser.positionals(self._launch.args)),
            self._lost or not all(body.whole for body in kept),
            next((body.why_open for body in kept if body.why_open), ""),
        )

    def _put(self, setting: Setting) -> Setting:
        self._settings.append(replace(setting, order=len(self._settings)))
        return self._settings[-1]

    def _configure(self, body: Body) -> None:
        """A configuration, with its keys as settings."""
        self._bodies.append(replace(body, settings=tuple(self._put(setting) for setting in body.settings)))

    # The environment, keyword arguments, the file behind `--config`

    def _add_given(self, given: Given) -> None:
        name = given.name.text
        period = self._history.find(given.surface, name, self._version, self._launch.program)
        self._put(_of_given(given, period, name))
        if given.value is None or period is None or period.option != CONFIG:
            return
        if not given.nested and self._kind() == "literal":
            self._configure(self._keys.of(given.value, "literal"))
        elif is_no_map(given.value, given.nested):
            self._bodies.append(Body(whole=False))
        else:
            self._configure(self._keys.of(given.value, "json"))

    def _add_key_of_file(self, given: Given) -> None:
        """A key is a long option without its dashes, a beginning or with keys behind dots as there."""
        value = given.value
        assert value is not None
        name, dot, _ = given.name.text.partition(".")
        spelled, period = self._parser.resolve(f"--{name}")
        off = period is not None and period.type == "bool" and value.text.lower() == "false"
        if off:
            return  # a switch that is false in the file is not handed on
        if dot and period is not None and not self._parser.takes_keys("--"):
            self._lose(period)
            return
        setting = _of_given(given, period, bare(spelled))
        if dot and self._parser.takes_keys("--"):
            self._put(_headless(setting, given.name.part(0, len(name))))
            if period is not None and period.option == CONFIG:
                start = len(name) + 1
                words = said_apart(given.name, start, len(given.name.text))
                self._add_dotted(f"--{name}", words, value, setting)
            return
        self._put(setting)
        if period is None or period.option != CONFIG:
            return
        if given.nested and not nested_maps(self._version):
            self._bodies.append(Body(whole=False))
        else:
            self._configure(self._keys.of(value, "json" if given.nested else self._kind()))

    def _lose(self, period: Period) -> None:
        """Keys behind dots at a release that knows no such names."""
        self._lost = self._lost or period.option == CONFIG

    # The command line

    def _add_spoken(self, spoken: Spoken) -> None:
        period, word = spoken.period, spoken.word
        if spoken.untaken and period is not None:
            self._lose(period)
            return
        value = spoken.values[0] if spoken.values else None
        start = len(spoken.spelling)
        form: Form = "glued" if spoken.glued else "spaced" if value is not None else "bare"
        setting = Setting(
            option=period.option if period else None,
            surface="flag",
            spelling=spoken.spelling,
            form=form,
            value=value.value if value is not None else None,
            name=word.fragment if len(word.text) == start else word.fragment.slice(0, start),
            value_fragment=value.fragment if value is not None else None,
            words=spoken.words,
            guard=word.guard,
            order=0,
            negated=bool(period and period.negates),
            key=spoken.name,
            word=value,
        )
        if spoken.keys:
            self._put(_headless(setting, None))
            if period is not None and period.option == CONFIG:
                self._add_dotted(spoken.spelling.replace("_", "-"), spoken.keys, value, setting)
            return
        self._put(setting)
        if period is not None and period.option == CONFIG and value is not None:
            self._configure(self._keys.of(value, self._kind()))

    def _add_dotted(self, name: str, keys: Sequence[Word], value: Word | None, said: Setting) -> None:
        setting = self._put(self._keys.dotted(keys, value, said))
        self._dotted.setdefault(name, []).append(setting)

    def _kind(self) -> str:
        return self._history.type(CONFIG, self._version)


def _of_given(given: Given, period: Period | None, key: str) -> Setting:
    value = given.value
    return Setting(
        option=period.option if period else None,
        surface=given.surface,
        spelling=given.name.text,
        form="assigned",
        value=value.value if value is not None else None,
        name=given.name.fragment,
        value_fragment=value.fragment if value is not None else None,
        words=(),
        guard=given.guard,
        order=0,
        given=given,
        negated=bool(period and period.negates),
        key=key,
        word=value,
    )


def _headless(setting: Setting, name: Word | None) -> Setting:
    """The option itself, where its value is said key by key."""
    opaque: Value = Opaque("what stands behind the dots")
    if name is not None:
        setting = replace(setting, name=name.fragment, spelling=name.text)
    return replace(setting, form="dotted", value=opaque, value_fragment=None, word=None)
