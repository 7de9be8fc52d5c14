"""What one llama.cpp build does with speculative options, as far as its text shows it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .. import cache, cpp
from . import builds, options
from .builds import Build
from .options import OptionDef

REQUEST_PREFIX = "speculative."
_SERVER_SOURCE = re.compile(r"tools/server/[^/]+\.(?:cpp|h|hpp)\Z")
_PARSE = re.compile(r"\bcommon_params_parse\s*\([^;{]*?LLAMA_EXAMPLE_(\w+)")
_TARGET = re.compile(r"set\s*\(\s*TARGET\s+([\w-]+)\s*\)|add_executable\s*\(\s*(\S+)\s+([^)]*)\)")
_SUBCOMMAND = re.compile(r'\{\s*"([\w-]+)"\s*,\s*"[^"]*"\s*,\s*\{([^}]*)\}\s*,[^,{}]*,\s*(llama_\w+)')

# Things that hold or do not hold at a build: file, and what its text has.
MARKERS: dict[str, tuple[str, str]] = {
    "presets": ("common/preset.cpp", r"parse_ini_from_file"),
    "preset_key_fatal": ("common/preset.cpp", r"not recognized in preset"),
    "system_config": ("common/arg.cpp", r"common_params_apply_system_config"),
    "env_no": ("common/arg.cpp", r'"LLAMA_ARG_NO_"'),
    "repeat_warning": ("common/arg.cpp", r"argument .%s. specified multiple times"),
    "eagle3_inert": ("common/speculative.cpp", r"has_draft_eagle3\s*=\s*false"),
}


@dataclass(frozen=True)
class Snapshot:
    """One build.

    Attributes:
        build: ``bNNNN``.
        options: the parser's table.
        spec_types: words that ``--spec-type`` takes.
        spec_type_message: what it says to any other word, ``{value}`` standing for the word.
        defaults: member of ``common_params`` -> default as text.
        request: request-body fields below ``speculative.`` that the server looks up.
        programs: executable -> parser example; executables whose folder is not in the distribution are missing.
        apart: parser examples that do not inherit the options of every program.
        markers: the names in ``MARKERS`` that hold.

    """

    build: str
    options: tuple[OptionDef, ...]
    spec_types: tuple[str, ...]
    spec_type_message: str | None
    defaults: Mapping[str, str]
    request: tuple[str, ...]
    programs: Mapping[str, str]
    apart: tuple[str, ...]
    markers: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-ready mapping."""
        return asdict(self)

    @staticmethod
    def from_json(row: dict[str, Any]) -> Snapshot:
        """Undo ``to_json``."""
        fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
        fields["options"] = tuple(OptionDef.from_json(option) for option in row["options"])
        return Snapshot(**fields)


def _fingerprint() -> str:
    here = Path(__file__).parent
    code = b"".join(p.read_bytes() for p in (here / "options.py", here / "snapshot.py", here.parent / "cpp.py"))
    return hashlib.sha256(code).hexdigest()[:12]


PARSER = _fingerprint()  # a change of the parsing code makes old results unused


def of(build: Build, offline: bool = False) -> Snapshot:
    """Return the snapshot of a build, from the cache where possible."""
    stored = builds.parsed_path(build, PARSER)
    row = cache.read_json(stored)
    if row is None:
        row = parse(build.name, builds.sources(build, offline)).to_json()
        for old in stored.parent.glob("parsed-*.json"):
            old.unlink()
        cache.write_json(stored, row)
    return Snapshot.from_json(row)


def parse(build: str, files: Mapping[str, str]) -> Snapshot:
    """Read one build's files."""
    table = options.parse(files["common/arg.cpp"])
    words, message = _spec_types(files)
    return Snapshot(
        build=build,
        options=tuple(table),
        spec_types=words,
        spec_type_message=message,
        defaults=_defaults(files.get("common/common.h", ""), table),
        request=_request_fields(files),
        programs=_programs(files),
        apart=_apart(files["common/arg.cpp"]),
        markers=tuple(
            name for name, (path, text) in MARKERS.items() if re.search(text, cpp.clean(files.get(path, "")))
        ),
    )


