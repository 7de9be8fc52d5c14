"""Reading Python text without running it: constants, type hints, the fields of a dataclass.

The grammar of Python 3.11 is enough for the releases that are read; a file that needs a newer one is an error that
names it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .pypi import HarvestError

_WRAPPERS = ("Optional", "Union", "SkipValidation", "Annotated", "Required")


def parse(path: str, text: str) -> ast.Module:
    """Return the syntax tree of a file. Raises HarvestError that names it."""
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise HarvestError(f"{path}:{error.lineno}: {error.msg}") from None


def constant(node: ast.expr | None) -> object:
    """Return the literal that an expression is; None when it is none."""
    if node is None:
        return None
    try:
        found: object = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        return None
    return found


def last_name(node: ast.expr) -> str:
    """Return the last part of a dotted name; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def subscripts(node: ast.expr) -> tuple[str, tuple[object, ...]]:
    """Return the name and the constant subscripts of `name["a"]["b"]`; ("", ()) for anything else."""
    keys: list[object] = []
    while isinstance(node, ast.Subscript):
        keys.insert(0, constant(node.slice))
        node = node.value
    return (node.id, tuple(keys)) if isinstance(node, ast.Name) else ("", ())


@dataclass(frozen=True)
class Hint:
    """A type hint: the names in it, without those in brackets of a container, and the words of its Literals."""

    names: frozenset[str]
    words: tuple[str, ...]


@dataclass(frozen=True)
class Member:
    """One field of a dataclass, with its default as the text of an expression."""

    name: str
    hint: Hint
    default: ast.expr | None


@dataclass
class Names:
    """The constants, type aliases and classes of several files, by name: who imports whom is not looked at."""

    values: dict[str, ast.expr] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)

    def add(self, tree: ast.Module) -> None:
        """Take in the definitions of one file; earlier ones stay."""
        for node in _statements(tree.body):
            if isinstance(node, ast.ClassDef):
                self.classes.setdefault(node.name, node)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.values.setdefault(node.targets[0].id, node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                self.values.setdefault(node.target.id, node.value)

    def hint(self, node: ast.expr | None) -> Hint:
        """Read a type hint; aliases are followed."""
        names: set[str] = set()
        words: list[str] = []
        for part in self._parts(node, frozenset()):
            if isinstance(part, ast.Constant):
                words.append(str(part.value))
            else:
                names.add(last_name(part))
        return Hint(frozenset(names), tuple(dict.fromkeys(words)))

    def _parts(self, node: ast.expr | None, seen: frozenset[str], literal: bool = False) -> Iterator[ast.expr]:
        if isinstance(node, ast.Constant):
            if literal:
                yield node
            elif node.value is None:
                yield ast.Name("None")
            elif isinstance(node.value, str):
                yield from self._parts(parse("type hint", node.value).body[0].value, seen)  # type: ignore[attr-defined]
        elif isinstance(node, ast.BinOp):
            yield from self._parts(node.left, seen, literal)
            yield from self._parts(node.right, seen, literal)
        elif isinstance(node, ast.Subscript):
            base = last_name(node.value)
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if base == "Literal":
                yield ast.Name("Literal")
                for item in inner:
                    yield from self._parts(item, seen, literal=True)
            elif base in _WRAPPERS:
                for item in inner[:1] if base == "Annotated" else inner:
                    yield from self._parts(item, seen, literal)
            else:
                yield node.value
        elif isinstance(node, (ast.Name, ast.Attribute)):
            name = last_name(node)
            known = self.values.get(name) if name not in seen else None
            if isinstance(known, (ast.Subscript, ast.BinOp)):
                yield from self._parts(known, seen | {name}, literal)
            elif not literal:
                yield node

    def members(self, name: str) -> dict[str, Member]:
        """Return the fields of a dataclass, those of its bases included; {} when it is not known."""
        known = self.classes.get(name)
        if known is None:
            return {}
        found: dict[str, Member] = {}
        for base in known.bases:
            found |= self.members(last_name(base))
        for node in known.body:
            if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
                continue
            if "ClassVar" not in ast.unparse(node.annotation):
                found[node.target.id] = Member(node.target.id, self.hint(node.annotation), node.value)
        return found


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module, those of its `if TYPE_CHECKING` and `try` arms included."""
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try)):
            yield from _statements([*node.body, *node.orelse])


def default_text(node: ast.expr | None) -> str | None:
    """Return a field's default as a person would write the value; None where there is none or it is computed."""
    if isinstance(node, ast.Call) and last_name(node.func) in ("field", "Field"):
        node = next((keyword.value for keyword in node.keywords if keyword.arg == "default"), None)
    found = constant(node)
    if isinstance(found, bool):
        return "true" if found else "false"
    return str(found) if isinstance(found, (str, int, float)) else None


def string_keys(node: ast.AST) -> Mapping[str, ast.expr]:
    """Return the entries of a dict display whose keys are strings."""
    if not isinstance(node, ast.Dict):
        return {}
    pairs = zip(node.keys, node.values, strict=True)
    return {key.value: value for key, value in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)}
