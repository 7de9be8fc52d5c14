"""Reads the knowledge that ships as data: an engine's option history out of TOML.

The files are written by the harvesters in `tools/harvest` from the engines' released sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, get_args

import tomli

from mtpconfig.errors import KnowledgeError, MtpconfigError
from mtpconfig.history import (
    ALL_VERSIONS,
    STOPS,
    Choice,
    Counterpart,
    Counterparts,
    Option,
    OptionHistory,
    Period,
    PlainOptions,
    Replacement,
    Row,
    Status,
    Stretch,
    Surface,
)
from mtpconfig.version import SCHEMES, Scheme, Version


def knowledge_root() -> Traversable:
    """The folder of the shipped knowledge."""
    return files("mtpconfig_rules")


def load_toml(path: Traversable) -> dict[str, Any]:
    """Decode one knowledge file. Raises KnowledgeError that names it."""
    try:
        return tomli.loads(path.read_text("utf-8"))
    except (tomli.TOMLDecodeError, OSError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"{path}: {error}") from None


@contextmanager
def blaming(path: Traversable) -> Iterator[None]:
    """Turn whatever a malformed file causes into a KnowledgeError that names it."""
    try:
        yield
    except KnowledgeError:
        raise
    except KeyError as error:
        raise KnowledgeError(f"{path}: {error} is missing") from error
    except (TypeError, ValueError, AttributeError, MtpconfigError, re.error) as error:
        raise KnowledgeError(f"{path}: {error}") from error


def load_history(engine: str, root: Traversable | None = None, scheme: Scheme | None = None) -> OptionHistory:
    """The option history of an engine, from `<root>/<engine>/options.toml`, and `names.toml`, `facts.toml` and
    `counterparts.toml` where they stand beside it.

    scheme  the numbering scheme, where it is none of those that the file can name

    Raises KnowledgeError that names the file.
    """
    folder = (root or knowledge_root()) / engine
    main, names, facts = (folder / f"{name}.toml" for name in ("options", "names", "facts"))
    data = load_toml(main)
    with blaming(main):
        name, reader = data["engine"], _Reader(scheme or _scheme(data["scheme"]))
        options = [reader.option(id_, entry) for id_, entry in data["options"].items()]
        versions = sorted(reader.known(text) for text in data["examined"])
        surfaces = [reader.surface(entry) for entry in data.get("surface", ())]
        programs = {entry["name"]: reader.rows(entry["examples"], "is") for entry in data.get("program", ())}
    plain = PlainOptions()
    if names.is_file():
        with blaming(names):
            plain = reader.plain_options(load_toml(names)["names"])
    behaviour = load_toml(facts) if facts.is_file() else {}
    with blaming(facts):
        behaviours = {entry["name"]: reader.rows(entry["rows"], "value") for entry in behaviour.get("fact", ())}
    never, namespaces = behaviour.get("never", {}), behaviour.get("namespaces", ())
    return OptionHistory(
        name,
        versions,
        options,
        plain,
        surfaces,
        programs,
        behaviours,
        never,
        namespaces,
        _counterparts(folder),
        behaviour.get("distinctive", ()),
    )


def _scheme(name: str) -> Scheme:
    if name not in SCHEMES:
        raise ValueError(f"unknown numbering scheme {name!r} (known: {', '.join(SCHEMES)})")
    return SCHEMES[name]


def _counterparts(folder: Traversable) -> Counterparts:
    path = folder / "counterparts.toml"
    if not path.is_file():
        return Counterparts()
    data = load_toml(path)
    with blaming(path):
        rows = data.get("options", {})
        known = {setting: Counterpart(row["option"], row.get("default", "")) for setting, row in rows.items()}
        return Counterparts(data.get("weights", ""), known)


def stretch_of(entry: dict[str, Any], scheme: Scheme) -> Stretch:
    """The stretch that an entry's `since` and `until` say. Raises UsageError when one is no version."""
    return _Reader(scheme).stretch(entry)


_SURFACES = ("flag", "env", "ini", "request", "json", "config", "kwarg", "param", "instruction")
_PLAIN_KEYS = {
    "flags": ("flag", False),
    "no_flags": ("flag", True),
    "env": ("env", False),
    "no_env": ("env", True),
    "kwarg": ("kwarg", False),
    "params": ("param", False),
    "instructions": ("instruction", False),
}


