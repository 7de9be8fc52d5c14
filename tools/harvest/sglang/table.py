"""The option table of one SGLang release: what its parser registers, and the fields that ``Engine(...)`` takes.

Until 0.5.13 every option is a call of ``add_argument``.  From 0.5.14 on most follow from the annotation of a field
(``name: A[type, Arg(...)] = default``), and only the rest is registered by calls.  Both are read here, by syntax alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .. import pysource
from ..pypi import HarvestError

ARGUMENTS = "srt/server_args.py"
_GROUPS = "srt/arg_groups/"
_FIELDS = "srt/arg_groups/fields/"
_DEPRECATED = re.compile(r"\W*deprecated\b", re.IGNORECASE)
_NO_FIELD = ("ClassVar", "typing.ClassVar")
_TAKES_NOTHING = frozenset(
    {"store_true", "store_false", "store_const", "DeprecatedAction", "DeprecatedStoreTrueAction", "help", "version"}
    | {"DeprecatedStoreConstAction"}
)
_KINDS = {"int": "int", "float": "float", "human_readable_int": "count", "json.loads": "json", "json_list_type": "json"}
_INFERRED = {"int": "int", "float": "float"}


@dataclass(frozen=True)
class OptionDef:
    """One registered option.

    Attributes:
        flags: its spellings, as registered.
        dest: the field that it sets.
        type: flag | bool | int | count | float | string | json | words (several words) | optional (one word or none).
        default: as a person would write it; None where there is none or it is computed.
        choices: the words that it takes; None where it takes any, or where the list is computed.
        deprecated: whether the release says so.
        instead: the flag that a deprecated one names in its place.

    """

    flags: tuple[str, ...]
    dest: str
    type: str
    default: str | None = None
    choices: tuple[str, ...] | None = None
    deprecated: bool = False
    instead: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-ready mapping."""
        return asdict(self)

    @staticmethod
    def from_json(row: dict[str, Any]) -> OptionDef:
        """Undo ``to_json``."""
        fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
        return OptionDef(**fields)


@dataclass(frozen=True)
class Table:
    """The options of a release, and the names of the fields that its ``Engine`` takes, with their defaults."""

    options: tuple[OptionDef, ...]
    fields: Mapping[str, str | None]


def parse(files: Mapping[str, str]) -> Table:
    """Read the table.

    Raises:
        HarvestError: a registration is not understood; absence has to mean absence.

    """
    trees = {
        path: pysource.parse(path, text)
        for path, text in files.items()
        if path == ARGUMENTS or path.startswith(_GROUPS)
    }
    reader = _Reader(trees)
    return Table(tuple(reader.options()), reader.defaults())


@dataclass(frozen=True)
class _Field:
    name: str
    annotation: ast.expr
    default: ast.expr | None


