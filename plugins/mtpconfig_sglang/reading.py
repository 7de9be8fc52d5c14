"""From a launch to the canonical spec, as one release of SGLang understands it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from msgspec.structs import replace

from mtpconfig.engine import Reading
from mtpconfig.history import USABLE, OptionHistory
from mtpconfig.launch import Launch, Opaque, Setting, Word
from mtpconfig.meaning import still_meant
from mtpconfig.spec import MTPSpec, State
from mtpconfig.version import Version
from mtpconfig_sglang.arguments import ALGORITHM, Arguments, fact, parse
from mtpconfig_sglang.numerals import numeral
from mtpconfig_sglang.programs import SERVE

STEPS, TOPK, TOKENS = "speculative-num-steps", "speculative-eagle-topk", "speculative-num-draft-tokens"
DRAFTER, ADAPTIVE = "speculative-draft-model-path", "speculative-adaptive"
BLOCKS = {"DFLASH": "speculative-dflash-block-size", "DSPARK": "speculative-dspark-block-size"}
SAMPLING, STRATEGY = "preferred-sampling-params", "mamba-radix-cache-strategy"
TREES = ("EAGLE", "EAGLE3", "NEXTN", "STANDALONE", "FROZEN_KV_MTP")
"""Algorithms that draft step by step: steps, topk and draft tokens shape what they draft."""
NGRAM_TOKENS = 12
"""Draft tokens of NGRAM where none are given."""

_HEAD = re.compile(r"nextn|mtp", re.IGNORECASE)


def read(launch: Launch, history: OptionHistory, version: Version) -> Reading:
    """Parse a launch and say what speculation it asks for.

    A spelling that stops the start counts as what it was meant to say, if its option still exists under another name.
    """
    found = parse(launch, history, version)
    why_open = launch.why_open or _why_open(found)
    periods = [(s, history.find(s.surface, s.key, version, launch.program)) for s in found.settings]
    usable = [(s, p.option) for s, p in periods if p is not None and p.status in USABLE]
    first = Reading(
        launch,
        version,
        launch.program,
        found.settings,
        _grouped(usable),
        MTPSpec(),
        why_open=why_open,
        operands=_operands(launch, found, history, version),
    )
    meant = [
        (s, p.option) for s, p in periods if p is not None and (p.status in USABLE or still_meant(p, first, history))
    ]
    told = {id(setting) for setting, _ in meant}
    unread = tuple(setting for setting in found.settings if id(setting) not in told)
    reading = replace(first, by_option=_grouped(meant), unread=unread)
    spec, why = _Speculation(reading, found, history).spec()
    return replace(reading, spec=spec, why=why)


def _grouped(settings: Iterable[tuple[Setting, str]]) -> dict[str, tuple[Setting, ...]]:
    groups: dict[str, list[Setting]] = {}
    for setting, option in settings:
        groups.setdefault(option, []).append(setting)
    return {option: tuple(found) for option, found in groups.items()}


def _why_open(arguments: Arguments) -> str:
    """A word that may be several, where an option would stand: `$EXTRA`, but not the `$PORT` of `--port $PORT`."""
    return next((word.text for word in arguments.positionals if word.many), "")


def _operands(launch: Launch, arguments: Arguments, history: OptionHistory, version: Version) -> tuple[Word, ...]:
    """The model of `sglang serve MODEL`: the first word, from the release on that takes it there."""
    positional = launch.program == SERVE and "positional" in fact(history, "serve", version).split()
    first = launch.args[0] if positional and launch.args else None
    return (first,) if first is not None and any(word is first for word in arguments.positionals) else ()


def shape(reading: Reading, history: OptionHistory) -> tuple[int | None, int | None, int | None]:
    """Steps, topk and draft tokens as they are said, or by default; None where nothing says them for sure."""
    speculation = _Speculation(reading, Arguments(reading.settings, (), ()), history)
    steps, topk, tokens = (speculation.integer(option) for option in (STEPS, TOPK, TOKENS))
    return steps, topk, tokens


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
        state, algorithm = self._state()
        method = self._method(algorithm, model, drafter) if algorithm else ""
        spec = MTPSpec(
            state=state,
            methods=(method,) if method else (),
            gamma=self._gamma(algorithm) if state == "on" else None,
            temperature=self._temperature(),
            model=model,
            drafter=drafter,
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

    def _absent(self, option: str) -> bool:
        """Whether nothing says an option, for sure."""
        return self._reading.closed and option not in self._reading.by_option

    def integer(self, option: str) -> int | None:
        """A whole number that is given or a default."""
        if self._absent(option):
            return _integer(self._history.default(option, self._version))
        setting = self._last(option)
        return _integer(setting.text) if setting is not None else None

    # State and method

    def _state(self) -> tuple[State, str]:
        """The state, and the algorithm by its word."""
        if ALGORITHM not in self._reading.by_option:
            return ("off" if self._reading.closed and not self._meant() else "unknown"), ""
        setting = self._last(ALGORITHM)
        word = setting.text if setting is not None else None
        if word is None:
            return "unknown", ""
        choices = self._history.options[ALGORITHM].values
        if any(choice.text == word and choice.stretch.holds(self._version) for choice in choices):
            return "on", word
        return "unknown", ""

    def _meant(self) -> bool:
        """Whether a setting that this release does not read asks for an algorithm at another."""
        return any(
            period.option == ALGORITHM
            for setting in self._reading.unread
            for period in self._history.periods(setting.surface, setting.key)
        )

    def _method(self, word: str, model: str | None, drafter: str | None) -> str:
        choices = self._history.options[ALGORITHM].values
        method = next((choice.method for choice in choices if choice.text == word and choice.method), "")
        if word == "EAGLE" and (drafter is None or drafter == model or _HEAD.search(drafter.rsplit("/")[-1])):
            if drafter is None and not self._absent(DRAFTER):
                return method
            self._why["methods"] = "EAGLE without another draft model drafts with the model's own head"
            return "mtp"
        return method

    # How much is drafted

    def _gamma(self, word: str) -> int | None:
        if word in TREES:
            return self._tree(word)
        if word == "NGRAM":
            if self._absent(TOKENS):
                self._why["gamma"] = f"NGRAM verifies {NGRAM_TOKENS} tokens, the last known one among them"
            return _drafted(NGRAM_TOKENS if self._absent(TOKENS) else self.integer(TOKENS))
        if word == "DFLASH":
            block = self.integer(BLOCKS[word])
            return _drafted(block if block is not None else self.integer(TOKENS))
        if word == "DSPARK":
            block = self.integer(BLOCKS[word])
            return block if block is not None else _drafted(self.integer(TOKENS))
        return None

    def _tree(self, word: str) -> int | None:
        """Tokens that one round proposes: the steps of a chain, the nodes of a tree without its root."""
        steps, topk, tokens = (self.integer(option) for option in (STEPS, TOPK, TOKENS))
        if steps is None and all(map(self._absent, (STEPS, TOPK, TOKENS, ADAPTIVE))):
            triple = self._chosen(word)
            if triple is None:
                return None
            self._why["gamma"] = f"{self._version} chooses steps, topk and draft tokens itself: {triple}"
            steps, topk, tokens = map(int, triple.split("/"))
        if topk is not None and topk > 1:
            return _drafted(tokens)
        if steps is None or steps < 1:
            return None
        if fact(self._history, "draft-tokens", self._version) == "kept" and tokens is not None:
            return _positive(min(steps, tokens - 1))
        return steps

    def _chosen(self, word: str) -> str | None:
        """What is chosen when nothing is said, where that does not depend on the architecture."""
        own = fact(self._history, f"auto-triple {word}", self._version)
        if own:
            return own
        names = [name for name in self._history.facts if name.partition(" ")[0] == "auto-triple"]
        triples = {fact(self._history, name, self._version) for name in names} - {""}
        return triples.pop() if len(triples) == 1 else None

    def _adaptive(self) -> bool | None:
        if ADAPTIVE in self._reading.by_option:
            return True
        return False if self._reading.closed else None

    # The rest

    def _temperature(self) -> float | None:
        text = self._text(SAMPLING)
        try:
            said = json.loads(text) if text is not None else None
        except (ValueError, RecursionError):
            return None
        value = said.get("temperature") if isinstance(said, dict) else None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        return float(value) if 0 <= value <= 10 else None

    def _model(self) -> str | None:
        said = self._text("model-path")
        return said if said is not None else next((word.text for word in self._reading.operands), None)


def _integer(text: str | None) -> int | None:
    number = numeral(text or "", "int")
    return int(number) if number is not None else None


def _positive(number: int) -> int | None:
    return number if number > 0 else None


def _drafted(tokens: int | None) -> int | None:
    """What is drafted of so many tokens that are verified: the first is known."""
    return _positive(tokens - 1) if tokens is not None else None
