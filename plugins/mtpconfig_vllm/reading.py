"""From a launch to the canonical spec, as one release of vLLM understands it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from mtpconfig.engine import Reading
from mtpconfig.history import USABLE, OptionHistory
from mtpconfig.launch import Launch, Opaque, Setting
from mtpconfig.spec import MTPSpec, State
from mtpconfig.text.json_ import read_json
from mtpconfig.version import PEP440, Version
from mtpconfig_vllm.arguments import CONFIG, Arguments, parse
from mtpconfig_vllm.names import method_by_name
from mtpconfig_vllm.numerals import numeral

METHOD, DRAFTER, TOKENS = "spec.method", "spec.model", "spec.num_speculative_tokens"
SAMPLING, SAMPLING_SOURCE = "override-generation-config", "generation-config"
ADAPTIVE = ("spec.enable_adaptive_verification", "spec.num_speculative_tokens_per_batch_size")
MODEL_DECIDES_SINCE = PEP440.parse("0.8.0")
"""The first release that takes sampling defaults from the model's generation_config.json unless told otherwise."""
METHOD_NEEDED_SINCE = PEP440.parse("0.11.0")
"""The first release that refuses a number of tokens alone; before, it meant the target's own MTP head, since 0.7.3."""
MTP_SINCE = PEP440.parse("0.7.3")
SPECULATORS_SINCE = PEP440.parse("0.10.1")
"""The first release that speculates unasked where the checkpoint says so (speculators format)."""

_NGRAM = ("ngram", "[ngram]")


def read(launch: Launch, history: OptionHistory, version: Version) -> Reading:
    """Parse a launch and say what speculation it asks for."""
    found = parse(launch, history, version)
    meant: dict[str, list[Setting]] = {}
    unread = []
    for setting in found.settings:
        period = history.find(setting.surface, setting.key, version, launch.program)
        usable = period is not None and period.status in USABLE and id(setting) not in found.discarded
        if period is not None and usable and not (setting.surface == "json" and setting.value is None):
            meant.setdefault(period.option, []).append(setting)
        elif not usable:
            unread.append(setting)
    reading = Reading(
        launch,
        version,
        launch.program,
        found.settings,
        {option: tuple(settings) for option, settings in meant.items()},
        MTPSpec(),
        tuple(unread),
        launch.why_open or _why_open(launch, found.settings) or found.why_open,
        found.positionals[:1],
    )
    for option, settings in reading.by_option.items():
        meant[option] = sorted(settings, key=_is_shorthand)
    reading = replace(reading, by_option={option: tuple(settings) for option, settings in meant.items()})
    spec, why = _Speculation(reading, found, history).spec()
    return replace(reading, spec=spec, why=why)


def _is_shorthand(setting: Setting) -> bool:
    """Whether a setting is put into the configuration when that is complete: `--spec-method` and its like."""
    return setting.surface != "json" and setting.option is not None and setting.option.startswith("spec.")


def _why_open(launch: Launch, settings: Iterable[Setting]) -> str:
    """A word that may be several, where an option would stand: `$EXTRA`, but not the `$PORT` of `--port $PORT`."""
    taken = {id(word) for setting in settings for word in setting.words}
    return next((word.text for word in launch.args if word.many and id(word) not in taken), "")


