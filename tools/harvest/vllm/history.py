"""From snapshots of releases to what each name meant, and when.

Every release is read, so a boundary is a pair of neighbouring releases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from .. import intervals
from ..intervals import Pair, Run
from ..pypi import HarvestError
from .curated import Curated, Row
from .flags import Flag
from .snapshot import MARKERS, Field, Snapshot

KEY = "spec."  # ids of the keys of speculative_config
_OLD = "deprecated"


class History:
    """All options over all releases."""

    def __init__(self, snapshots: Sequence[Snapshot], curated: Curated) -> None:
        self.snapshots = list(snapshots)
        self.curated = curated
        self.releases = [one.version for one in snapshots]
        self._flags = {one.version: {flag.dest: flag for flag in one.flags} for one in snapshots}
        self._fields = {one.version: {field.name: field for field in one.fields} for one in snapshots}
        curated.check({*self.speculative, *self.plain}, self._dests)

    # --- which options there are

    @cached_property
    def _dests(self) -> set[str]:
        flags = {dest for found in self._flags.values() for dest in found}
        return flags | {name for one in self.snapshots for name in one.kwargs}

    @cached_property
    def speculative(self) -> list[str]:
        """The ids of options that are about speculation: what is curated, and every key of speculative_config."""
        keys = {KEY + name for found in self._fields.values() for name in found}
        return sorted({*self.curated.options, *keys} & {*keys, *map(self.curated.owner, self._dests), *self._env_names})

    @cached_property
    def plain(self) -> list[str]:
        """The ids of all other options."""
        return sorted({*map(self.curated.owner, self._dests), *self._env_names} - set(self.speculative))

    @cached_property
    def _env_names(self) -> set[str]:
        return {name for one in self.snapshots for name in one.env}

    def _dests_of(self, option: str) -> list[str]:
        said = self.curated.option(option).get("set_by")
        return list(said) if said else [dest for dest in sorted(self._dests) if self.curated.owner(dest) == option]

    # --- what held at a release

    def _runs(self, observe: Callable[[str], Any]) -> list[Run]:
        return intervals.runs(self.releases, observe)

    def marker(self, name: str) -> Pair:
        """The interval in which a marker first appeared. Raises HarvestError when it never did, or went again."""
        if name not in MARKERS:
            raise HarvestError(f"no marker {name}")
        holding = {one.version for one in self.snapshots if name in one.markers}
        found = self._runs(lambda release: True if release in holding else None)
        if len(found) != 1 or found[0].until is not None:
            raise HarvestError(f"marker {name} holds at {', '.join(sorted(holding)) or 'no release'}")
        return found[0].since

    def _field(self, option: str, release: str) -> Field | None:
        return self._fields[release].get(option.removeprefix(KEY)) if option.startswith(KEY) else None

    def _given(self, option: str, release: str) -> list[Flag]:
        return [flag for dest in self._dests_of(option) if (flag := self._flags[release].get(dest))]

    def types(self, option: str) -> list[Run]:
        """How the option is parsed: the key of the JSON has the last word, then the flag."""

        def observe(release: str) -> str | None:
            field = self._field(option, release)
            flags = self._given(option, release)
            return field.type if field else self._kind(option, release, flags[0]) if flags else None

        return self._runs(observe) or [Run("string", ("", self.releases[0]), None)]

    def _kind(self, option: str, release: str, flag: Flag) -> str:
        """How a flag's value is parsed; where another parser is behind it than its type says, that one."""
        for marker, kind in self.curated.option(option).get("type_before", {}).items():
            if self.releases.index(release) < self.releases.index(self.marker(marker)[1]):
                return str(kind)
        return flag.type

    def defaults(self, option: str) -> list[Run]:
        """What holds when the option is not given."""

        def observe(release: str) -> str | None:
            field = self._field(option, release)
            flags = self._given(option, release)
            return field.default if field else flags[0].default if flags else None

        return self._runs(observe)

    # --- names

    def flag_rows(self, option: str, kind: str) -> dict[str, list[Row]]:
        """Spelling -> rows; `kind` is the option's type, said again only where a flag has another one."""
        spellings = {name: flag.dest for found in self._flags.values() for flag in found.values()
                     if self.curated.owner(flag.dest) == option for name in (*flag.names, *flag.no_names)}  # fmt: skip

        def observer(spelling: str) -> Callable[[str], Any]:
            def observe(release: str) -> Any:
                for flag in self._given(option, release):
                    if spelling in (*flag.names, *flag.no_names):
                        main = next((name for name in flag.names if name.startswith("--")), flag.names[0])
                        negates = spelling in flag.no_names
                        return spelling == main or negates, negates, self._kind(option, release, flag)
                return None

            return observe

        rows: dict[str, list[Row]] = {}
        for spelling, dest in sorted(spellings.items()):
            found = self._runs(observer(spelling))
            rows[spelling] = [row for run in found for row in self._row(option, "flag", run, kind)]
            rows[spelling] = self._ended(option, dest, rows[spelling])
        return rows

    def _row(self, option: str, surface: str, run: Run, kind: str) -> Iterator[Row]:
        main, negates, own = run.value
        status = "active" if main else "alias"
        extra = {**({"negates": True} if negates else {}), **({"type": own} if own != kind else {})}
        for part, ignored in self._split(option, surface, run):
            row = {**intervals.window(part), "status": "ignored" if ignored else status, **extra}
            if ignored:
                row["replace"] = [{"remove": True, "why": self.curated.option(option)["why"]}]
            yield row

    def _split(self, option: str, surface: str, run: Run) -> Iterator[tuple[Run, bool]]:
        """A run in parts: before, while and after the option does nothing."""
        said = self.curated.option(option).get("ignored", {}).get(surface)
        if not said:
            yield run, False
            return
        if said == ["", ""]:
            yield run, True
            return
        first, last = (self.releases.index(release) for release in said)
        if self.releases.index(run.since[1]) > last:
            yield run, False
            return
        begin = (self.releases[first - 1], self.releases[first])
        newest = last + 1 == len(self.releases)
        end = None if newest else (self.releases[last], self.releases[last + 1])
        if run.since != begin and self.releases.index(run.since[1]) < first:
            yield Run(run.value, run.since, begin), False
        yield Run(run.value, begin, end), True
        if end is not None and run.until != end:
            yield Run(run.value, end, run.until), False

    def _ended(self, option: str, dest: str, rows: list[Row]) -> list[Row]:
        """What is said of a name after the last release that has it: where its meaning went."""
        if not rows or "until" not in rows[-1] or not option.startswith(KEY):
            return rows
        last, first = rows[-1]["until"]
        key = option.removeprefix(KEY)
        if self._field(option, last) is None:
            return rows
        told = dict(rows[-1], status=_OLD, since=list(self.marker("speculative-config")))
        told["message"] = "Please use '--speculative-config' to set all configurations related to speculative decoding."
        rows[-1] = dict(rows[-1], until=list(self.marker("speculative-config")))
        moved = {"spelling": key, "surface": "json", "why": f'`"{key}"` in the JSON of --speculative-config'}
        return [*rows, {**told, "replace": [moved]}, {"since": [last, first], "status": "fatal", "replace": [moved]}]

    def kwarg_rows(self, option: str, kind: str) -> dict[str, list[Row]]:
        """Keyword arguments of the Python classes -> rows."""
        rows: dict[str, list[Row]] = {}
        for dest in self._dests_of(option):
            having = {one.version for one in self.snapshots if dest in one.kwargs}

            def observe(release: str, having: set[str] = having, dest: str = dest) -> Any:
                if release not in having:
                    return None
                flag = self._flags[release].get(dest)
                return True, False, self._kind(option, release, flag) if flag else kind

            found = [row for run in self._runs(observe) for row in self._row(option, "kwarg", run, kind)]
            if found:
                rows[dest] = self._ended(option, dest, found)
        return rows

    def json_rows(self, option: str) -> dict[str, list[Row]]:
        """The key of speculative_config -> rows; with hyphens where they are read as underscores."""
        if not option.startswith(KEY):
            return {}
        key = option.removeprefix(KEY)
        having = {release for release in self.releases if self._field(option, release)}
        runs = self._runs(lambda release: (True, False, "") if release in having else None)
        rows = {key: [row for run in runs for row in self._row(option, "json", run, "")]}
        if refused := self.curated.option(option).get("refused"):
            moved = [{"spelling": refused["instead"]}]
            for row in rows[key]:
                row |= {"status": "fatal", "message": refused["message"], "replace": moved}
            return rows
        hyphens = self.marker("hyphens-in-keys")
        also = set(self.releases[self.releases.index(hyphens[1]) :]) & having
        if "_" in key and also:
            runs = self._runs(lambda release: (False, False, "") if release in also else None)
            rows[key.replace("_", "-")] = [row for run in runs for row in self._row(option, "json", run, "")]
        return rows

    def env_rows(self, option: str) -> dict[str, list[Row]]:
        """The environment variable -> rows; after its last release nobody reads it."""
        if option not in self._env_names:
            return {}
        having = {one.version for one in self.snapshots if option in one.env}
        runs = self._runs(lambda release: True if release in having else None)
        rows: list[Row] = [{**intervals.window(run), "status": "active"} for run in runs]
        if runs[-1].until is not None:
            said = self.curated.option(option)
            why = {"why": said["why"]} if "why" in said else {}
            moot = {"moot": said["moot"]} if "moot" in said else {}
            rows.append(
                {"since": list(runs[-1].until), "status": "unread", "replace": [{"remove": True, **why}], **moot}
            )
        return {option: rows}

    # --- words that options take

    def value_rows(self, option: str) -> dict[str, list[Row]]:
        """Word -> rows, for the options whose words are followed."""
        facts = self.curated.option(option)
        if not facts.get("words"):
            return {}

        at: dict[str, set[str]] = {}
        before: set[str] = set()
        for release in self.releases:
            field = self._field(option, release)
            found = set(field.choices) if field else set()
            found = found.union(*(flag.choices for flag in self._given(option, release)))
            at[release] = before = before if field and not found else found  # a plain string says nothing of its words
        methods: dict[str, str] = facts.get("methods", {})
        rows: dict[str, list[Row]] = {}
        for word in sorted(set().union(*at.values())):
            runs = self._runs(lambda release, word=word: True if word in at[release] else None)  # type: ignore[misc]
            alias = "aliases_from" in facts and word.endswith("_mtp")
            rows[word] = [row for run in runs for row in self._word(run, methods.get(word, ""), alias, facts)]
        missing = sorted(methods.keys() - rows.keys())
        if missing:
            raise HarvestError(f"{option}: curated words that no release has: {', '.join(missing)}")
        if "any_word_until" in facts:
            first = self._runs(lambda release: True if self._field(option, release) else None)[0]
            rows["*"] = [{"since": list(first.since), "until": list(self.marker(facts["any_word_until"]))}]
        if first_open := facts.get("any_word_since"):
            rows["*"] = [{"since": [self.releases[self.releases.index(first_open) - 1], first_open]}]
        return rows

    def _word(self, run: Run, method: str, alias: bool, facts: Row) -> Iterator[Row]:
        said = {"method": method} if method else {}
        if not alias:
            yield {**intervals.window(run), **said}
            return
        since = self.marker(facts["aliases_from"])
        if self.releases.index(run.since[1]) < self.releases.index(since[1]):
            yield {**intervals.window(Run(True, run.since, since)), **said}
            run = Run(True, since, run.until)
        yield {**intervals.window(run), "status": "deprecated", **said}

    # --- names of options that are not about speculation

    def name_rows(self, option: str) -> list[Row]:
        """The rows of one plain option: a row for each set of spellings."""
        if option in self._env_names:
            return [{"env": option, "type": "string"}]
        (dest,) = self._dests_of(option)
        having = {one.version for one in self.snapshots if dest in one.kwargs}

        def observe(release: str) -> Any:
            flag = self._flags[release].get(dest)
            kwarg = dest if release in having else ""
            return (flag.names, flag.no_names, flag.type, kwarg) if flag else ((), (), "", kwarg) if kwarg else None

        runs = self._runs(observe)
        known = next((run.value[2] for run in runs if run.value[2]), "string")
        return [_name_row(run, known) for run in runs]


def _name_row(run: Run, known: str) -> Row:
    names, no_names, kind, kwarg = run.value
    parts: Iterable[tuple[str, Any]] = (
        ("flags", list(names)), ("no_flags", list(no_names)), ("kwarg", kwarg), ("type", kind or known),
    )  # fmt: skip
    return {**{key: part for key, part in parts if part}, **intervals.window(run)}
