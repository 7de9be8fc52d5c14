"""From snapshots to the history of options: identities, spellings, values, defaults."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from .. import intervals
from ..intervals import Run
from .curated import Curated, number
from .options import OptionDef
from .snapshot import Snapshot

Row = dict[str, Any]


class History:
    """All snapshots, indexed by option.

    Two registrations, of one build or of several, are the same option when they share a spelling, or when
    the curated facts say so.  Its id is the newest long spelling without dashes.
    """

    def __init__(self, snapshots: Sequence[Snapshot], curated: Curated) -> None:
        self.snapshots = snapshots
        self.curated = curated
        self.builds = [one.build for one in snapshots]
        self._at: dict[str, dict[str, list[OptionDef]]] = {}  # option id -> build -> registrations
        self._index()

    def _index(self) -> None:
        parent: dict[str, str] = {}

        def root(flag: str) -> str:
            parent.setdefault(flag, flag)
            while parent[flag] != flag:
                flag = parent[flag]
            return flag

        for one in self.snapshots:
            for option in one.options:
                for flag in (*option.flags, *option.no_flags):
                    parent[root(flag)] = root(option.flags[0])
        newest: dict[str, str] = {}
        for one in self.snapshots:
            for option in one.options:
                if option.removed is None or root(option.flags[0]) not in newest:
                    newest[root(option.flags[0])] = _name(option)
        for one in self.snapshots:
            for option in one.options:
                name = next(filter(None, map(self.curated.owner, option.flags)), None) or newest[root(option.flags[0])]
                self._at.setdefault(name, {}).setdefault(one.build, []).append(option)

    def ids(self, speculative: bool) -> list[str]:
        """Return the sorted ids of the options that (do not) concern speculation at any build."""
        return sorted(
            name
            for name, builds in self._at.items()
            if any(o.speculative for rows in builds.values() for o in rows) is speculative
        )

    def registered(self, name: str, build: str) -> list[OptionDef]:
        """Return how the option was registered at a build."""
        return self._at[name].get(build, [])

    def runs(self, item: str, observe: Callable[[str], Any]) -> list[Run]:
        """Return the refined runs of an observation per build."""
        return [self.curated.refine(item, run) for run in intervals.runs(self.builds, observe)]

    # -- one option ---------------------------------------------------------------------------------

    def scalar(self, name: str, observe: Callable[[OptionDef], Any]) -> list[Run]:
        """Return the runs of one attribute of the live registration, gaps bridged."""

        def at(build: str) -> Any:
            live = [o for o in self.registered(name, build) if o.removed is None]
            return observe(live[0]) if live else None

        return bridged(self.runs(name, at))

    def defaults(self, name: str) -> list[Run]:
        """Return the runs of the option's default as text."""
        by_build = {one.build: one.defaults for one in self.snapshots}
        words = self.curated.option(name).get("default", {})

        def at(build: str) -> str | None:
            live = [o for o in self.registered(name, build) if o.removed is None and o.type != "flag"]
            values = {by_build[build][t] for o in live for t in o.targets if t in by_build[build]}
            return _word(values.pop(), live[0].type, words) if len(values) == 1 else None

        return bridged(self.runs(name, at))

    def flag_rows(self, name: str) -> dict[str, list[Row]]:
        """Return spelling -> periods, spellings in the order of their first appearance."""
        found: dict[str, list[Row]] = {}
        for flag in self._spellings(name, lambda o: (*o.flags, *o.no_flags)):
            runs = self.runs(f"{name} {flag}", partial(self._flag, name, flag))
            found[flag] = self._ended(name, flag, self._periods(name, flag, runs))
        return found

    def env_rows(self, name: str) -> dict[str, list[Row]]:
        """Return environment variable -> periods.

        A variable that is no longer read gets an ``unread`` period: that is the silent kind of change.
        """
        found: dict[str, list[Row]] = {}
        for variable in self._spellings(name, lambda o: (o.env,) if o.env else ()):
            runs = self.runs(name, partial(self._variable, name, variable))
            found[variable] = self._periods(name, variable, runs)
            if runs[-1].until is not None:
                found[variable].append(self._unread(name, variable, runs[-1]))
        for variable in list(found):
            negative = self.runs(name, partial(self._negative_variable, name, variable))
            if negative:
                spelling = variable.replace("LLAMA_ARG_", "LLAMA_ARG_NO_", 1)
                found[spelling] = self._periods(name, spelling, negative)
        return found

    def request_rows(self, name: str) -> dict[str, list[Row]]:
        """Return request-body field -> periods, with the period in which nobody looks at it any more."""
        found: dict[str, list[Row]] = {}
        by_build = {one.build: one.request for one in self.snapshots}
        for spelling in sorted({f for fields in by_build.values() for f in fields}):
            if self.curated.request_owner(spelling) != name:
                continue
            entry = self.curated.option(name)["request"][spelling]
            shape: Row = {"status": "active"} | entry

            def at(build: str, spelling: str = spelling, shape: Row = shape) -> Row | None:
                return shape if spelling in by_build[build] else None

            runs = self.runs(f"{name}:{spelling}", at)
            rows = self._periods(name, spelling, runs)
            if runs and runs[-1].until is not None:
                rows.append(self._unread(name, spelling, runs[-1]))
            found[spelling] = rows
        return found

    def value_rows(self, name: str) -> dict[str, list[Row]]:
        """Return word that the option takes -> periods."""
        facts = self.curated.option(name).get("values", {})
        words = {one.build: one.spec_types for one in self.snapshots} if name == "spec-type" else {}
        markers = {one.build: one.markers for one in self.snapshots}
        found: dict[str, list[Row]] = {}
        for word in sorted({w for known in words.values() for w in known}):
            fact = facts.get(word, {})

            def at(build: str, word: str = word, fact: dict[str, Any] = fact) -> Row | None:
                if word not in words[build]:
                    return None
                row: Row = {"status": "ignored" if fact.get("inert") in markers[build] else "active"}
                return row | {key: fact[key] for key in ("method",) if key in fact}

            found[word] = self._ended(name, word, self._periods(name, word, self.runs(f"{name}={word}", at)))
        return found

    # -- parts --------------------------------------------------------------------------------------

    def _spellings(self, name: str, of: Callable[[OptionDef], Sequence[str]]) -> Iterator[str]:
        seen: dict[str, None] = {}
        for build in self.builds:
            for option in self.registered(name, build):
                seen.update(dict.fromkeys(of(option)))
        return iter(sorted(seen))

    def _flag(self, name: str, flag: str, build: str) -> Row | None:
        having = [o for o in self.registered(name, build) if flag in o.flags or flag in o.no_flags]
        if not having:
            return None
        option = having[0]
        row: Row = {"status": "active" if flag == _first_long(option.flags) else "alias"}
        if flag in option.no_flags:
            row = {"status": "active" if flag == _first_long(option.no_flags) else "alias", "negates": True}
        if option.removed is not None:
            row = {"status": "fatal", "message": option.removed}
        return row | _programs(having)

    def _variable(self, name: str, variable: str, build: str) -> Row | None:
        having = [o for o in self.registered(name, build) if o.env == variable]
        if not having:
            return None
        option = having[0]
        row: Row = {"status": "active"} if option.removed is None else {"status": "fatal", "message": option.removed}
        return row | _programs(having)

    def _reads(self, name: str, variable: str, build: str) -> bool | None:
        return True if self._variable(name, variable, build) else None

    def _negative_variable(self, name: str, variable: str, build: str) -> Row | None:
        having = [o for o in self.registered(name, build) if o.env == variable and o.no_flags]
        aware = any("env_no" in one.markers for one in self.snapshots if one.build == build)
        return {"status": "active", "negates": True, **_programs(having)} if having and aware else None

    def _periods(self, name: str, spelling: str, runs: list[Run]) -> list[Row]:
        entry = self.curated.option(name)
        rows: list[Row] = []
        for run in runs:
            row = intervals.window(run) | run.value
            if row.get("status") == "fatal":
                row |= _pick(entry, spelling, "replace")
            rows.append(row)
        return rows

    def _ended(self, name: str, spelling: str, rows: list[Row]) -> list[Row]:
        """Tell, on the last period of what is gone, what to do instead."""
        entry = self.curated.option(name)
        if rows and "until" in rows[-1]:
            rows[-1] |= _pick(entry, spelling, "then")
        return rows

    def _unread(self, name: str, spelling: str, last: Run) -> Row:
        assert last.until is not None
        entry = self.curated.option(name)
        row: Row = {"since": list(last.until), "status": "unread"}
        if spelling.startswith("LLAMA_"):
            return row | {"replace": self._successors(name, spelling, last)}
        instead = _pick(entry, spelling, "then").get("then")
        return row | ({"replace": [instead]} if instead else {})

    def _successors(self, name: str, variable: str, last: Run) -> list[Row]:
        """The variables that took over from one that is no longer read."""
        assert last.until is not None
        found: list[Row] = []
        for other in self._spellings(name, lambda o: (o.env,) if o.env else ()):
            for run in self.runs(name, partial(self._reads, name, other)):
                if other != variable and number(run.since[1]) >= number(last.until[1]):
                    row: Row = {"spelling": other}
                    if run.since != last.until:
                        row["since"] = list(run.since)
                    if run.until is not None:
                        row["until"] = list(run.until)
                    found.append(row)
        if not found or "until" in found[-1]:
            gone = _pick(self.curated.option(name), variable, "then").get("then", {"remove": True})
            found.append(gone | ({"since": found[-1]["until"]} if found else {}))
        return found