class _Speculation:
    """Reads the spec's fields out of a parsed launch."""

    def __init__(self, reading: Reading, arguments: Arguments, history: OptionHistory) -> None:
        self._reading = reading
        self._arguments = arguments
        self._history = history
        self._version = reading.version
        self._why: dict[str, str] = {}

    def spec(self) -> tuple[MTPSpec, dict[str, str]]:
        """The canonical settings, and why for those that no setting says."""
        model, drafter = self._model(), self._text(DRAFTER)
        state, methods = self._state(drafter, model)
        drafting = None if drafter in _NGRAM or (methods and methods[0] in ("ngram", "suffix")) else drafter
        spec = MTPSpec(
            state=state,
            methods=methods,
            gamma=self._gamma() if state != "off" else None,
            temperature=self._temperature(),
            model=model,
            drafter=drafting,
            adaptive=self._adaptive(),
        )
        return spec, self._why

    # What is said

    def _last(self, option: str) -> Setting | None:
        """The setting that has the last word; None where there is none, or where it depends on a branch."""
        found = self._reading.effective(option)
        return found[-1] if len(found) == 1 else None

    def _text(self, option: str) -> str | None:
        """The value in force; what is opaque as it is written."""
        setting = self._last(option)
        if setting is None:
            return None
        if isinstance(setting.value, Opaque) and setting.value_fragment is not None:
            return setting.value_fragment.text
        return setting.text

    def _known(self, option: str) -> tuple[bool, str | None]:
        """Whether it is known what an option says, and what: None for nothing."""
        if option not in self._reading.by_option:
            return not self._arguments.faulty, None
        setting = self._last(option)
        return setting is not None and setting.text is not None, setting.text if setting is not None else None

    # State and method

    def _state(self, drafter: str | None, model: str | None) -> tuple[State, tuple[str, ...]]:
        said = any(option.startswith("spec.") for option in self._reading.by_option)
        if not said:
            return ("unknown" if self._arguments.faulty else self._unsaid(model)), ()
        known, method = self._known(METHOD)
        if not known:
            return "unknown", ()
        if method is None:
            return self._by_drafter(drafter, model)
        named = drafter if drafter is not None else model if self._is_mtp(method) else None
        by_name = method_by_name(named, method, self._version) if named is not None else None
        if by_name is not None and by_name != method:
            self._why["methods"] = f"the name {named!r} makes it {by_name}, whatever `method` says"
            method = by_name
        found = self._method(method)
        return ("on", (found,)) if found else ("unknown", ())

    def _unsaid(self, model: str | None) -> State:
        if not self._reading.closed or any(self._meant(setting) for setting in self._reading.unread):
            return "unknown"
        if model is not None and "speculator" in model.lower() and self._version >= SPECULATORS_SINCE:
            self._why["state"] = "a checkpoint in the speculators format brings its own speculation"
            return "auto"
        return "off"

    def _meant(self, setting: Setting) -> bool:
        """Whether a setting that this release does not read is one of speculation's at another."""
        if id(setting) in self._arguments.discarded:
            return False
        periods = self._history.periods(setting.surface, setting.key)
        return any(period.option.startswith("spec.") or period.option == CONFIG for period in periods)

    def _by_drafter(self, drafter: str | None, model: str | None) -> tuple[State, tuple[str, ...]]:
        """The method that nothing names: by the drafter, or by the target's own head."""
        known, tokens = self._known(TOKENS)
        if drafter is None:
            head = MTP_SINCE <= self._version < METHOD_NEEDED_SINCE
            if DRAFTER in self._reading.by_option or not head or (known and tokens is None):
                return "unknown", ()
            self._why["methods"] = f"{self._version} takes the model's own MTP head where only a number is given"
            return "on", ("mtp",)
        if drafter in _NGRAM:
            return "on", ("ngram",)
        setting = self._last(DRAFTER)
        if setting is not None and isinstance(setting.value, Opaque):
            return "on", ()
        by_name = method_by_name(drafter, None, self._version)
        if by_name is not None:
            self._why["methods"] = f"the name {drafter!r} makes it {by_name}"
            return "on", (self._method(by_name) or by_name,)
        if drafter == model:
            self._why["methods"] = "the model is its own draft model: that is its MTP head"
            return "on", ("mtp",)
        self._why["methods"] = "the draft model's own configuration decides"
        return "on", ()

    def _method(self, value: str) -> str:
        """The canonical name of a method's value; empty for one that no release knows."""
        choices = self._history.options[METHOD].values
        return next((choice.method for choice in choices if choice.text == value and choice.method), "")

    def _is_mtp(self, value: str) -> bool:
        return self._method(value) == "mtp"

    # The other fields

    def _gamma(self) -> int | None:
        setting = self._last(TOKENS)
        if setting is None or setting.text is None:
            return None
        number = numeral(setting.text, "int", setting)
        return int(number) if number is not None and number > 0 else None

    def _adaptive(self) -> bool | None:
        for option in ADAPTIVE:
            setting = self._last(option)
            if setting is not None:
                return setting.text != "false" if setting.text is not None else None
        return False if self._reading.closed and not self._arguments.faulty else None

    def _temperature(self) -> float | None:
        overriding = self._last(SAMPLING)
        if overriding is not None and overriding.word is not None:
            root = read_json(overriding.word.fragment, overriding.word.holes).root
            for entry in reversed(root.entries if root is not None else ()):
                if entry.key.text == "temperature":
                    known = overriding.word.value_in(*entry.value.span, entry.value.text)
                    return None if isinstance(known, Opaque) else _temperature(entry.value.text)
            if root is None:
                return None
        if SAMPLING in self._reading.by_option and overriding is None:
            return None
        source = self._text(SAMPLING_SOURCE)
        if source == "vllm":
            self._why["temperature"] = "`vllm` as the source of sampling defaults means the neutral temperature 1"
            return 1.0
        if source is None and self._reading.closed and self._version < MODEL_DECIDES_SINCE:
            self._why["temperature"] = f"the default of {self._version}"
            return 1.0
        self._why["temperature"] = "left to the model's generation_config.json, 1 if that says nothing"
        return None

    def _model(self) -> str | None:
        positional = next((word.text for word in self._arguments.positionals if not word.many), None)
        return positional if positional is not None else self._text("model")


def _temperature(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number <= 10 else None
