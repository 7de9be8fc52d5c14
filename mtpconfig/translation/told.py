"""Which settings of a launch its spec says, and which it does not.

The engine itself answers: what it renders for the spec, at the launch's own version, is read again. A setting that
stands there too, with what it means, is said by the spec.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from mtpconfig.engine import Engine, Reading, Rendering
from mtpconfig.errors import CannotRender
from mtpconfig.history import OptionHistory
from mtpconfig.launch import Setting, Word
from mtpconfig.lint.linter import Linter
from mtpconfig.spec import MTPSpec
from mtpconfig.text import Source
from mtpconfig.writers import shell

_KINDS = frozenset(("ngram",))
"""Methods of which an engine may have several kinds: another word for one is another kind."""


class Told(Struct, frozen=True, eq=False):
    """The settings of a reading, parted; each with its option's id, None for one that means nothing.

    told    those that the spec says
    rests   of those, the members of an object that it does not say
    untold  the others that have an effect
    words   words that belong to no setting
    again   how the engine itself says the spec; None where it cannot
    """

    told: Sequence[tuple[Setting, str]] = ()
    rests: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    untold: Sequence[tuple[Setting, str | None]] = ()
    words: Sequence[Word] = ()
    again: Reading | None = None


def reread(rendering: Rendering, engine: Engine) -> Reading | None:
    """A rendering as its engine reads it; None where it is no launch that a shell could start."""
    for launch in Linter().launches(Source("launch.sh", shell(rendering) + "\n")):
        if launch.ours and launch.engine == engine.id:
            return engine.read(launch, rendering.version)
    return None


def what_is_told(reading: Reading, spec: MTPSpec, engine: Engine) -> Told:
    """Part the settings of a launch by whether `spec`, which was read from it, says them."""
    asking = _Asking(reading, spec, engine)
    told: list[tuple[Setting, str]] = []
    rests: dict[str, Mapping[str, Any]] = {}
    untold: list[tuple[Setting, str | None]] = []
    for setting, option in _in_force(reading, engine.options()):
        rest = asking.rest(setting, option) if option is not None else None
        if option is None or rest is None:
            untold.append((setting, option))
            continue
        told.append((setting, option))
        if rest:
            rests[setting.spelling] = rest
    taken = {id(word) for setting in reading.settings for word in setting.words}
    operands = {id(word) for word in reading.operands if word.text == spec.model}
    words = [word for word in reading.launch.args if id(word) not in taken | operands and word.text != "--"]
    return Told(told, rests, untold, words, asking.again)


def _in_force(reading: Reading, history: OptionHistory) -> Iterable[tuple[Setting, str | None]]:
    """The settings that have an effect or were meant to, without objects whose members are settings of their own."""
    options = {id(setting): option for option, settings in reading.by_option.items() for setting in settings}
    holders = {surface.holder for surface in history.surfaces.values()} - {""}
    lasting = {
        id(setting)
        for option, settings in reading.by_option.items()
        for setting in (reading.effective(option) if history.merge(option, reading.version) == "last" else settings)
    }
    for setting in reading.settings:
        option = options.get(id(setting))
        if option in holders or setting.option in holders:
            continue
        if option is None or id(setting) in lasting:
            yield setting, option


class _Asking:
    """Asks what an engine makes of the spec that was read from a launch."""

    def __init__(self, reading: Reading, spec: MTPSpec, engine: Engine) -> None:
        self._version, self._spec, self._engine = reading.version, spec, engine
        self._history = engine.options()
        self._rendering = self._rendered()
        self.again = reread(self._rendering, engine) if self._rendering is not None else None

    def _rendered(self) -> Rendering | None:
        for spec in (self._spec, replace(self._spec, gamma=self._spec.gamma or 1)):
            try:
                return self._engine.render(spec, self._version)
            except CannotRender:
                continue
        return None

    def rest(self, setting: Setting, option: str) -> Mapping[str, Any] | None:
        """What the spec does not say of a setting: None for all of it, members of an object, or nothing."""
        if self.again is None:
            said = self._history.options[option].spec_field
            return {} if said and getattr(self._spec, said, None) not in (None, ()) else None
        theirs = self.again.by_option.get(option, ())
        if not theirs:
            operand = any(word.text in (setting.text, _as_written(setting)) for word in self.again.operands)
            return {} if operand and self._spec.model is not None else None
        last = theirs[-1]
        if setting.negated != last.negated or (setting.value is None) != (last.value is None):
            return None
        if setting.value is None or _same(setting.text, last.text) or _as_written(setting) == last.text:
            return {}
        if self._history.options[option].spec_field == "methods":
            return {} if self._means_the_same(setting, last) else None
        return _members_beside(setting.text, last.text)

    def _means_the_same(self, setting: Setting, theirs: Setting) -> bool:
        """Whether another word for a method comes to the same, in the place of the engine's own."""
        if setting.text is None or self._rendering is None or self._other_kind(setting.text, theirs.text or ""):
            return False
        if theirs.surface != "flag":
            values = self._history.options[theirs.option or ""].values if theirs.option else ()
            return any(one.text == setting.text and one.method in self._spec.methods for one in values)
        argv = list(self._rendering.argv)
        for place, word in enumerate(argv[:-1]):
            if word == theirs.spelling:
                argv[place + 1] = setting.text
        other = reread(replace(self._rendering, argv=tuple(argv)), self._engine)
        return other is not None and self.again is not None and other.spec == self.again.spec

    def _other_kind(self, text: str, theirs: str) -> bool:
        values = [one for option in self._history.speculative for one in option.values if one.method in _KINDS]
        ours, said = ({one.text for one in values if one.text in whole.split(",")} for whole in (text, theirs))
        return ours != said


def _as_written(setting: Setting) -> str | None:
    return setting.value_fragment.text if setting.value_fragment is not None else None


def _same(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return False
    if one == other:
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def _members_beside(text: str | None, theirs: str | None) -> Mapping[str, Any] | None:
    """The members of an object that stand beside those of the other one; None where they are no such objects."""
    ours, said = (_object(one) for one in (text, theirs))
    if ours is None or said is None or any(key not in ours or ours[key] != value for key, value in said.items()):
        return None
    return {key: value for key, value in ours.items() if key not in said}


def _object(text: str | None) -> dict[str, Any] | None:
    try:
        found = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
