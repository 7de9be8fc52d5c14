"""From the canonical spec to `llama-server` words, for one build."""

from __future__ import annotations

from mtpconfig.engine import Rendering
from mtpconfig.errors import CannotRender
from mtpconfig.history import USABLE, OptionHistory, at
from mtpconfig.spec import MTPSpec
from mtpconfig.version import Version
from mtpconfig_llamacpp.arguments import example_of
from mtpconfig_llamacpp.reading import N_MAX, NGRAM_SIZE, P_MIN, TYPE

PROGRAM = "llama-server"
_NGRAM = "ngram-simple"
_ALONE = frozenset({"mtp", "ngram"})  # methods that need no separate draft model


def render(spec: MTPSpec, history: OptionHistory, version: Version) -> Rendering:
    """The launch that says `spec`; what the build cannot say is listed in `dropped`.

    Raises CannotRender when the spec itself lacks what its method needs.
    """
    return _Renderer(spec, history, version).rendering()


class _Renderer:
    def __init__(self, spec: MTPSpec, history: OptionHistory, version: Version) -> None:
        self._spec = spec
        self._history = history
        self._version = version
        self._example = example_of(history, PROGRAM, version)
        self._argv = [PROGRAM]
        self._kept: set[str] = set()
        self._dropped: dict[str, str] = {}
        self._notes: list[str] = []

    def rendering(self) -> Rendering:
        """Say each field in turn."""
        spec = self._spec
        if spec.model is not None:
            self._argv += [self._model_flag(spec.model), spec.model]
            self._kept.add("model")
            self._notes.append(f"model = {spec.model} -> {self._model_flag(spec.model)} {spec.model}")
        if spec.state == "off":
            self._kept.add("state")
            self._notes.append(f"{self._version} does not speculate unless it is asked to: nothing to say for off")
            self._drop("speculation is off", "methods", "gamma", "p_min", "drafter")
        elif spec.state == "auto":
            raise CannotRender('llama.cpp has no automatic choice for an MTP head: say state = "on" or "off"')
        else:
            self._speculation()
        if spec.temperature is not None:
            self._say("temperature", self._history.periods("flag", "--temp")[-1].option, f"{spec.temperature:g}")
        if spec.adaptive:
            self._drop("llama.cpp has no adaptive gamma", "adaptive")
        elif spec.adaptive is False:
            self._kept.add("adaptive")
        return Rendering(
            "llama.cpp",
            self._version,
            tuple(self._argv),
            kept=frozenset(self._kept),
            dropped=self._dropped,
            notes=tuple(self._notes),
        )

    def _model_flag(self, model: str) -> str:
        return "-m" if model.endswith(".gguf") or model.startswith(("/", "./", "~")) or model.count("/") != 1 else "-hf"

    def _speculation(self) -> None:
        spec = self._spec
        methods = spec.methods or ("mtp",)
        values = [self._value(method) for method in methods]
        said = [value for value in values if value]
        drafter = self._drafter_option() if spec.drafter is not None else ""
        lists = self._history.type(TYPE, self._version) == "list"
        if None in values or (said and self._spelling(TYPE) is None) or (len(said) > 1 and not lists):
            return self._refuse(f"cannot do {' + '.join(methods)}{self._first_build(methods)}")
        if spec.drafter is None and (needing := next((method for method in methods if method not in _ALONE), None)):
            raise CannotRender(f'method {needing!r} needs a draft model on llama.cpp: say drafter = "FILE.gguf"')
        if drafter and self._spelling(drafter) is None:
            return self._refuse("has no option for the draft model")
        if said:
            self._argv += [self._spelling(TYPE) or "", ",".join(said)]
            self._notes.append(f"methods = {', '.join(methods)} -> {self._spelling(TYPE)} {','.join(said)}")
        if spec.drafter is not None:
            self._say("drafter", drafter, spec.drafter)
        self._kept |= {"state", "methods"}
        if spec.gamma is not None:
            self._say("gamma", self._length_option(methods), str(spec.gamma))
        if spec.p_min is not None:
            self._say("p_min", P_MIN, f"{spec.p_min:g}")

    def _refuse(self, why: str) -> None:
        reason = f"llama.cpp {self._version} {why}"
        self._dropped["state"] = self._dropped["methods"] = reason
        self._drop(reason, "gamma", "p_min", "drafter")

    def _drafter_option(self) -> str:
        return "spec-draft-hf" if self._model_flag(self._spec.drafter or "") == "-hf" else "spec-draft-model"

    def _drop(self, reason: str, *names: str) -> None:
        """Say why fields are not said, as far as they were asked for."""
        self._dropped.update({name: reason for name in names if getattr(self._spec, name) not in (None, ())})

    def _value(self, method: str) -> str | None:
        """The `--spec-type` value of a method; empty when this build needs none; None when it cannot do it."""
        for choice in self._history.options[TYPE].values:
            fits = choice.method == method if method != "ngram" else choice.text == _NGRAM
            if fits and choice.status in USABLE and choice.stretch.holds(self._version):
                return choice.text
        joins = self._fact("drafter-without-type") == "joins"
        return "" if method == "draft-model" and joins else None

    def _fact(self, name: str) -> str:
        row = at(self._history.facts[name], self._version)
        return row.value if row else ""

    def _first_build(self, methods: tuple[str, ...]) -> str:
        firsts = [
            choice.stretch.since[1]
            for method in methods
            for choice in self._history.options[TYPE].values
            if choice.method == method and choice.status in USABLE and choice.stretch.since[1] is not None
        ]
        later = [first for first in firsts if first is not None and first > self._version]
        return f" (first in {min(later)})" if later else ""

    def _length_option(self, methods: tuple[str, ...]) -> str:
        own = self._fact("ngram-length") == "own"
        return NGRAM_SIZE[_NGRAM] if methods == ("ngram",) and own else N_MAX

    def _spelling(self, option: str) -> str | None:
        return self._history.current_spelling(option, "flag", self._version, self._example)

    def _say(self, name: str, option: str, text: str) -> None:
        spelling = self._spelling(option) if option in self._history.options else None
        if spelling is None:
            self._dropped[name] = f"llama.cpp {self._version} has no option for it"
            return
        self._argv += [spelling, text]
        self._kept.add(name)
        self._notes.append(f"{name} = {text} -> {spelling} {text}")
