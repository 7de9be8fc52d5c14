"""From the canonical spec to `vllm serve` words, for one release."""

from __future__ import annotations

from mtpconfig.engine import Rendering
from mtpconfig.errors import CannotRender
from mtpconfig.history import Choice, OptionHistory
from mtpconfig.spec import MTPSpec
from mtpconfig.text.structured import dumps
from mtpconfig.version import PEP440, Version
from mtpconfig_vllm.arguments import CONFIG
from mtpconfig_vllm.names import WITHOUT_DRAFTER, method_by_name
from mtpconfig_vllm.programs import SERVE
from mtpconfig_vllm.reading import METHOD, METHOD_NEEDED_SINCE, MTP_SINCE, SAMPLING, TOKENS

_SERVE_SINCE = PEP440.parse("0.5.2")  # vllm/scripts.py: the first release with `vllm serve`
_BLOCK_MANAGER_UNTIL = PEP440.parse("0.6.3")  # config.py: speculation asks for it up to there
_V0_GONE, _DRAFT_MODEL_BACK = PEP440.parse("0.10.0"), PEP440.parse("0.15.0")
# config/speculative.py: "Speculative decoding with draft model is not supported yet" in between
_NGRAM_WINDOW = "4"
_DRAFTERS = frozenset(("draft-model", "eagle", "eagle3", "medusa", "dflash"))


def render(spec: MTPSpec, history: OptionHistory, version: Version) -> Rendering:
    """The launch that says `spec`; what the release cannot say is listed in `dropped`.

    Raises CannotRender when the spec itself lacks what its method needs.
    """
    return _Renderer(spec, history, version).rendering()