class _Reader:
    """Turns decoded TOML into history objects, for one numbering scheme."""

    def __init__(self, scheme: Scheme) -> None:
        self._scheme = scheme
        self._versions: dict[str, Version] = {}
        self._stretches: dict[tuple[str, str, str, str], Stretch] = {}

    def known(self, text: str) -> Version:
        if not isinstance(text, str):
            raise TypeError(f"{text!r} is no version: write it in quotes")
        found = self._versions.get(text)
        if found is None:
            found = self._versions[text] = self._scheme.parse(text)
        return found

    def version(self, text: str) -> Version | None:
        return self.known(text) if text else None

    def stretch(self, row: dict[str, Any]) -> Stretch:
        since, until = row.get("since", ("", "")), row.get("until")
        key = (*since, *(until or ("", "")))
        found = self._stretches.get(key)
        if found is None:
            low, high = since
            ends = (self.version(until[0]), self.version(until[1])) if until else None
            found = self._stretches[key] = Stretch((self.version(low), self.version(high)), ends)
        return found

    def rows(self, data: str | list[dict[str, Any]] | None, key: str) -> tuple[Row, ...]:
        if data is None:
            return ()
        if isinstance(data, str):
            return (Row(data),)
        return tuple(Row(str(row[key]), self.stretch(row), row.get("message", "")) for row in data)

    def surface(self, entry: dict[str, Any]) -> Surface:
        unknown = self.rows(entry.get("unknown"), "do")
        return Surface(
            name=entry["name"],
            unknown=unknown,
            stretch=self.stretch(entry),
            derived_from=tuple(entry.get("from", ())),
            stops=entry.get("stops", STOPS),
            title=entry.get("title", ""),
            exhaustive=entry.get("exhaustive", False),
            holder=entry.get("holder", ""),
        )

    def option(self, name: str, entry: dict[str, Any]) -> Option:
        types = self.rows(entry.get("type", "string"), "value")
        periods = [
            period
            for surface in _SURFACES
            for spelling, rows in entry.get(surface, {}).items()
            for period in self.periods(name, spelling, surface, types[-1].value, rows)
        ]
        return Option(
            id=name,
            types=types,
            spec_field=entry.get("field", ""),
            default=self.rows(entry.get("default"), "value"),
            merge=self.rows(entry.get("merge", "last"), "do"),
            values=tuple(
                Choice(
                    text,
                    self.stretch(row),
                    _status(row.get("status", "active")),
                    row.get("method", ""),
                    row.get("why", ""),
                )
                for text, rows in entry.get("values", {}).items()
                for row in rows
            ),
            never=entry.get("never", {}),
            periods=tuple(periods),
            evidence=entry.get("evidence", ""),
        )

    def choice(self, text: str, row: dict[str, Any]) -> Choice:
        status = _status(row.get("status", "active"))
        return Choice(text, self.stretch(row), status, row.get("method", ""), row.get("why", ""))

    def periods(
        self, option: str, spelling: str, surface: str, kind: str, rows: Iterable[dict[str, Any]]
    ) -> Iterator[Period]:
        for row in rows:
            then = row.get("then")
            status = _status(row.get("status", "active"))
            yield Period(
                option=option,
                spelling=spelling,
                surface=surface,
                stretch=self.stretch(row),
                status=status,
                programs=frozenset(row.get("programs", ("*",))),
                excludes=frozenset(row.get("except", ())),
                negates=row.get("negates", False),
                type=row.get("type", kind),
                message=row.get("message", ""),
                replace=tuple(map(self.replacement, row.get("replace", [then] if then else ()))),
                moot=frozenset(row.get("moot", ())),
            )

    def replacement(self, row: dict[str, Any]) -> Replacement:
        spelling = None if row.get("remove") else row["spelling"]
        return Replacement(spelling, row.get("when", ""), row.get("why", ""), row.get("surface", ""), self.stretch(row))

    def plain_options(self, names: dict[str, list[dict[str, Any]]]) -> PlainOptions:
        spellings: dict[tuple[str, str], list[str]] = {}
        for id_, rows in names.items():
            for row in rows:
                if not isinstance(row["type"], str):
                    raise TypeError(f"{id_}: type must be a text")
                for key, (surface, _) in _PLAIN_KEYS.items():
                    for spelling in _listed(row.get(key, ())):
                        ids = spellings.setdefault((surface, spelling), [])
                        if id_ not in ids:
                            ids.append(id_)
        return PlainOptions(spellings, frozenset(names), lambda id_: self.plain_option(id_, names[id_]))

    def plain_option(self, name: str, rows: list[dict[str, Any]]) -> Option:
        periods = [
            Period(
                option=name,
                spelling=spelling,
                surface=surface,
                stretch=self.stretch(row) if "since" in row or "until" in row else ALL_VERSIONS,
                status="fatal" if "removed" in row else "active",
                programs=frozenset(row.get("programs", ("*",))),
                excludes=frozenset(row.get("except", ())),
                negates=negates,
                type=row["type"],
                message=row.get("removed", ""),
            )
            for row in rows
            for key, (surface, negates) in _PLAIN_KEYS.items()
            for spelling in _listed(row.get(key, ()))
        ]
        return Option(id=name, types=(Row(rows[-1]["type"]),), periods=tuple(periods), speculative=False)


def _listed(spellings: str | list[str]) -> Iterable[str]:
    return [spellings] if isinstance(spellings, str) else spellings


def _status(text: str) -> Status:
    if text not in get_args(Status):
        raise ValueError(f"unknown status {text!r} (known: {', '.join(get_args(Status))})")
    status: Status = text  # type: ignore[assignment]
    return status