def _spec_types(files: Mapping[str, str]) -> tuple[tuple[str, ...], str | None]:
    arg = cpp.clean(files["common/arg.cpp"])
    if '"--spec-type"' not in arg:
        return (), None
    compared = re.findall(r'value\s*==\s*"([\w-]+)"\s*\)\s*\{\s*params\.speculative\.type\s*=', arg)
    if compared:  # b9105 and before: the words stand in the handler
        start = arg.index('"--spec-type"')
        said = re.search(r'invalid_argument\s*\(\s*"((?:[^"\\]|\\.)*)"', arg[start:])
        return tuple(sorted(compared)), said[1] if said else None
    text = cpp.clean(files.get("common/speculative.cpp", ""))
    mapped = re.search(r"common_speculative_type_from_name_map\s*=\s*\{", text)
    body = text[mapped.end() : cpp.close(text, mapped.end() - 1)] if mapped else ""
    words = re.findall(r'\{\s*"([\w-]+)"\s*,\s*COMMON_SPECULATIVE_TYPE_\w+\s*\}', body)
    said = re.search(r'invalid_argument\s*\(\s*"(unknown speculative type[^"]*)"\s*\+', text)
    return tuple(sorted(words)), said[1] + "{value}" if said else None


def _defaults(header: str, table: list[OptionDef]) -> dict[str, str]:
    text = cpp.clean(header)
    found: dict[str, str] = {}
    for option in table:
        for target in option.targets:
            if not target.startswith(REQUEST_PREFIX) and not target.startswith("lookup_cache"):
                continue
            default = _member_default(text, "common_params", target.split("."))
            if default is not None:
                found[target] = default
    return found


def _member_default(text: str, struct: str, path: list[str]) -> str | None:
    kind, default = cpp.struct_members(text, struct).get(path[0], ("", None))
    if len(path) > 1:
        return _member_default(text, kind, path[1:]) if kind else None
    return _plain(default) if default is not None else None


def _plain(default: str) -> str | None:
    """A C++ default as a person would write the value."""
    default = default.strip().removeprefix("{").removesuffix("}").strip()
    if number := re.fullmatch(r"(-?\d+(?:\.\d+)?)f?", default):
        return number[1]
    for prefix in ("GGML_TYPE_", "COMMON_SPECULATIVE_TYPE_"):
        if default.startswith(prefix):
            return default[len(prefix) :].lower().replace("_", "-" if prefix.startswith("COMMON") else "_")
    if default in ("true", "false"):
        return default
    return None


def _apart(source: str) -> tuple[str, ...]:
    condition = re.search(r"\binherit_common\s*=([^;]*);", source)
    return tuple(sorted(n.lower() for n in re.findall(r"LLAMA_EXAMPLE_(\w+)", condition[1]))) if condition else ()


def _request_fields(files: Mapping[str, str]) -> tuple[str, ...]:
    found: set[str] = set()
    for path, source in files.items():
        if _SERVER_SOURCE.match(path) and REQUEST_PREFIX in source:
            text = cpp.clean(source)
            found.update(re.findall(r'\bjson_value\s*\(\s*\w+\s*,\s*"(speculative\.\w+)"', text))
            found.update(re.findall(r'\bfield_\w+\s*\(\s*"(speculative\.\w+)"', text))
    return tuple(sorted(found))


def _programs(files: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path, makefile in files.items():
        if not path.endswith("/CMakeLists.txt"):
            continue
        folder = path.rpartition("/")[0]
        used = {
            name: match[1].lower()
            for name, source in files.items()
            if name.startswith(folder + "/")
            and "common_params_parse" in source
            and (match := _PARSE.search(cpp.clean(source)))
        }
        target = ""
        for step in _TARGET.finditer(re.sub(r"#[^\n]*", "", makefile)):
            if step[1]:
                target = step[1]
                continue
            name = step[2].replace("${TARGET}", target)
            own = [used[f"{folder}/{part}"] for part in step[3].split() if f"{folder}/{part}" in used]
            example = own[0] if own else next(iter(used.values()), None) if len(used) == 1 else None
            if example and name.startswith("llama-") and "deprecation-warning" not in step[3]:
                found[name] = example
    return dict(sorted({**found, **_subcommands(files, found)}.items()))


def _subcommands(files: Mapping[str, str], programs: Mapping[str, str]) -> dict[str, str]:
    """The words of the ``llama`` program that start one of the others."""
    download = _PARSE.search(cpp.clean(files.get("app/download.cpp", "")))
    functions = {name.replace("-", "_"): example for name, example in programs.items()}
    if download:
        functions["llama_download"] = download[1].lower()
    found: dict[str, str] = {}
    for row in _SUBCOMMAND.finditer(cpp.clean(files.get("app/llama.cpp", ""))):
        for word in (row[1], *cpp.strings(row[2])):
            if row[3] in functions:
                found[f"llama {word}"] = functions[row[3]]
    return found