class _Renderer:
    def __init__(self, spec: MTPSpec, history: OptionHistory, version: Version) -> None:
        self._spec = spec
        self._history = history
        self._version = version
        self._argv: list[str] = []
        self._kept: set[str] = set()
        self._dropped: dict[str, str] = {}
        self._notes: list[str] = []

    def rendering(self) -> Rendering:
        """Say each field in turn."""
        spec = self._spec
        self._program()
        if spec.state == "off":
            self._kept.add("state")
            self._notes.append(f"vLLM {self._version} does not speculate unless it is asked to: nothing to say for off")
            self._drop("speculation is off", "methods", "gamma", "drafter", "p_min")
        elif spec.state == "auto":
            raise CannotRender('vLLM has no automatic choice for an MTP head: say state = "on" or "off"')
        else:
            self._speculation()
        if spec.temperature is not None:
            self._temperature(spec.temperature)
        if spec.adaptive:
            self._drop("only some methods of vLLM adapt gamma, by schedules that a spec does not hold", "adaptive")
        elif spec.adaptive is False:
            self._kept.add("adaptive")
        return Rendering(
            "vllm",
            self._version,
            tuple(self._argv),
            kept=frozenset(self._kept),
            dropped=self._dropped,
            notes=tuple(self._notes),
        )

    def _program(self) -> None:
        model = self._spec.model
        if self._version >= _SERVE_SINCE:
            self._argv += ["vllm", "serve", *([model] if model is not None else [])]
        else:
            self._argv += ["python3", "-m", "vllm.entrypoints.openai.api_server"]
            self._argv += ["--model", model] if model is not None else []
        if model is not None:
            self._kept.add("model")
            self._notes.append(f"model = {model} -> {' '.join(self._argv[-2:])}")

    def _speculation(self) -> None:
        spec = self._spec
        methods = spec.methods or ("mtp",)
        if len(methods) > 1:
            raise CannotRender(f"vLLM runs one method at a time, not {' + '.join(methods)}: choose one")
        method = methods[0]
        if method in _DRAFTERS and spec.drafter is None:
            raise CannotRender(f'method {method!r} needs a draft model on vLLM: say drafter = "NAME"')
        if spec.drafter is not None and method in ("ngram", "suffix"):
            raise CannotRender(f"method {method!r} has no draft model: leave drafter away")
        if spec.gamma is None and method != "suffix":
            raise CannotRender("vLLM takes no default for the number of draft tokens here: say gamma")
        if spec.p_min is not None:
            self._drop("vLLM has no least probability for drafts", "p_min")
        if self._current(CONFIG) is not None:
            self._say_json(method)
        else:
            self._say_flags(method)

    # `--speculative-config`

    def _say_json(self, method: str) -> None:
        spec = self._spec
        choice = self._choice(method)
        alone = method == "mtp" and choice is None and MTP_SINCE <= self._version < METHOD_NEEDED_SINCE
        if method == "draft-model" and _V0_GONE <= self._version < _DRAFT_MODEL_BACK:
            return self._refuse(f"cannot draft with an ordinary model (again in {_DRAFT_MODEL_BACK})")
        if choice is None and not alone:
            return self._refuse(f"has no method {method}{self._first(method)}")
        if (named := self._overridden(choice)) is not None:
            raise CannotRender(
                f"vLLM {self._version} takes {named} from the name of the draft model, not {method}: rename its folder"
            )
        body: dict[str, object] = {}
        if choice is not None:
            body["method"] = choice.text
            self._notes.append(f"methods = {method} -> method {choice.text}")
        if spec.drafter is not None:
            body["model"] = spec.drafter
            self._notes.append(f"drafter = {spec.drafter} -> model, within the configuration")
        if spec.gamma is not None:
            body["num_speculative_tokens"] = spec.gamma
        self._argv += [self._current(CONFIG) or "", dumps(body)]
        self._kept |= {"state", "methods", *(name for name in ("gamma", "drafter") if getattr(spec, name) is not None)}
        if alone:
            self._notes.append(f"vLLM {self._version} has no word for MTP: the number alone means the model's own head")
        if spec.gamma is not None:
            self._notes.append(f"gamma = {spec.gamma} -> num_speculative_tokens {spec.gamma}")

    def _overridden(self, choice: Choice | None) -> str | None:
        """The method that a name makes instead of the one that is asked for."""
        if choice is None or choice.text in WITHOUT_DRAFTER:
            return None
        name = self._spec.drafter or (self._spec.model if choice.method == "mtp" else None)
        by_name = method_by_name(name, choice.text, self._version) if name is not None else None
        return by_name if by_name != choice.text else None

    def _choice(self, method: str) -> Choice | None:
        """The value that a method has at the release: one that is not called deprecated, the oldest of them."""
        fitting = [
            choice
            for choice in self._history.options[METHOD].values
            if choice.method == method and choice.stretch.holds(self._version)
            if choice.status in ("active", "deprecated")
        ]
        fitting.sort(key=lambda choice: (choice.status != "active", choice.text != method, choice.stretch.since[1]))
        return fitting[0] if fitting else None

    def _first(self, method: str) -> str:
        firsts = [c.stretch.since[1] for c in self._history.options[METHOD].values if c.method == method]
        later = [first for first in firsts if first is not None and first > self._version]
        return f" (first in {min(later)})" if later else ""

    # The options of old

    def _say_flags(self, method: str) -> None:
        """Before 0.8.2: a draft model and a number; nothing names a method."""
        spec, tokens = self._spec, self._current(TOKENS)
        if tokens is None or (method == "mtp" and self._version < MTP_SINCE):
            return self._refuse(f"cannot do {method} (first in {MTP_SINCE})" if method == "mtp" else "cannot speculate")
        if method not in ("mtp", "ngram", "draft-model", "eagle", "medusa"):
            return self._refuse(f"has no method {method}{self._first(method)}")
        drafter = "[ngram]" if method == "ngram" else spec.drafter
        if method == "mtp" and drafter is not None:
            return self._refuse("takes an MTP head from the model itself alone")
        if drafter is not None:
            self._argv += [self._current("spec.model") or "", drafter]
            self._notes.append(f"{'drafter' if spec.drafter else 'methods'} = {spec.drafter or method} -> {drafter}")
        self._argv += [tokens, str(spec.gamma)]
        self._notes.append(f"gamma = {spec.gamma} -> {tokens} {spec.gamma}")
        if method == "ngram":
            self._argv += [self._current("spec.prompt_lookup_max") or "", _NGRAM_WINDOW]
        if self._version <= _BLOCK_MANAGER_UNTIL:
            self._argv.append("--use-v2-block-manager")
        self._kept |= {"state", "gamma"} | ({"drafter"} if spec.drafter is not None else set())
        if method in ("mtp", "ngram"):
            self._kept.add("methods")
        else:
            self._drop(f"vLLM {self._version} finds out by itself what kind of draft model it is", "methods")

    def _refuse(self, why: str) -> None:
        reason = f"vLLM {self._version} {why}"
        self._dropped["state"] = self._dropped["methods"] = reason
        self._drop(reason, "gamma", "drafter")

    # Sampling

    def _temperature(self, temperature: float) -> None:
        spelling = self._current(SAMPLING)
        if spelling is None:
            self._dropped["temperature"] = f"vLLM {self._version} has no option for it: requests say it"
            return
        self._argv += [spelling, dumps({"temperature": temperature})]
        self._notes.append(f"temperature = {temperature:g} -> {spelling}: for requests that say none")
        self._kept.add("temperature")

    def _drop(self, reason: str, *names: str) -> None:
        """Say why fields are not said, as far as they were asked for."""
        self._dropped.update({name: reason for name in names if getattr(self._spec, name) not in (None, ())})

    def _current(self, option: str) -> str | None:
        if option not in self._history.options:
            return None
        return self._history.current_spelling(option, "flag", self._version, SERVE)
