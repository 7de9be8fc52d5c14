"""A rule: what it asks, what it says. Rules are data; each is one TOML file.

A rule either has a condition in the predicate vocabulary (`when`) or names a check that needs code (`check`): one of
the core's, or one that the engine's plugin offers. Rule files never run code of their own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, get_args

from msgspec import Struct, field

from mtpconfig.errors import KnowledgeError
from mtpconfig.history import ALL_VERSIONS, Boundary, OptionHistory, Stretch
from mtpconfig.knowledge import blaming, knowledge_root, load_toml
from mtpconfig.lint.predicates import Predicate, build
from mtpconfig.match import Severity
from mtpconfig.version import Scheme

CODE = re.compile(r"[A-Z]{3,6}\d{3}")


class Example(Struct, frozen=True):
    """A text that a rule fires on, or not, at a target; executed as a test."""

    text: str
    bad: bool
    target: str
    name: str = "example.sh"
    fixed: str | None = None
    note: str = ""


class Condition(Struct, frozen=True, eq=False):
    """When a rule holds, and the options of which the first that is given is underlined."""

    holds: Predicate
    anchors: tuple[str, ...]


class Rule(Struct, frozen=True, eq=False):
    """One rule file.

    options  the options that its condition names
    unset    those of them whose absence it rests on
    """

    id: str
    code: str
    name: str
    engine: str | None
    severity: Severity
    summary: str
    what: str
    why: str
    help: str
    evidence: tuple[str, ...]
    stretches: tuple[Stretch, ...] = (ALL_VERSIONS,)
    programs: tuple[str, ...] = ()
    check: str = ""
    conditions: tuple[Condition, ...] = ()
    options: frozenset[str] = frozenset()
    unset: frozenset[str] = frozenset()
    part: str = ""
    message: str = ""
    detail: str = ""
    fix: Mapping[str, Any] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()


_KEYS = {
    "code", "name", "severity", "engine", "summary", "what", "why", "help", "evidence", "since", "until", "windows",
    "programs", "check", "when", "each", "anchor", "part", "message", "detail", "fix", "example",
}  # fmt: skip


def load_rules(
    folders: Iterable[Traversable] = (),
    *,
    schemes: Mapping[str, tuple[Scheme, OptionHistory]],
    only: Collection[str] | None = None,
) -> list[Rule]:
    """The shipped rules and those of further folders, by code and id. Raises KnowledgeError.

    only  engines whose rules are read, beside those that belong to none; all of `schemes` if not given
    """
    root = knowledge_root()
    wanted = schemes if only is None else only
    places = [root / "common" / "rules", *(root / engine / "rules" for engine in wanted), *folders]
    files = [path for folder in places if folder.is_dir() for path in folder.iterdir() if path.name.endswith(".toml")]
    read = (_rule(path, code_names(), schemes, wanted) for path in files)
    return sorted((rule for rule in read if rule is not None), key=lambda rule: (rule.code, rule.id))


@cache
def code_names() -> Mapping[str, dict[str, str]]:
    """The shipped codes: name, severity and the question that each answers."""
    return dict(load_toml(knowledge_root() / "common" / "codes.toml")["codes"])


def _rule(
    path: Traversable,
    names: Mapping[str, dict[str, str]],
    schemes: Mapping[str, tuple[Scheme, OptionHistory]],
    wanted: Collection[str],
) -> Rule | None:
    """One rule file; None when it belongs to an engine that is not wanted now."""
    data = load_toml(path)
    unknown = set(data) - _KEYS
    if unknown:
        raise KnowledgeError(f"{path}: unknown key {min(unknown)!r} (known: {', '.join(sorted(_KEYS))})")
    with blaming(path):
        engine = data.get("engine")
        if engine is not None and engine not in schemes:
            raise KnowledgeError(f"{path}: unknown engine {engine!r} (loaded: {', '.join(schemes)})")
        if engine is not None and engine not in wanted:
            return None
        code = data["code"]
        if code not in names and not ("name" in data and "severity" in data and CODE.fullmatch(code)):
            raise KnowledgeError(f"{path}: unknown code {code!r}: an own code needs a name and a severity of its own")
        entry: Mapping[str, Any] = names.get(code, data)
        severity: Severity = data.get("severity", entry["severity"])
        if severity not in get_args(Severity):
            raise KnowledgeError(f"{path}: severity must be error, warning or info, not {severity!r}")
        scheme, history = schemes[engine] if engine else (None, None)
        if ("when" in data) == ("check" in data):
            raise KnowledgeError(f"{path}: a rule has either a condition (when) or a check")
        return Rule(
            id=path.name.removesuffix(".toml"),
            code=code,
            name=entry["name"],
            engine=engine,
            severity=severity,
            summary=_text(data, "summary"),
            what=_text(data, "what"),
            why=_text(data, "why"),
            help=_text(data, "help"),
            evidence=tuple(data["evidence"]),
            stretches=_stretches(data, scheme),
            programs=tuple(data.get("programs", ())),
            check=data.get("check", ""),
            conditions=_conditions(data, history, str(path)) if "when" in data else (),
            unset=frozenset(_options_in(data.get("when"), ("unset",))),
            options=frozenset({*_options_in(data.get("when")), *data.get("each", ())}),
            part=data.get("part", ""),
            message=data.get("message", ""),
            detail=data.get("detail", ""),
            fix=data.get("fix", {}),
            examples=tuple(_example(row, engine) for row in data.get("example", ())),
        )


def _conditions(data: Mapping[str, Any], history: OptionHistory | None, where: str) -> tuple[Condition, ...]:
    """The condition of a rule; with `each`, one for each of its options, which stands where the condition says EACH."""
    if "each" in data:
        return tuple(
            Condition(build(_filled(data["when"], option), history, where), (option,)) for option in data["each"]
        )
    anchor = data.get("anchor", ())
    anchors = (anchor,) if isinstance(anchor, str) else tuple(anchor)
    for option in anchors:
        if history is None or option not in history.options:
            raise KnowledgeError(f"{where}: unknown option {option!r}")
    return (Condition(build(data["when"], history, where), anchors),)


def _options_in(condition: Any, words: Sequence[str] = ("option", "set", "unset")) -> Iterator[str]:
    """The options that a condition names with these words."""
    if isinstance(condition, Mapping):
        yield from (value for key, value in condition.items() if key in words)
        for value in condition.values():
            yield from _options_in(value, words)
    elif isinstance(condition, list):
        for item in condition:
            yield from _options_in(item, words)


def _text(data: Mapping[str, Any], key: str) -> str:
    if not isinstance(data[key], str):
        raise TypeError(f"{key} must be a text, not {data[key]!r}")
    return str(data[key]).strip()


def _filled(condition: Any, option: str) -> Any:
    if isinstance(condition, Mapping):
        return {key: _filled(value, option) for key, value in condition.items()}
    if isinstance(condition, list):
        return [_filled(item, option) for item in condition]
    return option if condition == "EACH" else condition


def _stretches(data: Mapping[str, Any], scheme: Scheme | None) -> tuple[Stretch, ...]:
    rows = data.get("windows") or ([data] if "since" in data or "until" in data else [])
    if not rows or scheme is None:
        return (ALL_VERSIONS,)

    def ends(pair: list[str]) -> Boundary:
        if not isinstance(pair, list) or len(pair) != 2:
            raise TypeError(f"since and until are pairs [last before, first after], not {pair!r}")
        low, high = pair
        return (scheme.parse(low) if low else None, scheme.parse(high) if high else None)

    return tuple(
        Stretch(ends(row.get("since", ["", ""])), ends(row["until"]) if "until" in row else None) for row in rows
    )


def _example(row: Mapping[str, Any], engine: str | None) -> Example:
    bad = "bad" in row
    target = row.get("target", "")
    if target and "@" not in target and engine:
        target = f"{engine}@{target}"
    return Example(
        row["bad" if bad else "good"].lstrip("\n"), bad, target, row.get("name", "example.sh"),
        row["fixed"].lstrip("\n") if "fixed" in row else None, row.get("note", ""),
    )  # fmt: skip