class _Reader:
    def __init__(self, trees: Mapping[str, ast.Module]) -> None:
        self._trees = trees
        self._constants: dict[str, ast.expr] = {}
        self._fields: dict[str, _Field] = {}
        for path, tree in trees.items():
            for node in tree.body:
                self._keep(node)
                if isinstance(node, ast.ClassDef) and (node.name == "ServerArgs" or path.startswith(_FIELDS)):
                    self._fields |= {found.name: found for found in _fields_of(node)}

    def _keep(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self._constants.setdefault(node.targets[0].id, node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            self._constants.setdefault(node.target.id, node.value)

    def defaults(self) -> dict[str, str | None]:
        """Field -> default."""
        return {name: self._text(found.default) for name, found in self._fields.items()}

    def options(self) -> Iterator[OptionDef]:
        """Everything that the parser registers."""
        for found in self._fields.values():
            option = self._annotated(found)
            if option is not None:
                yield option
        for node in self._registrations():
            option = self._called(node)
            if option is not None:
                yield option

    def _registrations(self) -> Iterator[ast.Call]:
        method = next(
            node
            for node in ast.walk(self._trees[ARGUMENTS])
            if isinstance(node, ast.FunctionDef) and node.name == "add_cli_args"
        )
        for node in ast.walk(method):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
                yield node

    # --- annotated fields

    def _annotated(self, field: _Field) -> OptionDef | None:
        parts = _annotation_parts(field.annotation)
        if parts is None:
            return None
        hint, meta = parts
        words = {k.arg: k.value for k in meta.keywords if k.arg} if isinstance(meta, ast.Call) else {"help": meta}
        if isinstance(meta, ast.Call) and meta.args:
            words.setdefault("help", meta.args[0])
        if self._literal(words.get("no_cli")) is True:
            return None
        name = self._literal(words.get("cli_name")) or "--" + field.name.replace("_", "-")
        aliases = self._literal(words.get("aliases")) or []
        if not isinstance(name, str) or not isinstance(aliases, list):
            raise HarvestError(f"field {field.name}: its spellings are not understood")
        names = _names_in(hint)
        kind, choices = self._inferred(hint, names), self._choices(words.get("choices"))
        if "Literal" in names:
            kind, choices = "string", choices or tuple(_literals(hint))
        if "type_parser" in words:
            kind = _KINDS.get(ast.unparse(words["type_parser"]), "string")
        return self._option(
            [name, *aliases],
            field.name,
            kind,
            words,
            self._text(field.default),
            choices,
            self._literal(words.get("help")),
        )

    def _inferred(self, hint: ast.expr, names: tuple[str, ...]) -> str:
        if {"List", "list"} & set(names):
            return "words"
        plain = [name for name in names if name not in ("Optional", "Union", "None")]
        if plain == ["bool"]:
            return "flag"
        return _INFERRED.get(plain[0], "string") if len(plain) == 1 else "string"

    # --- calls

    def _called(self, call: ast.Call) -> OptionDef | None:
        words = {k.arg: k.value for k in call.keywords if k.arg}
        names = [self._literal(argument) for argument in call.args]
        if not names or not all(isinstance(name, str) for name in names):
            raise HarvestError(f"add_argument: {ast.unparse(call)[:120]} is not understood")
        flags = [str(name) for name in names]
        if not flags[0].startswith("-"):
            return None
        long = next((flag for flag in flags if flag.startswith("--")), flags[0])
        dest = self._literal(words.get("dest")) or long.lstrip("-").replace("-", "_")
        kind = _KINDS.get(ast.unparse(words["type"]), "string") if "type" in words else "string"
        return self._option(
            flags,
            str(dest),
            kind,
            words,
            self._text(words.get("default")),
            self._choices(words.get("choices")),
            self._literal(words.get("help")),
        )

    # --- both

    def _option(
        self,
        flags: list[str],
        dest: str,
        kind: str,
        words: Mapping[str, ast.expr],
        default: str | None,
        choices: tuple[str, ...] | None,
        help_: object,
    ) -> OptionDef:
        action = _last_name(words["action"]) if "action" in words else ""
        kind = self._arity(kind, action, words, flags)
        if kind == "flag" and default is None:
            default = "false"
        deprecated = action.startswith("Deprecated") or bool(isinstance(help_, str) and _DEPRECATED.match(help_))
        instead = self._literal(words.get("new_flag"))
        return OptionDef(
            tuple(flags),
            dest,
            kind,
            default if kind not in ("words", "json") else None,
            choices,
            deprecated,
            instead if isinstance(instead, str) and instead.startswith("-") else "",
        )

    def _arity(self, kind: str, action: str, words: Mapping[str, ast.expr], flags: list[str]) -> str:
        if action in _TAKES_NOTHING:
            return "flag"
        if action == "BooleanOptionalAction":
            return "bool"
        if action not in ("", "store", "append", "extend", "LoRAPathAction", "DeprecatedAliasStoreAction"):
            raise HarvestError(f"{flags[0]}: the action {action} is not known")
        nargs = self._literal(words.get("nargs"))
        if nargs in ("+", "*"):
            return "words"
        if nargs == "?":
            return "optional"
        if nargs is not None:
            raise HarvestError(f"{flags[0]}: nargs={nargs!r} is not known")
        return kind

    def _choices(self, node: ast.expr | None) -> tuple[str, ...] | None:
        """The words of a list of choices; None where a part of it is computed."""
        found = self._listed(node, 0)
        return tuple(dict.fromkeys(found)) if found else None

    def _listed(self, node: ast.expr | None, depth: int) -> list[str] | None:
        if node is None or depth > 8:
            return None
        if isinstance(node, ast.Name):
            return self._listed(self._constants.get(node.id), depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self._listed(node.left, depth + 1), self._listed(node.right, depth + 1)
            return [*left, *right] if left is not None and right is not None else None
        if isinstance(node, ast.Call) and _last_name(node.func) in ("list", "sorted", "tuple") and node.args:
            return self._listed(node.args[0], depth + 1)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            found: list[str] = []
            for item in node.elts:
                inner = self._listed(item.value, depth + 1) if isinstance(item, ast.Starred) else [self._text(item)]
                if inner is None or None in inner:
                    return None
                found += [text for text in inner if text is not None]
            return found
        return None

    def _literal(self, node: ast.expr | None) -> object:
        """The value of an expression that is one; names of constants are followed."""
        if node is None:
            return None
        if isinstance(node, ast.Name) and node.id in self._constants:
            return self._literal(self._constants[node.id])
        try:
            found: object = ast.literal_eval(node)
        except (ValueError, TypeError):
            return _product(node)
        return found

    def _text(self, node: ast.expr | None) -> str | None:
        """A default as a person would write it; that of a field stands in the field."""
        if isinstance(node, ast.Attribute) and _last_name(node.value) == "ServerArgs":
            found = self._fields.get(node.attr)
            return self._text(found.default) if found else None
        if isinstance(node, ast.Call) and _last_name(node.func) == "_declared_default":
            named = self._literal(node.args[0])
            found = self._fields.get(str(named))
            return self._text(found.default) if found else None
        value = self._literal(node)
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if isinstance(value, (str, int, float)) else None


def _fields_of(node: ast.ClassDef) -> Iterator[_Field]:
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        if not ast.unparse(statement.annotation).startswith(_NO_FIELD):
            yield _Field(statement.target.id, statement.annotation, statement.value)


def _annotation_parts(annotation: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The type and the metadata of ``A[type, metadata]``."""
    if not isinstance(annotation, ast.Subscript) or _last_name(annotation.value) not in ("A", "Annotated"):
        return None
    if not isinstance(annotation.slice, ast.Tuple):
        return None
    hint, *rest = annotation.slice.elts
    texts = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Name)
    found = [part for part in rest if isinstance(part, texts) or _last_name(getattr(part, "func", part)) == "Arg"]
    return (hint, found[0]) if found else None


def _names_in(hint: ast.expr) -> tuple[str, ...]:
    """The names of a type, in order; a quoted one is read as its text."""
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        hint = ast.parse(hint.value, mode="eval").body
    found = [_last_name(node) for node in ast.walk(hint) if isinstance(node, (ast.Name, ast.Attribute))]
    none = ["None" for node in ast.walk(hint) if isinstance(node, ast.Constant) and node.value is None]
    return tuple(name for name in [*found, *none] if name)


def _literals(hint: ast.expr) -> Iterator[str]:
    for node in ast.walk(hint):
        if isinstance(node, ast.Subscript) and _last_name(node.value) == "Literal":
            items: Iterable[ast.expr] = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            yield from (str(item.value) for item in items if isinstance(item, ast.Constant))


def _product(node: ast.expr) -> int | None:
    """``10 * 1000 * 1000``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        left, right = _product(node.left), _product(node.right)
        return left * right if left is not None and right is not None else None
    return None


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
