"""From a launch to the canonical spec, as one build of llama.cpp understands it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from mtpconfig.engine import Reading
from mtpconfig.history import USABLE, OptionHistory, at
from mtpconfig.launch import Launch, Opaque, Setting
from mtpconfig.meaning import still_meant
from mtpconfig.spec import MTPSpec, State
from mtpconfig.version import Version
from mtpconfig_llamacpp.arguments import KEYED, example_of, lookup, parse
from mtpconfig_llamacpp.numerals import numeral

TYPE, N_MAX, P_MIN = "spec-type", "spec-draft-n-max", "spec-draft-p-min"
DRAFTERS = ("spec-draft-model", "spec-draft-hf", "fim-qwen-7b-spec", "fim-qwen-14b-spec")
NGRAM_SIZE = {
    "ngram-simple": "spec-ngram-simple-size-m",
    "ngram-map-k": "spec-ngram-map-k-size-m",
    "ngram-map-k4v": "spec-ngram-map-k4v-size-m",
    "ngram-mod": "spec-ngram-mod-n-max",
}
_ALWAYS_DRAFTING = ("llama-speculative", "llama-speculative-simple")
_MODEL_FLAGS = ("-m", "-hf", "-mu", "-dr")
_MODEL_ENV = ("LLAMA_ARG_MODEL", "LLAMA_ARG_HF_REPO", "LLAMA_ARG_MODEL_URL", "LLAMA_ARG_DOCKER_REPO")


def read(launch: Launch, history: OptionHistory, version: Version) -> Reading:
    """Parse a launch and say what speculation it asks for.

    A spelling that stops the start counts as what it was meant to say, if its option still exists under another name.
    """
    example = example_of(history, launch.program, version)
    settings = parse(launch, history, version, example)
    why_open = launch.why_open or _why_open(launch, settings)
    found = [(s, history.find(s.surface, lookup(s), version, example)) for s in settings]
    usable = [(s, p.option) for s, p in found if p is not None and p.status in USABLE]
    first = Reading(launch, version, launch.program, settings, _grouped(usable), MTPSpec(), why_open=why_open)
    meant = [
        (s, p.option) for s, p in found if p is not None and (p.status in USABLE or still_meant(p, first, history))
    ]
    told = {id(setting) for setting, _ in meant}
    unread = tuple(setting for setting in settings if id(setting) not in told)
    reading = replace(first, by_option=_grouped(meant), unread=unread)
    spec, why = _Speculation(reading, history).spec()
    return replace(reading, spec=spec, why=why)


def _grouped(settings: Iterable[tuple[Setting, str]]) -> dict[str, tuple[Setting, ...]]:
    groups: dict[str, list[Setting]] = {}
    for setting, option in settings:
        group = groups.setdefault(option, [])
        if setting.surface in KEYED:
            group.clear()  # a file holds one value for each option
        group.append(setting)
    return {option: tuple(found) for option, found in groups.items()}


def _why_open(launch: Launch, settings: Iterable[Setting]) -> str:
    """A word that may be several, where an option would stand: `$EXTRA`, but not the `$PORT` of `--port $PORT`."""
    taken = {id(word) for setting in settings for word in setting.words}
    return next((word.text for word in launch.args if word.many and id(word) not in taken), "")


def types_of(settings: Iterable[Setting], merge: str) -> tuple[str, ...] | None:
    """The speculative types that remain after merging; None when they cannot be known.

    A `none` inside one list voids that list; where lists are appended, it does not touch the others.
    """
    types: list[str] = []
    for setting in settings:
        text = setting.text
        if text is None:
            return None
        items = [item for item in text.split(",") if item]
        found = [] if "none" in items else items
        types = [*types, *found] if merge == "append" else found
    return tuple(dict.fromkeys(types))


class _Speculation:
    """Reads the spec's fields out of a parsed launch."""

    def __init__(self, reading: Reading, history: OptionHistory) -> None:
        self._reading = reading
        self._history = history
        self._version = reading.version
        self._why: dict[str, str] = {}

    def spec(self) -> tuple[MTPSpec, dict[str, str]]:
        """The canonical settings, and why for those that no setting says."""
        drafter = self._drafter()
        state, types = self._state(bool(drafter))
        methods = tuple(method for name in types if (method := self._method(name)))
        said = state in ("on", "auto") or (state == "unknown" and self._settings(N_MAX))
        gamma = self._gamma(types) if said else None
        return (
            MTPSpec(
                state=state,
                methods=methods,
                gamma=gamma,
                temperature=self._temperature(),
                model=self._model(),
                drafter=self._text(drafter[-1]) if drafter and drafter[-1].value is not None else None,
                p_min=self._p_min(),
                adaptive=False,
            ),
            self._why,
        )

    def _settings(self, option: str) -> tuple[Setting, ...]:
        return self._reading.by_option.get(option, ())

    def _drafter(self) -> list[Setting]:
        return [setting for option in DRAFTERS for setting in self._settings(option)]

    def _state(self, has_drafter: bool) -> tuple[State, tuple[str, ...]]:
        given = self._settings(TYPE)
        types = types_of(given, self._history.merge(TYPE, self._version))
        if types is None:
            return "unknown", ()
        default = self._settings("spec-default")
        if default:
            types = (*types, "ngram-mod")
        rule = self._fact("drafter-without-type")
        simple = self._fact("draft-model-type")
        types = tuple(name for name in types if not self._inert(name))
        if has_drafter and rule == "joins" and not any("ngram" not in name for name in types):
            self._why["methods"] = f"a draft model is given: {self._version} drafts with it unasked"
            types = (*types, simple)
        if types:
            inert = {name for name in types if self._needs_drafter(name) and not has_drafter}
            running = tuple(name for name in types if name not in inert)
            if running:
                known = all(self._method(name) for name in running)
                return ("on" if known else "unknown"), running
            return ("off" if self._reading.closed else "unknown"), ()
        if has_drafter and self._reading.program in _ALWAYS_DRAFTING:
            return "on", (simple,)
        if has_drafter and not given and rule == "by-file":
            self._why["state"] = (
                "the draft file decides: MTP and DFlash files are recognised, ordinary draft models are not"
            )
            return "auto", ()
        if not self._reading.closed:
            return "unknown", ()
        return "off", ()

    def _inert(self, name: str) -> bool:
        """Whether a type is accepted at this build and does nothing."""
        choices = self._history.options[TYPE].values
        return any(c.text == name and c.status == "ignored" and c.stretch.holds(self._version) for c in choices)

    def _needs_drafter(self, name: str) -> bool:
        return name in ("draft-simple", "draft", "draft-eagle3", "eagle3", "draft-dflash", "draft-dspark")

    def _fact(self, name: str) -> str:
        row = at(self._history.facts.get(name, ()), self._version)
        return row.value if row else ""

    def _method(self, name: str) -> str:
        for choice in self._history.options[TYPE].values:
            if choice.text == name and choice.method:
                return choice.method
        return "draft-model" if name == self._fact("draft-model-type") else ""

    def _gamma(self, types: tuple[str, ...]) -> int | None:
        drafting = [name for name in types if name not in NGRAM_SIZE and name != "ngram-cache"]
        if drafting or not types or self._fact("ngram-length") == "draft-n-max":
            return self._integer(N_MAX)
        sizes = [NGRAM_SIZE[name] for name in types if name in NGRAM_SIZE]
        return self._integer(sizes[0]) if len(sizes) == 1 else None

    def _integer(self, option: str) -> int | None:
        found = self._reading.effective(option)
        if not found:
            default = self._history.default(option, self._version) if self._reading.closed else None
            if default is not None:
                self._why["gamma"] = f"the default of {self._version}"
            return _positive(default)
        texts = {text for setting in found for text in setting.texts}
        return _positive(texts.pop()) if len(texts) == 1 and len(found[-1].texts) == 1 else None

    def _temperature(self) -> float | None:
        found = self._reading.effective(self._option_of("--temp"))
        value = _number(found[-1].text) if len(found) == 1 else None
        return value if value is None or 0 <= value <= 10 else None

    def _p_min(self) -> float | None:
        found = self._reading.effective(P_MIN)
        value = _number(found[-1].text) if len(found) == 1 else None
        return value if value is not None and 0 <= value <= 1 else None

    def _model(self) -> str | None:
        spellings = [("flag", flag) for flag in _MODEL_FLAGS] + [("env", name) for name in _MODEL_ENV]
        for surface, spelling in spellings:
            for period in self._history.periods(surface, spelling)[-1:]:
                for setting in reversed(self._settings(period.option)):
                    return self._text(setting)
        return None

    def _option_of(self, flag: str) -> str:
        periods = self._history.periods("flag", flag)
        return periods[-1].option if periods else flag.lstrip("-")

    def _text(self, setting: Setting) -> str | None:
        if isinstance(setting.value, Opaque) and setting.value_fragment is not None:
            return setting.value_fragment.text
        return setting.text


def _positive(text: str | None) -> int | None:
    number = numeral(text or "", "int")
    return int(number) if number is not None and number > 0 else None


def _number(text: str | None) -> float | None:
    return numeral(text or "", "float")