def _pick(entry: dict[str, Any], spelling: str, what: str) -> Row:
    """The curated ``what`` for a spelling; a string stands for the entry of that other spelling."""
    table = entry.get(what, {})
    found = table.get(spelling, table.get("*"))
    if isinstance(found, str):
        found = table[found]
    return {what: found} if found is not None else {}


def bridged(runs: list[Run]) -> list[Run]:
    """Join equal neighbours that only an absence separates."""
    joined: list[Run] = []
    for run in runs:
        if joined and joined[-1].value == run.value:
            joined[-1] = Run(run.value, joined[-1].since, run.until)
        else:
            joined.append(run)
    return joined


def _word(default: str, kind: str, words: dict[str, str]) -> str | None:
    """A member's default as the word that a person would write, or None when there is no such word."""
    if default in words:
        return words[default] or None
    if default in ("false", "true") and kind != "bool":
        return str(int(default == "true")) if kind == "int" else None
    return default


def _first_long(flags: Sequence[str]) -> str:
    return next((flag for flag in flags if flag.startswith("--")), flags[0])


def _name(option: OptionDef) -> str:
    return _first_long(option.flags).lstrip("-")


def _programs(having: list[OptionDef]) -> Row:
    row: Row = {"programs": sorted({p for o in having for p in o.programs})}
    excepted = sorted({p for o in having for p in o.excepted})
    return row | ({"except": excepted} if excepted else {})


