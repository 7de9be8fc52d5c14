"""What one release of Ollama reads: parameters, instructions, flags, variables, and the llama.cpp that it starts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..pypi import HarvestError
from .repository import Repository

_FIELD = re.compile(r'^\s+\w+\s+(?P<type>[\w*\[\].]+)\s+`json:"(?P<name>[^",]+)', re.MULTILINE)
_TYPES = {"int": "int", "float32": "float", "bool": "bool", "string": "string", "[]string": "list"}
_COMMANDS = re.compile(r"func isValidCommand\(.*?case (?P<names>[^:]+):", re.DOTALL)
_DEPRECATED = re.compile(r"deprecatedParameters = \[\]string\{(?P<names>[^}]*)\}")
_NAME = re.compile(r'"(\w+)"')
_FLAG = re.compile(
    r'\b(?P<command>\w+)Cmd\.Flags\(\)\.(?P<kind>String|Bool|Int)(?P<short>P?)\("(?P<name>[\w-]+)",\s*(?:"(?P<letter>\w)")?'
)
_BUILD = re.compile(r"b\d+\Z")
_DEFAULT = re.compile(r"DraftNumPredict:\s*(-?\d+)")


@dataclass(frozen=True)
class Snapshot:
    """One release.

    parameters  name -> type, of a Modelfile's PARAMETER and of a request's options alike
    deprecated  parameters of a Modelfile that are dropped with a warning
    flags       (subcommand, spelling) -> type
    build       the llama.cpp build that the release starts as a program; empty where it starts none
    dflash      whether a draft is passed on as what its architecture says
    """

    release: str
    parameters: Mapping[str, str]
    deprecated: frozenset[str]
    commands: frozenset[str]
    flags: Mapping[tuple[str, str], str]
    variables: frozenset[str]
    build: str = ""
    default: str = ""
    dflash: bool = False


def read(repository: Repository, release: str) -> Snapshot:
    """Read one release.

    Raises:
        HarvestError: something is not where it has always been, so that absence would mean nothing.

    """
    types, parser = repository.show(release, "api/types.go"), repository.show(release, "parser/parser.go")
    command, runner = repository.show(release, "cmd/cmd.go"), repository.show(release, "llm/llama_server.go")
    listed = _COMMANDS.search(parser)
    if listed is None:
        raise HarvestError(f"{release}: parser/parser.go does not list its commands")
    deprecated = _DEPRECATED.search(parser)
    build = repository.show(release, "LLAMA_CPP_VERSION").strip()
    if build and not _BUILD.match(build):
        raise HarvestError(f"{release}: LLAMA_CPP_VERSION holds {build!r}, no build")
    default = _DEFAULT.search(types)
    return Snapshot(
        release=release,
        parameters=_parameters(types, release),
        deprecated=frozenset(_NAME.findall(deprecated["names"])) if deprecated else frozenset(),
        commands=frozenset(name.upper() for name in _NAME.findall(listed["names"])),
        flags=dict(_flags(command)),
        variables=frozenset(text.strip('"') for text in repository.grep(release, '"OLLAMA_[A-Z0-9_]+"')),
        build=build if runner else "",
        default=default[1] if default else "",
        dflash='"draft-dflash"' in runner,
    )


def _parameters(types: str, release: str) -> dict[str, str]:
    """The fields of `Options` and of the `Runner` in it, which the parser and the server look names up in."""
    found: dict[str, str] = {}
    for struct in ("Options", "Runner"):
        body = re.search(rf"^type {struct} struct \{{\n(.*?)^\}}", types, re.DOTALL | re.MULTILINE)
        if body is None:
            raise HarvestError(f"{release}: api/types.go has no struct {struct}")
        for match in _FIELD.finditer(body[1]):
            kind = match["type"].lstrip("*")
            if kind == "TriState":  # a switch that may be left unset, up to 0.3
                kind = "bool"
            if kind not in _TYPES:
                raise HarvestError(f"{release}: {match['name']} is of the unknown type {kind}")
            found[match["name"]] = _TYPES[kind]
    return found


def _flags(command: str) -> list[tuple[tuple[str, str], str]]:
    kinds = {"String": "string", "Bool": "flag", "Int": "int"}
    found = []
    for match in _FLAG.finditer(command):
        kind = kinds[match["kind"]]
        found.append(((match["command"], f"--{match['name']}"), kind))
        if match["short"] and match["letter"]:
            found.append(((match["command"], f"-{match['letter']}"), kind))
    return found
