"""From the canonical spec to the words of an SGLang server, for one release."""

from __future__ import annotations

import json
import re

from mtpconfig.engine import Rendering
from mtpconfig.errors import CannotRender
from mtpconfig.history import OptionHistory
from mtpconfig.models import family_of
from mtpconfig.spec import MTPSpec
from mtpconfig.version import PEP440, Version
from mtpconfig_sglang.arguments import ALGORITHM, fact
from mtpconfig_sglang.programs import SERVE
from mtpconfig_sglang.reading import ADAPTIVE, BLOCKS, DRAFTER, SAMPLING, STEPS, STRATEGY, TOKENS, TOPK, TREES

RECOMMENDED_SINCE = PEP440.parse("0.5.10rc0")
"""The first release whose `python -m sglang.launch_server` points to `sglang serve`."""

EAGLE_ALONE_SINCE = PEP440.parse("0.5.12")
_EAGLE_ALONE = re.compile(r"(?i)deepseek-v4(?![0-9])")
# srt/arg_groups/deepseek_v4_hook.py: "Only EAGLE speculative algorithm is supported"

_WORDS = {
    "mtp": "NEXTN",
    "eagle": "EAGLE",
    "eagle3": "EAGLE3",
    "draft-model": "STANDALONE",
    "ngram": "NGRAM",
    "dflash": "DFLASH",
    "dspark": "DSPARK",
}
_HYBRID = frozenset(("qwen3-next", "qwen3.5"))  # families with linear attention beside the other
_DRAFTERS = frozenset(("eagle", "eagle3", "draft-model", "dflash"))
_ADAPTS = frozenset(("mtp", "eagle", "eagle3"))


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
        self._env: dict[str, str] = {}
        self._kept: set[str] = set()
        self._dropped: dict[str, str] = {}
        self._notes: list[str] = []

    def rendering(self) -> Rendering:
        """Say each field in turn."""
        spec = self._spec
        serve = self._version >= RECOMMENDED_SINCE
        self._argv += ["sglang", "serve"] if serve else ["python3", "-m", "sglang.launch_server"]
        if spec.model is not None:
            self._say("model", "model-path", spec.model)
        if spec.state == "off":
            self._kept.add("state")
            self._notes.append(
                f"SGLang {self._version} does not speculate unless it is asked to: nothing to say for off"
            )
            self._drop("speculation is off", "methods", "gamma", "drafter", "p_min")
        elif spec.state == "auto":
            raise CannotRender('SGLang has no automatic choice for an MTP head: say state = "on" or "off"')
        else:
            self._speculation()
        if spec.temperature is not None:
            self._say("temperature", SAMPLING, json.dumps({"temperature": spec.temperature}))
        if spec.adaptive is False:
            self._kept.add("adaptive")
        elif spec.adaptive and "adaptive" not in self._kept:
            self._dropped.setdefault("adaptive", "without speculation there is nothing to adapt")
        return Rendering(
            "sglang",
            self._version,
            tuple(self._argv),
            env=self._env,
            kept=frozenset(self._kept),
            dropped=self._dropped,
            notes=tuple(self._notes),
        )

    def _speculation(self) -> None:
        spec = self._spec
        methods = spec.methods or ("mtp",)
        if len(methods) > 1:
            raise CannotRender(f"SGLang runs one method at a time, not {' + '.join(methods)}: choose one")
        method = methods[0]
        if method in _DRAFTERS and spec.drafter is None:
            raise CannotRender(f'method {method!r} needs a draft model on SGLang: say drafter = "NAME"')
        if method == "ngram" and spec.drafter is not None:
            raise CannotRender("method 'ngram' has no draft model: leave drafter away")
        word = _WORDS.get(method)
        if word is None or not self._takes(word):
            return self._refuse(f"has no method {method}{self._first(word)}")
        self._argv += [self._flag(ALGORITHM) or "", self._for_the_model(word)]
        self._kept |= {"state", "methods"}
        self._notes.append(f"methods = {method} -> {self._flag(ALGORITHM)} {word}")
        if spec.drafter is not None:
            self._say("drafter", DRAFTER, spec.drafter)
        if spec.adaptive:
            self._adaptive(method)
        if spec.gamma is not None and "gamma" not in self._dropped:
            self._gamma(word, spec.gamma)
        self._drop("SGLang has no least probability for drafts", "p_min")
        if word in ("EAGLE", "EAGLE3", "NEXTN"):
            self._hybrid()

    def _hybrid(self) -> None:
        """What a model with linear attention needs beside a draft chain where the default does not start."""
        family = family_of(self._spec.model) if self._spec.model is not None else None
        refused = fact(self._history, "hybrid-radix-cache", self._version) == "unsupported"
        if family is None or family.id not in _HYBRID or not refused:
            return
        strategy = self._flag(STRATEGY) or ""
        self._argv += [strategy, "extra_buffer"]
        self._notes.append(
            f"{strategy} extra_buffer (CUDA only; elsewhere --disable-radix-cache): SGLang {self._version} starts no "
            f"{family.title} with drafts and its own choice, no_buffer"
        )
        if fact(self._history, "spec-v2-variable", self._version) == "opt-in":
            self._env["SGLANG_ENABLE_SPEC_V2"] = "1"
            self._notes.append("SGLANG_ENABLE_SPEC_V2=1: extra_buffer asks for it")

    def _for_the_model(self, word: str) -> str:
        """The other word for the same thing, where a model is asked for the word before NEXTN is taken for EAGLE."""
        named = self._spec.model is not None and _EAGLE_ALONE.search(self._spec.model) is not None
        return "EAGLE" if word == "NEXTN" and named and self._version >= EAGLE_ALONE_SINCE else word

    def _takes(self, word: str) -> bool:
        choices = self._history.options[ALGORITHM].values
        return any(choice.text == word and choice.stretch.holds(self._version) for choice in choices)

    def _first(self, word: str | None) -> str:
        firsts = [c.stretch.since[1] for c in self._history.options[ALGORITHM].values if c.text == word]
        later = [first for first in firsts if first is not None and first > self._version]
        return f" (first in {min(later)})" if later else ""

    def _gamma(self, word: str, gamma: int) -> None:
        """The length of a draft in the algorithm's own numbers: most of them count the token before it too."""
        if word in TREES:
            self._argv += [self._flag(STEPS) or "", str(gamma), self._flag(TOPK) or "", "1"]
            self._argv += [self._flag(TOKENS) or "", str(gamma + 1)]
            self._notes.append(
                f"gamma = {gamma} -> {gamma} steps of one token each, {gamma + 1} draft tokens with the one before"
            )
        elif word == "DSPARK":
            self._argv += [self._flag(BLOCKS[word]) or "", str(gamma)]
            self._notes.append(f"gamma = {gamma} -> a block of {gamma}")
        else:
            self._argv += [self._flag(TOKENS) or "", str(gamma + 1)]
            self._notes.append(f"gamma = {gamma} -> {gamma + 1} draft tokens with the one before")
        self._kept.add("gamma")

    def _adaptive(self, method: str) -> None:
        flag = self._flag(ADAPTIVE)
        if flag is None or method not in _ADAPTS:
            why = f"SGLang {self._version} " + ("adapts only chains of EAGLE" if flag else "has no adaptive gamma")
            self._dropped["adaptive"] = why
            return
        steps = fact(self._history, "adaptive-steps", self._version).split()
        if self._spec.gamma is not None and str(self._spec.gamma) not in steps:
            self._dropped["gamma"] = (
                f"SGLang {self._version} adapts among {', '.join(steps)} steps unless a file says others"
            )
        self._argv.append(flag)
        self._kept.add("adaptive")
        self._notes.append(f"adaptive = true -> {flag}")

    def _refuse(self, why: str) -> None:
        reason = f"SGLang {self._version} {why}"
        self._dropped["state"] = self._dropped["methods"] = reason
        self._drop(reason, "gamma", "drafter", "p_min", "adaptive")

    def _drop(self, reason: str, *names: str) -> None:
        """Say why fields are not said, as far as they were asked for."""
        said = {name for name in names if getattr(self._spec, name) not in (None, (), False)}
        self._dropped.update(dict.fromkeys(said, reason))

    def _flag(self, option: str) -> str | None:
        if option not in self._history.options:
            return None
        return self._history.current_spelling(option, "flag", self._version, SERVE)

    def _say(self, name: str, option: str, text: str) -> None:
        flag = self._flag(option)
        if flag is None:
            self._dropped[name] = f"SGLang {self._version} has no option for it"
            return
        self._argv += [flag, text]
        self._kept.add(name)
        self._notes.append(f"{name} = {self._given(name)} -> {flag} {text}")

    def _given(self, name: str) -> str:
        value = getattr(self._spec, name)
        return f"{value:g}" if isinstance(value, float) else str(value)
