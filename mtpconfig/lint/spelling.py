"""The spelling checks: does this version know what is written? Answered from the option history alone.

Each check is named after the rule that reports it: renamed-option, removed-option, unknown-option, not-yet-available,
invalid-value, ignored-option, unread-variable, deprecated-spelling, other-engines-option.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from mtpconfig.engine import Engine, Reading, key_of
from mtpconfig.history import STOPS, USABLE, OptionHistory, Period, Replacement, at, bare
from mtpconfig.launch import Setting, removal
from mtpconfig.lint.moving import gathered
from mtpconfig.lint.values import Diagnosis, Valuer
from mtpconfig.lint.wording import between, coming, either, quoted, since
from mtpconfig.match import FixPlan, Match, plan
from mtpconfig.meaning import replacement_for
from mtpconfig.version import Version

_NEAR = 0.84


class Speller(Struct, frozen=True, eq=False):
    """The spelling checks for one engine; `foreign` gives the owners of other engines' options."""

    engine: Engine
    history: OptionHistory
    foreign: Callable[[], Mapping[str, str]]

    def diagnose(self, reading: Reading) -> Iterator[Diagnosis]:
        """What is wrong with the spellings and values of a launch, as (check, match)."""
        for setting in reading.settings:
            yield from self._setting(reading, setting)

    def _setting(self, reading: Reading, setting: Setting) -> Iterator[Diagnosis]:
        spelling = key_of(setting, self.engine)
        program = self.engine.program_at(reading.program, reading.version)
        period = self.history.find(setting.surface, spelling, reading.version, program)
        if period is None:
            found = self._absent(reading, setting, spelling, program)
        elif period.status in USABLE:
            found = self._deprecated(reading, setting, period)
            yield from Valuer(self.engine, self.history).diagnose(reading, setting, period)
        else:
            found = self._useless(reading, setting, period)
        if found is not None:
            yield found

    def _says(self, reading: Reading) -> str:
        return f"{self.engine.title} {reading.version}"

    def _fatal(self, setting: Setting, version: Version) -> bool:
        surface = self.history.surfaces.get(setting.surface)
        row = at(surface.unknown, version) if surface else None
        return row is not None and row.value == "fatal"

    def _absent(self, reading: Reading, setting: Setting, spelling: str, program: str) -> Diagnosis | None:
        version = reading.version
        everywhere = self.history.periods(setting.surface, spelling)
        periods = [p for p in everywhere if p.serves(program)]
        fatal = self._fatal(setting, version)
        if any(p.stretch.holds(version) is None for p in periods):
            return None
        if not periods and everywhere:
            return self._other_program(reading, setting, everywhere)
        past = [
            p
            for p in periods
            if p.stretch.until is not None and p.stretch.until[1] is not None and p.stretch.until[1] <= version
        ]
        coming = [p for p in periods if p.stretch.since[1] is not None and p.stretch.since[1] > version]
        if past:
            return self._gone(reading, setting, past[-1], fatal)
        if coming:
            return self._not_yet(reading, setting, coming[0], fatal)
        return self._never(reading, setting, spelling, program, fatal)

    def _gone(self, reading: Reading, setting: Setting, period: Period, fatal: bool) -> Diagnosis:
        last, first = period.stretch.until or (None, None)
        when = between(last, first, "removed")
        headline, severity = f"{self._says(reading)} {self._refuses(setting, fatal)}", "error" if fatal else "warning"
        said = self._answer(reading, setting)
        return self._replaced(reading, setting, period, headline, when, severity, said=said)

    def _refuses(self, setting: Setting, fatal: bool) -> str:
        """What happens at a name that is not known: on a derived surface the whole file is refused."""
        if not fatal:
            return f"does not read {quoted(setting)}"
        if self.history.derived(setting.surface):
            return f"refuses this file: it does not know {quoted(setting)}"
        stops = self.history.stops(setting.surface)
        return f"{stops} with {quoted(setting)}" if stops == STOPS else f"{stops}: it does not know {quoted(setting)}"

    def _answer(self, reading: Reading, setting: Setting) -> str:
        """The engine's own words about a name that it does not know, where the place of the name is part of them."""
        surface = self.history.surfaces.get(setting.surface)
        told = surface is not None and (setting.surface == "flag" or surface.derived_from or surface.exhaustive)
        row = at(surface.unknown, reading.version) if surface is not None and told else None
        if (
            row is None
            or row.value != "fatal"
            or (setting.surface != "flag" and bare(setting.spelling) != setting.spelling)
        ):
            return ""
        return row.message.format(spelling=setting.spelling, section=reading.launch.label, file="")

    def _useless(self, reading: Reading, setting: Setting, period: Period) -> Diagnosis | None:
        if period.moot and (setting.text is None or setting.text in period.moot):
            return None
        last, first = period.stretch.since
        if period.status == "fatal":
            headline = f"{self._says(reading)} does not start with {quoted(setting)}"
            if self.history.derived(setting.surface):
                headline = f"{self._says(reading)} takes {quoted(setting)} and then does not start this model"
            return self._replaced(reading, setting, period, headline, between(last, first, "removed"), "error")
        if period.status == "unread":
            headline = f"nobody reads {quoted(setting)} in {self._says(reading)}, and nothing says so"
            return self._replaced(
                reading, setting, period, headline, since(last, first, "unread"), "warning", "unread-variable"
            )
        headline = f"{self._says(reading)} accepts {quoted(setting)} and ignores it"
        return self._replaced(
            reading, setting, period, headline, since(last, first, "ignored"), "warning", "ignored-option"
        )

    def _replaced(
        self,
        reading: Reading,
        setting: Setting,
        period: Period,
        headline: str,
        when: str,
        severity: str,
        check: str = "",
        said: str = "",
    ) -> Diagnosis:
        replacement = replacement_for(period, reading, self.history)
        new = replacement.spelling if replacement is not None else None
        check = check or ("renamed-option" if new else "removed-option")
        said = said or period.message
        said = f'{self.engine.title} stops with: "{said}"' if said else ""
        elsewhere = replacement is not None and replacement.surface not in ("", setting.surface) and replacement.why
        help_ = (
            f"write {elsewhere}"
            if elsewhere
            else f"write `{new}`"
            if new
            else f"remove it: {replacement.why}"
            if replacement and replacement.why
            else "remove it"
        )
        match = Match(
            anchor=setting.name,
            message=headline,
            setting=setting,
            detail=when + (f"; now {elsewhere or f'`{new}`'}" if new else ""),
            why=said,
            help=help_ if replacement is not None else "",
            severity="error" if severity == "error" else "warning",
            plan=self._rename(reading, setting, period, replacement) if replacement is not None else None,
        )
        return check, match

    def _rename(self, reading: Reading, setting: Setting, period: Period, replacement: Replacement) -> FixPlan | None:
        new = replacement.spelling
        if new is None:
            return self._remove(reading, setting, replacement)
        if replacement.surface not in ("", setting.surface):
            return gathered(reading, setting, replacement, self.engine, self.history)
        surface, program = setting.surface, reading.program

        def holds_at(version: Version) -> bool:
            period = self.history.find(surface, new, version, self.engine.program_at(program, version))
            return period is not None and period.status in USABLE

        edit = setting.name.replace(0, len(setting.name.text), new)
        same = self._means_the_same(reading, setting.surface, period.option, new)
        return plan(f"replace `{setting.spelling}` by `{new}`", edit, same_meaning=same, holds_at=holds_at)

    def _means_the_same(self, reading: Reading, surface: str, option: str, new: str) -> bool:
        """Whether a new spelling names the old option, or the one that has wholly taken its place."""
        if any(period.option == option for period in self.history.periods(surface, new)):
            return True
        return self._current_spelling(option, surface, reading) is None

    def _remove(self, reading: Reading, setting: Setting, replacement: Replacement) -> FixPlan | None:
        edits = removal(setting, reading.launch.container)
        return plan(f"remove `{setting.spelling}`", *(edits or ()), same_meaning=False, holds_at=lambda version: True)

    def _not_yet(self, reading: Reading, setting: Setting, period: Period, fatal: bool) -> Diagnosis:
        low, first = period.stretch.since
        older = self._current_spelling(period.option, setting.surface, reading)
        match = Match(
            anchor=setting.name,
            message=f"{self._says(reading)} {self._refuses(setting, fatal)} yet{'' if fatal else ', and says nothing'}",
            setting=setting,
            detail=coming(low, first),
            help=f"write `{older}` there, or use {first} or newer" if older else f"use {first} or newer, or remove it",
            severity="error" if fatal else "warning",
            plan=self._rename(reading, setting, period, Replacement(older)) if older else None,
        )
        if fatal:
            return "not-yet-available", match
        named = (surface := self.history.surfaces.get(setting.surface)) is not None and surface.exhaustive
        return ("unknown-config-key" if named else "unread-variable"), match

    def _current_spelling(self, option: str, surface: str, reading: Reading) -> str | None:
        program = self.engine.program_at(reading.program, reading.version)
        return self.history.current_spelling(option, surface, reading.version, program)

    def _other_program(self, reading: Reading, setting: Setting, periods: Sequence[Period]) -> Diagnosis | None:
        if not self.history.options[periods[0].option].speculative or setting.surface != "flag":
            return None
        programs = sorted(
            name
            for name in self.history.programs
            if any(
                p.serves(self.engine.program_at(name, reading.version)) and p.stretch.holds(reading.version)
                for p in periods
            )
        )
        match = Match(
            anchor=setting.name,
            message=f"{reading.program} ({self._says(reading)}) has no option {quoted(setting)}",
            setting=setting,
            detail="it does not start with it",
            help=f"use {either(programs)}" if programs else "remove it",
            severity="error",
        )
        return "unknown-option", match

    def _never(self, reading: Reading, setting: Setting, spelling: str, program: str, fatal: bool) -> Diagnosis | None:
        surface = self.history.surfaces.get(setting.surface)
        if surface is None:
            return None
        if surface.exhaustive:
            return self._no_key(reading, setting, spelling, program, fatal)
        if (owner := self.foreign().get(spelling)) and owner != self.engine.id:
            match = Match(
                anchor=setting.name,
                message=f"{quoted(setting)} is an option of {owner}; {self.engine.title} does not know it",
                setting=setting,
                detail=f"{reading.program} {self.history.stops(setting.surface)} with it"
                if fatal
                else "nobody reads it",
                severity="error" if fatal else "warning",
            )
            return "other-engines-option", match
        head, equals, _ = spelling.partition("=")
        if equals and self.history.find(setting.surface, head, reading.version, program):
            match = Match(
                anchor=setting.name,
                message=f"{self.engine.title} takes no `{head}=...`: the value is a word of its own",
                setting=setting,
                detail="write a blank for the `=`",
                severity="error",
            )
            return "unknown-option", match
        meant = self._nearest(setting.surface, spelling, reading, program)
        if meant is None and not spelling.startswith(self.history.namespaces):
            return None
        silent = "" if fatal else ", and nothing says so"
        said = self._answer(reading, setting)
        hint = self._hint(meant, setting.surface, reading, program) if meant is not None else ""
        match = Match(
            anchor=setting.name,
            message=f"{self.engine.title} has never known {quoted(setting)}{silent}",
            setting=setting,
            detail="no version knows it",
            why=f'{self.engine.title} stops with: "{said}"' if said else "",
            help=hint,
            severity="error" if fatal else "warning",
            meant=meant[0] if meant is not None and meant[1] else "",
        )
        return ("unknown-option" if fatal else "unread-variable"), match

    def _no_key(self, reading: Reading, setting: Setting, spelling: str, program: str, fatal: bool) -> Diagnosis:
        """A name where every name would be one of the options'."""
        nearest = self._nearest(setting.surface, spelling, reading, program)
        hint = self._hint(nearest, setting.surface, reading, program) if nearest is not None else ""
        said = self._answer(reading, setting) if fatal else ""
        option, near = nearest or ("", "")
        meant = option if near else ""
        edit = setting.name.replace(0, len(setting.name.text), near) if near else None
        return "unknown-config-key", Match(
            anchor=setting.name,
            message=f"{self._says(reading)} does not start: {quoted(setting)} is no key here"
            if fatal
            else f"{self._says(reading)} drops {quoted(setting)}, and nothing says so",
            setting=setting,
            detail="no version knows it",
            why=f'{self.engine.title} stops with: "{said}"' if said else "",
            help=hint or "remove it",
            severity="error" if fatal else "warning",
            meant=meant,
            plan=plan(f"replace `{setting.spelling}` by `{near}`", edit, same_meaning=False, holds_at=lambda at: True)
            if near and meant not in reading.by_option
            else None,
        )

    def _nearest(self, surface: str, spelling: str, reading: Reading, program: str) -> tuple[str, str] | None:
        """The option whose name this one nearly is, and that name where this version knows it."""
        meant = self.history.never.get(spelling)
        if meant is not None:
            return meant, ""
        if len(spelling) <= 4:
            return None
        known = {name.lower(): name for name in self.history.spellings(surface) if len(name) > 4}
        found = difflib.get_close_matches(spelling.lower(), known, n=1, cutoff=_NEAR)
        if not found:
            return None
        name = known[found[0]]
        option = self.history.periods(surface, name)[-1].option
        return option, name if self.history.find(surface, name, reading.version, program) else ""

    def _hint(self, meant: tuple[str, str], surface: str, reading: Reading, program: str) -> str:
        """What to write for the option that is meant: its name here, else on the surface that has one."""
        option, name = meant
        name = name or self.history.current_spelling(option, surface, reading.version, program) or ""
        if name:
            return f"did you mean `{name}`?"
        for title, other in (
            (s.title, s.name) for s in self.history.surfaces.values() if s.title and s.name != surface
        ):
            if (said := self.history.current_spelling(option, other, reading.version, program)) is not None:
                return f"say it by {title.format(spelling=said)}"
        return ""

    def _deprecated(self, reading: Reading, setting: Setting, period: Period) -> Diagnosis | None:
        if period.status != "deprecated":
            return None
        headline = f"{self._says(reading)} calls {quoted(setting)} deprecated"
        return self._replaced(reading, setting, period, headline, "still works", "warning", "deprecated-spelling")
