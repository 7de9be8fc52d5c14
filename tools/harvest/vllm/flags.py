"""The options of vLLM's servers: what is handed to `add_argument`, and what follows from type hints.

Until 0.8.4 each option says its type; since then most take it from a field of a configuration class
(`**model_kwargs["dtype"]`, with `model_kwargs = get_kwargs(ModelConfig)`), and those of the front end are all made from
the fields of one class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..pysource import Hint, Member, Names, constant, default_text, last_name, parse, string_keys, subscripts

ENGINE = "vllm/engine/arg_utils.py"
FILES = (
    ENGINE,
    "vllm/entrypoints/openai/cli_args.py",
    "vllm/entrypoints/launchers/cli_args.py",
    "vllm/entrypoints/common/cli_args.py",
    "vllm/entrypoints/cli/serve.py",
    "vllm/scripts.py",
)
_ONLY = {"vllm/scripts.py": "serve_parser"}  # it has other commands' options too
_FRONT_ENDS = ("FrontendArgs", "BaseFrontendArgs")
_FROM_HINTS = ("get_kwargs", "_compute_kwargs")
_OPTIONAL_VALUE = frozenset({"bool", "str"})


@dataclass(frozen=True)
class Flag:
    """One option.

    Attributes:
        dest: its attribute of the parsed arguments, which is the engine's keyword argument too.
        names: its spellings; `no_names` those that switch it off.
        type: flag | bool | optional | list | int | float | json | string.
        choices: the words that it takes; empty where any may be.
        default: what holds when it is not given; None when that is computed, or nothing.

    """

    dest: str
    names: tuple[str, ...]
    no_names: tuple[str, ...]
    type: str
    choices: tuple[str, ...]
    default: str | None

    @staticmethod
    def from_json(row: dict[str, Any]) -> Flag:
        """Undo ``asdict``."""
        made: dict[str, Any] = {key: tuple(part) if isinstance(part, list) else part for key, part in row.items()}
        return Flag(**made)


def parse_flags(files: Mapping[str, str], names: Names, inverses: bool) -> list[Flag]:
    """Return the options of a release.

    Args:
        files: path -> text.
        names: the definitions in all of them.
        inverses: whether ``--enable-x`` has ``--disable-x`` beside it, and the other way round.

    """
    found: dict[str, Flag] = {}
    for path in FILES:
        if path in files:
            for flag in _File(parse(path, files[path]), names, inverses, _ONLY.get(path, "")).flags():
                found.setdefault(flag.dest, flag)
    return [found[dest] for dest in sorted(found)]


def kind_of(hint: Hint) -> str:
    """Return how a field of that type hint is given on the command line."""
    names = hint.names - {"None"}
    if "bool" in names:
        return "optional" if names == _OPTIONAL_VALUE else "bool"
    if "Literal" in names:
        return "string"
    if names & {"list", "List", "tuple", "Tuple", "set", "Set", "Sequence"}:
        return "list"
    for plain in ("int", "float"):
        if plain in names and "str" not in names:
            return plain
    if names & {"dict", "Dict", "Mapping"} or any(name.endswith("Config") for name in names):
        return "json"
    return "string"


class _File:
    """One file that registers options."""

    def __init__(self, tree: ast.Module, names: Names, inverses: bool, only: str) -> None:
        self._tree = tree
        self._names = names
        self._inverses = inverses
        self._only = only
        self._classes = dict(_made_from_hints(tree))
        self._changes = _changes(tree)

    def flags(self) -> Iterator[Flag]:
        for node in ast.walk(self._tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr == "add_argument" and self._only in ("", last_name(node.func.value)):
                yield from self._written(node)
        for node in self._tree.body:
            if isinstance(node, ast.ClassDef) and node.name in _FRONT_ENDS:
                for member in self._names.members(node.name).values():
                    if not member.name.startswith("_"):
                        changes = self._changes.get(("frontend_kwargs", member.name), {})
                        yield self._flag([f"--{member.name.replace('_', '-')}"], changes, member)

    def _written(self, call: ast.Call) -> Iterator[Flag]:
        spellings = [text for part in call.args if isinstance(text := constant(part), str)]
        if not spellings or not spellings[0].startswith("-"):
            return
        said: dict[str, ast.expr | None] = {}
        said |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
        member: Member | None = None
        for keyword in call.keywords:
            if keyword.arg is None:
                source, extra = _unpacked(keyword.value)
                name, keys = subscripts(source)
                if len(keys) == 1 and isinstance(keys[0], str):
                    member = self._names.members(self._classes.get(name, "")).get(keys[0])
                    said = {**self._changes.get((name, keys[0]), {}), **extra, **said}
        yield self._flag(spellings, said, member)

    def _flag(self, spellings: list[str], said: Mapping[str, ast.expr | None], member: Member | None) -> Flag:
        kind = self._kind(said, member)
        dest = constant(said.get("dest"))
        if not isinstance(dest, str):
            long = [name for name in spellings if name.startswith("--")] or spellings
            dest = long[0].lstrip("-").replace("-", "_")
        choices = self._choices(said, member) if kind == "string" else ()
        default = (
            default_text(said["default"]) if "default" in said else default_text(member.default) if member else None
        )
        return Flag(
            dest, tuple(spellings), self._negations(spellings) if kind == "bool" else (), kind, choices, default
        )

    def _kind(self, said: Mapping[str, ast.expr | None], member: Member | None) -> str:
        action = said.get("action")
        word = constant(action) or (last_name(action) if action is not None else "")
        if word in ("store_true", "store_false", "version", "help", "count"):
            return "flag"
        if "Boolean" in str(word) and word != "StoreBoolean":
            return "bool"
        many = constant(said.get("nargs"))
        if many == "?" and word != "StoreBoolean":
            return "optional"
        if many in ("+", "*"):
            return "list"
        if word == "StoreBoolean":
            return "optional"
        if "type" in said:
            return _named_type(said["type"])
        if word == "append":
            return "string"
        if member is not None:
            kind = kind_of(member.hint)
            return "string" if kind == "list" and "nargs" in said else kind
        return "string"

    def _choices(self, said: Mapping[str, ast.expr | None], member: Member | None) -> tuple[str, ...]:
        listed = said.get("choices")
        if listed is None:
            open_ended = member is None or "str" in member.hint.names
            return () if open_ended or member is None else member.hint.words
        found = constant(listed)
        if isinstance(found, (list, tuple)):
            return tuple(str(word) for word in found if word is not None)
        hint = (
            self._names.hint(listed.args[0]) if isinstance(listed, ast.Call) and listed.args else Hint(frozenset(), ())
        )
        return hint.words

    def _negations(self, spellings: list[str]) -> tuple[str, ...]:
        long = [name for name in spellings if name.startswith("--")]
        found = ["--no-" + name[2:] for name in long]
        if self._inverses:
            pairs = (("--enable-", "--disable-"), ("--disable-", "--enable-"))
            found += [new + name[len(old) :] for name in long for old, new in pairs if name.startswith(old)]
        return tuple(found)


def _unpacked(node: ast.expr) -> tuple[ast.expr, Mapping[str, ast.expr]]:
    """What is unpacked into the arguments, and what is said beside it: `**{**x["field"], "default": None}`."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                return value, string_keys(node)
    return node, {}


