"""What one SGLang release does with speculative options, as far as its text shows it."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import cache
from ..pypi import HarvestError
from . import releases, table
from .releases import Release
from .table import OptionDef

_VARIABLE = re.compile(
    r"SGLANG_(?:[A-Z0-9]+_)*(?:SPEC|MTP|EAGLE|NGRAM|DRAFT|DFLASH|DSPARK|SIMULATE_ACC)(?:_[A-Z0-9_]+)?"
)
_ALSO = frozenset({"SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN", "SGLANG_DEFAULT_SAMPLING_PARAMS"})
_ALGORITHMS = "srt/speculative/spec_info.py"
_CHOOSER = re.compile(r"_?auto_choose_speculative_params")

ALGORITHM = "speculative_algorithm"
OTHERS = "*"
"""The architectures that a release does not name."""


@dataclass(frozen=True)
class Snapshot:
    """One release.

    Attributes:
        version: its number.
        options: what its parser registers.
        fields: field of ``ServerArgs`` -> default.
        algorithms: the built-in algorithms by their names in the source.
        variables: environment variables about speculation that its Python code reads.
        triples: architecture, or algorithm -> (steps, topk, draft tokens) that it chooses when no steps are given.

    """

    version: str
    options: tuple[OptionDef, ...]
    fields: Mapping[str, str | None]
    algorithms: tuple[str, ...]
    variables: tuple[str, ...]
    triples: Mapping[str, tuple[int, ...]]

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-ready mapping."""
        return {
            "version": self.version,
            "options": [option.to_json() for option in self.options],
            "fields": dict(self.fields),
            "algorithms": list(self.algorithms),
            "variables": list(self.variables),
            "triples": {name: list(triple) for name, triple in self.triples.items()},
        }

    @staticmethod
    def from_json(row: dict[str, Any]) -> Snapshot:
        """Undo ``to_json``."""
        return Snapshot(
            row["version"],
            tuple(OptionDef.from_json(option) for option in row["options"]),
            row["fields"],
            tuple(row["algorithms"]),
            tuple(row["variables"]),
            {name: tuple(triple) for name, triple in row["triples"].items()},
        )

    def words(self) -> tuple[str, ...]:
        """The algorithms that can be asked for by name."""
        said = next((o.choices for o in self.options if o.dest == ALGORITHM), None)
        if said is not None:
            return said
        if not any(option.dest == ALGORITHM for option in self.options):
            return ()
        return ("NEXTN", *(name for name in self.algorithms if name != "NONE"))


def _fingerprint() -> str:
    here = Path(__file__).parent
    code = b"".join((here / name).read_bytes() for name in ("table.py", "snapshot.py"))
    return hashlib.sha256(code).hexdigest()[:12]


PARSER = _fingerprint()  # a change of the parsing code makes old results unused


def of(release: Release, offline: bool, say: Callable[[str], None]) -> Snapshot:
    """Return the snapshot of a release, from the cache where possible."""
    stored = releases.parsed_path(release, PARSER)
    row = cache.read_json(stored)
    if row is None:
        row = parse(release.name, releases.sources(release, offline, say)).to_json()
        for old in stored.parent.glob("parsed-*.json"):
            old.unlink()
        cache.write_json(stored, row)
    return Snapshot.from_json(row)


def parse(version: str, files: Mapping[str, str]) -> Snapshot:
    """Read one release's files."""
    found = table.parse(files)
    return Snapshot(
        version=version,
        options=found.options,
        fields=found.fields,
        algorithms=_algorithms(files.get(_ALGORITHMS, "")),
        variables=tuple(sorted(_variables(files))),
        triples=_triples(files),
    )


def _algorithms(text: str) -> tuple[str, ...]:
    """The members of the enumeration."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef) and node.name == "SpeculativeAlgorithm":
            assigned = (s for s in node.body if isinstance(s, ast.Assign))
            return tuple(t.id for s in assigned for t in s.targets if isinstance(t, ast.Name) and t.id.isupper())
    return ()


def _variables(files: Mapping[str, str]) -> set[str]:
    """The variables that are read: a name that stands alone in a string, or a member of the table of variables.

    Names inside the text of a message do not count.
    """
    found: set[str] = set()
    for path, text in files.items():
        if "SGLANG_" not in text or not any(_VARIABLE.fullmatch(name) or name in _ALSO for name in _names(text)):
            continue
        for node in ast.walk(ast.parse(text, path)):
            name = ""
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                name = node.value
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id if path == "srt/environ.py" else ""
            if _VARIABLE.fullmatch(name) or name in _ALSO:
                found.add(name)
    return found


def _names(text: str) -> set[str]:
    return set(re.findall(r"\bSGLANG_[A-Z0-9_]+\b", text))


def _triples(files: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    """What the release chooses when nobody says the number of steps."""
    for path, text in files.items():
        if (path == table.ARGUMENTS or path.startswith("srt/arg_groups/")) and _CHOOSER.search(text):
            for node in ast.walk(ast.parse(text, path)):
                if isinstance(node, ast.FunctionDef) and _CHOOSER.fullmatch(node.name):
                    return dict(_branches(node.body))
    return {}


def _branches(body: list[ast.stmt]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Each name that is asked for, with the triple that is returned for it; ``*`` for all others."""
    for node in body:
        if isinstance(node, ast.If):
            triple = _returned(node.body)
            if triple is not None:
                yield from ((name, triple) for name in _asked(node.test))
            yield from _branches(node.orelse)
        elif (triple := _returned([node])) is not None:
            yield OTHERS, triple


def _asked(test: ast.expr) -> list[str]:
    names = [node.value for node in ast.walk(test) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    if not names:
        raise HarvestError(f"the choice of speculative parameters asks {ast.unparse(test)!r}: not understood")
    return names


def _returned(body: list[ast.stmt]) -> tuple[int, ...] | None:
    for node in body:
        if isinstance(node, ast.Return):
            found = ast.literal_eval(node.value) if node.value is not None else None
            if not (isinstance(found, tuple) and len(found) == 3):
                raise HarvestError(f"the choice of speculative parameters returns {found!r}")
            return found
    return None
