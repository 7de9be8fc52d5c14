"""What one vLLM release knows by name, as far as its text shows it."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .. import cache
from ..pypi import HarvestError
from ..pysource import Names, constant, default_text, parse
from . import flags, releases
from .flags import Flag
from .releases import Release

SPECULATIVE = "SpeculativeConfig"
_CONFIG = re.compile(r"vllm/(?:config(?:/\w+)?|engine/arg_utils|entrypoints/(?:\w+/)*cli_args)\.py\Z")
_ENGINE_CLASSES = ("EngineArgs", "AsyncEngineArgs")

# Things that hold or do not hold at a release: pattern of the files, and what the text of one of them has.
MARKERS: dict[str, tuple[str, str]] = {
    "config-file": (r"utils(?:/__init__|/argparse_utils)?", r"def _pull_args_from_config"),
    "speculative-config": (r"engine/arg_utils", r"--speculative-config"),
    "json-parser": (
        r"engine/arg_utils",
        r"(?s)--speculative-config['\"],\s*type=json\.loads|speculative_config['\"]\]\[['\"]type['\"]\]",
    ),
    "types-checked": (r"config(?:/\w+)?", r"from pydantic\.dataclasses import dataclass"),
    "unknown-keys-refused": (r"config/utils", r"extra=['\"]forbid['\"]"),
    "hyphens-in-keys": (
        r"engine/arg_utils",
        r"k\.replace\(['\"]-['\"], ['\"]_['\"]\): v for k, v in self\.speculative_config",
    ),
    "dotted-keys": (r"utils(?:/__init__|/argparse_utils)?", r"create_nested_dict"),
    "dotted-lists": (r"utils(?:/__init__|/argparse_utils)?", r"processed_arg\.endswith\(['\"]\+['\"]\)"),
    "inverse-names": (r"utils/argparse_utils", r"class EnableDisableAction"),
    "exact-names": (r"(?:utils|engine|entrypoints)\b.*", r"allow_abbrev\s*=\s*False"),
    "mtp-word": (r"config(?:/\w+)?", r"method `%s` is deprecated and replaced with mtp"),
    "generation-config-auto": (
        r"config(?:/\w+)?|engine/arg_utils",
        r"generation_config: (?:Optional\[)?str\]? = ['\"]auto['\"]",
    ),
    "min-p-refused": (r"v1/engine/(?:input_)?processor|sampling_params", r"min_p,? and logit_bias sampling parameters"),
}


@dataclass(frozen=True)
class Field:
    """One key of ``speculative_config``."""

    name: str
    type: str
    choices: tuple[str, ...]
    default: str | None


@dataclass(frozen=True)
class Snapshot:
    """One release.

    Attributes:
        version: as vLLM writes it.
        flags: the options of the servers.
        kwargs: keyword arguments of ``LLM`` and the engine's classes of arguments.
        fields: keys of ``speculative_config``.
        env: environment variables that ``vllm/envs.py`` lists.
        markers: the names in ``MARKERS`` that hold.
        longest_draft: limit that the V1 rejection sampler asserts, in tokens; 0 when there is none.

    """

    version: str
    flags: tuple[Flag, ...]
    kwargs: tuple[str, ...]
    fields: tuple[Field, ...]
    env: tuple[str, ...]
    markers: tuple[str, ...]
    longest_draft: int

    @staticmethod
    def from_json(row: dict[str, Any]) -> Snapshot:
        """Undo ``asdict``."""
        made: dict[str, Any] = {key: tuple(part) if isinstance(part, list) else part for key, part in row.items()}
        made["flags"] = tuple(Flag.from_json(flag) for flag in row["flags"])
        made["fields"] = tuple(Field(**{**field, "choices": tuple(field["choices"])}) for field in row["fields"])
        return Snapshot(**made)


def _fingerprint() -> str:
    here = Path(__file__).parent
    parts = (here / "flags.py", here / "snapshot.py", here.parent / "pysource.py")
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()[:12]


PARSER = _fingerprint()  # a change of the parsing code makes old results unused


def of(release: Release, offline: bool) -> Snapshot:
    """Return the snapshot of a release, from the cache where possible."""
    folder = cache.folder("vllm", release.name)
    stored = folder / f"parsed-{PARSER}.json"
    row = cache.read_json(stored)
    if row is None:
        row = asdict(read(release.name, releases.sources(release, offline)))
        for old in folder.glob("parsed-*.json"):
            old.unlink()
        cache.write_json(stored, row)
    return Snapshot.from_json(row)


def read(version: str, files: Mapping[str, str]) -> Snapshot:
    """Read one release's files."""
    names = Names()
    for path in sorted(files):
        if _CONFIG.match(path):
            names.add(parse(path, files[path]))
    markers = tuple(name for name, (where, what) in MARKERS.items() if _holds(files, where, what))
    return Snapshot(
        version=version,
        flags=tuple(flags.parse_flags(files, names, "inverse-names" in markers)),
        kwargs=_kwargs(files, names),
        fields=_fields(names) if "speculative-config" in markers else (),
        env=_env(files),
        markers=markers,
        longest_draft=_longest_draft(files),
    )


def _holds(files: Mapping[str, str], where: str, what: str) -> bool:
    place = re.compile(rf"vllm/(?:{where})\.py\Z")
    return any(place.match(path) and re.search(what, text) for path, text in files.items())


def _kwargs(files: Mapping[str, str], names: Names) -> tuple[str, ...]:
    found = {name for of_class in _ENGINE_CLASSES for name in names.members(of_class)}
    if not found:
        raise HarvestError(f"no fields of {_ENGINE_CLASSES[0]}")
    tree = parse("vllm/entrypoints/llm.py", files.get("vllm/entrypoints/llm.py", ""))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == "LLM":
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                    found |= {argument.arg for argument in (*method.args.args, *method.args.kwonlyargs)}
    return tuple(sorted(name for name in found - {"self"} if not name.startswith("_")))


def _fields(names: Names) -> tuple[Field, ...]:
    """The keys that the class takes, those among them that the engine fills in by itself."""
    found = [
        Field(
            name,
            flags.kind_of(member.hint),
            member.hint.words if "Literal" in member.hint.names and "str" not in member.hint.names else (),
            default_text(member.default),
        )
        for name, member in names.members(SPECULATIVE).items()
        if not _not_given(member.default)
    ]
    if not found:
        raise HarvestError(f"no fields of {SPECULATIVE}")
    return tuple(sorted(found, key=lambda field: field.name))


def _not_given(default: ast.expr | None) -> bool:
    """Whether a field is no parameter of the class: `field(init=False)`."""
    keywords = default.keywords if isinstance(default, ast.Call) else []
    return any(keyword.arg == "init" and constant(keyword.value) is False for keyword in keywords)


def _env(files: Mapping[str, str]) -> tuple[str, ...]:
    tree = parse("vllm/envs.py", files.get("vllm/envs.py", ""))
    keys = [key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys]
    words = {constant(key) for key in keys}
    return tuple(sorted(word for word in words if isinstance(word, str) and re.fullmatch(r"VLLM_[A-Z0-9_]+", word)))


def _longest_draft(files: Mapping[str, str]) -> int:
    said = re.search(r"^MAX_SPEC_LEN = (\d+)", files.get("vllm/v1/sample/rejection_sampler.py", ""), re.MULTILINE)
    return int(said[1]) if said else 0