def name_rows(history: History, name: str) -> list[Row]:
    """Return the rows of one option for the list of names: one per distinct way it was registered."""
    aware = {one.build: "env_no" in one.markers for one in history.snapshots}
    shapes: dict[str, Row] = {}
    seen: dict[str, set[str]] = defaultdict(set)
    for build in history.builds:
        for option in history.registered(name, build):
            shape = _shape(option, aware[build])
            shapes[repr(shape)] = shape
            seen[repr(shape)].add(build)
    rows: list[Row] = []
    for mark, shape in shapes.items():
        builds = dict.fromkeys(seen[mark], True)
        rows += [shape | intervals.window(run) for run in intervals.runs(history.builds, builds.get)]
    return sorted(rows, key=lambda row: (number(row["since"][1]), row["flags"]))


def _shape(option: OptionDef, env_no: bool) -> Row:
    row: Row = {"flags": _tidy(option.flags)}
    if option.no_flags:
        row["no_flags"] = _tidy(option.no_flags)
    if option.env and not option.preset_only:
        row["env"] = [option.env]
        if option.no_flags and env_no:
            row["no_env"] = [option.env.replace("LLAMA_ARG_", "LLAMA_ARG_NO_")]
    row["type"] = "string" if option.type == "list" else option.type
    row |= _programs([option])
    if option.preset_only:
        row["preset_only"] = True
    if option.removed is not None:
        row["removed"] = option.removed
    return row


def _tidy(flags: Sequence[str]) -> list[str]:
    """Short spellings first: the source's own order says nothing here, and it changed."""
    return sorted(flags, key=lambda flag: (flag.startswith("--"), flag))
