"""The value checks: does this version take this value? Answered from the option history alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mtpconfig.engine import Engine, Reading
from mtpconfig.history import ANY_WORD, Choice, Option, OptionHistory, Period
from mtpconfig.launch import Setting
from mtpconfig.lint.wording import between, coming, quoted
from mtpconfig.match import Match, plan
from mtpconfig.version import Version

Diagnosis = tuple[str, Match]
_DIGITS = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_NOUNS = {"int": "a whole number", "float": "a number"}


class Valuer(Struct, frozen=True, eq=False):
    """The value checks for one engine."""

    engine: Engine
    history: OptionHistory

    def diagnose(self, reading: Reading, setting: Setting, period: Period) -> Iterator[Diagnosis]:
        """What is wrong with the value of a setting whose name is known, as (check, match)."""
        option = self.history.options[period.option]
        if setting.surface == "flag" and setting.value is None and period.type not in ("flag", "bool", "optional"):
            if reading.closed:
                yield self._missing(reading, setting)
            return
        if not option.speculative or setting.value is None or setting.value_fragment is None:
            return
        own = period.type not in {row.value for row in option.types}  # a surface with a grammar of its own
        kind = period.type if own else self.history.type(option.id, reading.version)
        for text in setting.texts:
            if option.values:
                yield from self._choices(reading, setting, option, text, kind)
            elif kind in _NOUNS:
                yield from self._number(reading, setting, text, kind)

    def _says(self, reading: Reading) -> str:
        return f"{self.engine.title} {reading.version}"

    def _missing(self, reading: Reading, setting: Setting) -> Diagnosis:
        return "invalid-value", Match(
            anchor=setting.name,
            message=f"{self._says(reading)} does not start: {quoted(setting)} has no value",
            setting=setting,
            detail="a value must follow",
            help="give the value, or remove the option",
            severity="error",
        )

    # --- numbers

    def _number(self, reading: Reading, setting: Setting, text: str, kind: str) -> Iterator[Diagnosis]:
        assert setting.value_fragment is not None
        noun, value = _NOUNS[kind], self.engine.numeral(text, kind, setting)
        if value is None:
            stops = self.history.stops(setting.surface)
            message = f"{self._says(reading)} {stops}: {quoted(setting)} wants {noun}, not {text!r}"
            detail, severe = f"not {noun}", True
        elif not _written_so(text, value):
            message = f"{self._says(reading)} reads {quoted(setting)} {text!r} as {value:g}, without a word"
            detail, severe = f"read as {value:g}", False
        else:
            return
        yield (
            "invalid-value",
            Match(
                anchor=setting.value_fragment,
                message=message,
                setting=setting,
                detail=detail,
                help=f"write {noun}",
                severity="error" if severe else "warning",
                about_value=True,
            ),
        )

    # --- choices

    def _choices(self, reading: Reading, setting: Setting, option: Option, text: str, kind: str) -> Iterator[Diagnosis]:
        place = 0
        for item in text.split(",") if kind == "list" else [text]:
            part = (place, place + len(item))
            place += len(item) + 1
            told = (c for c in option.values if c.text in (item, ANY_WORD))
            choices = [c for c in told if c.stretch.holds(reading.version) is not False]
            if not choices:
                yield self._bad_choice(reading, setting, option, item, part)
            elif choices[0].status == "deprecated":
                yield self._old_choice(reading, setting, option, choices[0], part)
            elif choices[0].status == "ignored":
                yield self._inert_choice(reading, setting, choices[0], part)

    def _inert_choice(self, reading: Reading, setting: Setting, choice: Choice, part: tuple[int, int]) -> Diagnosis:
        assert setting.value_fragment is not None
        _, first = choice.stretch.until or (None, None)
        return "ignored-option", Match(
            anchor=setting.value_fragment,
            part=_part(setting, part, choice.text),
            message=f"{self._says(reading)} accepts {quoted(setting)} `{choice.text}` and does nothing with it",
            setting=setting,
            detail=f"works from {first} on" if first is not None else "without effect",
            help=f"use {first} or newer" if first is not None else "remove it",
            about_value=True,
        )

    def _old_choice(
        self, reading: Reading, setting: Setting, option: Option, choice: Choice, part: tuple[int, int]
    ) -> Diagnosis:
        """A word that means the same as another one, and will go."""
        assert setting.value_fragment is not None
        same = [c for c in option.values if c.method == choice.method and c.status == "active" and c.method]
        new = next((c for c in same if c.stretch.holds(reading.version)), None)
        fix = None
        if new is not None and setting.value_fragment.text[slice(*part)] == choice.text:
            edit = setting.value_fragment.replace(*part, new.text)
            kept = [c.stretch for c in same if c.text == new.text]
            fix = plan(
                f"replace `{choice.text}` by `{new.text}`",
                edit,
                same_meaning=True,
                holds_at=lambda version: any(stretch.holds(version) for stretch in kept),
            )
        return "deprecated-spelling", Match(
            anchor=setting.value_fragment,
            part=_part(setting, part, choice.text),
            message=f"{self._says(reading)} calls {quoted(setting)} `{choice.text}` deprecated",
            setting=setting,
            detail="still works" + (f"; now `{new.text}`" if new else ""),
            help=f"write `{new.text}`" if new else "",
            severity="info",
            about_value=True,
            plan=fix,
        )

    def _bad_choice(
        self, reading: Reading, setting: Setting, option: Option, item: str, part: tuple[int, int]
    ) -> Diagnosis:
        assert setting.value_fragment is not None
        version = reading.version
        same = [choice for choice in option.values if choice.text == item]
        past = [c for c in same if c.stretch.until and c.stretch.until[1] and c.stretch.until[1] <= version]
        later = [c for c in same if c.stretch.since[1] and c.stretch.since[1] > version]
        usable = [c for c in option.values if c.stretch.holds(version) and c.status not in ("deprecated", "ignored")]
        now = [choice.text for choice in usable]
        instead = _instead(option, item, past, now)
        help_ = f"write `{instead}`" if instead else f"use one of: {', '.join(now)}" if now else "remove it"
        if later and not past:
            detail = coming(*later[0].stretch.since)
            help_ = f"use {later[0].stretch.since[1]} or newer, or {help_}"
        elif past and past[-1].stretch.until:
            detail = between(*past[-1].stretch.until, "renamed" if instead else "removed")
        else:
            detail = "never a value of it"

        def holds_at(at: Version) -> bool:
            return any(choice.text == instead and choice.stretch.holds(at) for choice in option.values)

        fix = None
        if instead is not None and setting.texts == (setting.value_fragment.text,):
            edit = setting.value_fragment.replace(*part, instead)
            same_meaning = item in option.never or bool(past)
            fix = plan(f"replace `{item}` by `{instead}`", edit, same_meaning=same_meaning, holds_at=holds_at)
        shown = f"{quoted(setting)} `{item}`" if item else f"an empty {quoted(setting)}"
        return (
            "not-yet-available" if later and not past else "invalid-value",
            Match(
                anchor=setting.value_fragment,
                part=_part(setting, part, item),
                message=f"{self._says(reading)} does not start with {shown}",
                setting=setting,
                detail=detail,
                help=help_,
                severity="error",
                about_value=True,
                plan=fix,
            ),
        )


def _part(setting: Setting, part: tuple[int, int], item: str) -> tuple[int, int] | None:
    """The item's place in the value as it is written, where it is written so."""
    assert setting.value_fragment is not None
    return part if item and setting.value_fragment.text[part[0] : part[1]] == item else None


def _written_so(text: str, value: float) -> bool:
    """Whether the whole text is the number, and no rest behind its digits was dropped."""
    try:
        return float(text) == value
    except ValueError:
        digits = _DIGITS.match(text)
        return digits is None or float(digits[0]) != value


def _instead(option: Option, item: str, past: Sequence[Choice], now: Sequence[str]) -> str | None:
    """The value that says the same today."""
    if option.never.get(item) in now:
        return option.never[item]
    for choice in past:
        for other in option.values:
            if other.method and other.method == choice.method and other.text in now:
                return other.text
    plain = item.lower().replace("_", "-")
    return plain if plain in now else None