def _named_type(node: ast.expr | None) -> str:
    """The kind of an `add_argument(type=...)`: int, float, json.loads, optional_type(json.loads) ..."""
    text = ast.unparse(node) if node is not None else "str"
    if "loads" in text or "literal_eval" in text or "dict" in text or "Config" in text or "dataclass" in text:
        return "json"
    if "float" in text:
        return "float"
    return "int" if "int" in text else "string"


def _made_from_hints(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names that hold what was made from a class: (`model_kwargs`, `ModelConfig`)."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        target, call = node.targets[0], node.value
        if isinstance(target, ast.Name) and last_name(call.func) in _FROM_HINTS and call.args:
            yield target.id, last_name(call.args[0])


def _changes(tree: ast.Module) -> dict[tuple[str, str], dict[str, ast.expr | None]]:
    """What is set afterwards: `x["field"]["type"] = ...`, `del x["field"]["nargs"]`, `x["field"].update({...})`."""
    found: dict[tuple[str, str], dict[str, ast.expr | None]] = {}

    def note(target: ast.expr, value: ast.expr | None) -> None:
        name, keys = subscripts(target)
        if len(keys) == 2 and isinstance(keys[0], str) and isinstance(keys[1], str):
            found.setdefault((name, keys[0]), {})[keys[1]] = value

    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                note(target, node.value)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                note(target, None)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "update"
            and node.args
        ):
            name, keys = subscripts(node.func.value)
            if len(keys) == 1 and isinstance(keys[0], str):
                found.setdefault((name, keys[0]), {}).update(string_keys(node.args[0]))
    return found
