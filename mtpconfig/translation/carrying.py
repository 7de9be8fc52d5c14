"""Settings beside the spec: which are taken along, and why the others are not."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.counterparts import shared_by
from mtpconfig.engine import Engine, Reading, Rendering
from mtpconfig.launch import Opaque, Setting
from mtpconfig.secrets import hide
from mtpconfig.translation.left import Left, Stays, shown, values_of
from mtpconfig.translation.same_engine import refused, renamed, with_member, with_value
from mtpconfig.translation.told import Told, reread


class Carried(Struct, frozen=True):
    """The words of the other side with what was taken along, and what was not."""

    argv: tuple[str, ...]
    left: tuple[Left, ...]


def carry(told: Told, reading: Reading, source: Engine, target: Engine, rendering: Rendering) -> Carried:
    """Put the settings that the spec does not say behind the words that are rendered for it, as far as that is sure."""
    carrier = _Carrier(told, reading, source, target, rendering)
    carrier.rests()
    for setting, option in told.untold:
        carrier.take(setting, option)
    left = [Left(hide(word.text), f"no option of {source.title} takes it") for word in told.words]
    return Carried(tuple(carrier.argv), (*carrier.left, *left))


class _Carrier:
    def __init__(self, told: Told, reading: Reading, source: Engine, target: Engine, rendering: Rendering) -> None:
        self._told, self._reading, self._source, self._target = told, reading, source, target
        self._same = source.id == target.id
        self._rendering, self._there = rendering, reread(rendering, target)
        self._why_off = rendering.dropped.get("state", "")
        self.argv: Sequence[str] = rendering.argv
        self.left: list[Left] = []

    def rests(self) -> None:
        """The members of an object that stand beside those that the spec says: with one engine, the whole object.

        Another word for the method stays the word that it is, if that still says the same.
        """
        for setting, option in self._told.told:
            self._keep_word(setting, option)
            rest = self._told.rests.get(setting.spelling)
            said = self._there.by_option.get(option, ()) if self._there is not None and self._same else ()
            if rest and said and setting.text is not None:
                self.argv = with_value(self.argv, said[-1], setting.text)
            elif rest:
                why = f"nothing of {self._target.title} surely means the same"
                self.left += [Left(f"{key} in {setting.spelling}", why) for key in rest]

    def _keep_word(self, setting: Setting, option: str) -> None:
        said = self._there.by_option.get(option, ()) if self._there is not None and self._same else ()
        if not said or self._there is None or said[-1].surface != "flag" or setting.text in (None, said[-1].text):
            return
        fits = refused(option, [setting.text or ""], self._target, self._there) is None
        if fits and self._target.options().options[option].spec_field == "methods":
            argv = with_value(self.argv, said[-1], setting.text or "")
            other = reread(replace(self._rendering, argv=tuple(argv)), self._target)
            if other is not None and other.spec == self._there.spec:
                self.argv = argv

    def take(self, setting: Setting, option: str | None) -> None:
        """Take one setting along, or list it."""
        text = shown(setting)
        try:
            if option is None:
                raise Stays(f"{self._source.title} {self._reading.version} does not read it")
            if self._there is None:
                raise Stays(f"{self._target.title} is not started by words that could say it")
            if self._why_off and self._source.options().options[option].speculative:
                raise Stays(self._why_off)
            if setting.guard:
                raise Stays("it holds in one branch alone")
            if hide(text) != text:
                raise Stays("a secret is not repeated: write it in yourself")
            if self._same and setting.member is not None:
                self.argv = with_member(self.argv, setting, self._target, self._there)
            elif self._same:
                self.argv = (*self.argv, *renamed(setting, option, self._target, self._there))
            else:
                self.argv = (*self.argv, *self._shared(setting, option, self._there))
        except Stays as reason:
            self.left.append(Left(hide(text), str(reason)))

    def _shared(self, setting: Setting, option: str, there: Reading) -> Sequence[str]:
        """The words for a setting that both engines have. Raises Stays."""
        target = self._target
        shared = shared_by(option, self._source.options())
        other = target.options().counterparts.settings.get(shared.id) if shared is not None else None
        if shared is None or other is None:
            raise Stays(f"nothing of {target.title} surely means the same")
        program = target.program_at(there.program, there.version)
        name = target.options().current_spelling(other.option, "flag", there.version, program)
        if name is None:
            raise Stays(f"{target.title} {there.version} has no option for it")
        texts = values_of(setting)
        if shared.values is None:
            if texts or setting.negated:
                raise Stays(f"{target.title} has a plain switch for it")
            return [name]
        if len(texts) != 1 or isinstance(setting.value, Opaque) or not shared.values.fullmatch(texts[0]):
            raise Stays(f"it is not known that {target.title} reads this value in the same way")
        return [name, texts[0]]
