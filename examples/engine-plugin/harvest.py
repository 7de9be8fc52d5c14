"""Writes `names.toml`: every option of `lmdeploy serve api_server` beside those about speculation, by release.

    python harvest.py FOLDER > mtpconfig_lmdeploy/knowledge/lmdeploy/names.toml

FOLDER holds one folder for each release, named by it, with the wheel's `lmdeploy/cli/` unpacked in it. The files are
parsed and nothing of them is run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from packaging.version import Version

Kinds = dict[str, str]


def options_of(cli: Path) -> Kinds:
    """The options of one release, each with the type under which mtpconfig knows how it takes words."""
    helpers = {
        function.name: list(added(function))
        for node in ast.walk(ast.parse((cli / "utils.py").read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and node.name == "ArgumentHelper"
        for function in node.body
        if isinstance(function, ast.FunctionDef)
    }
    found: Kinds = {}
    for node in ast.walk(ast.parse((cli / "serve.py").read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name == "add_parser_api_server":
            found |= dict(added(node))
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                    found |= dict(helpers.get(call.func.attr, []))
    return {name: kind for name, kind in found.items() if not name.startswith("--speculative")}


def added(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """The options that a function adds to a parser."""
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument":
            keywords = {word.arg: ast.unparse(word.value).strip("'") for word in call.keywords if word.arg}
            for name in call.args:
                if isinstance(name, ast.Constant) and str(name.value).startswith("--"):
                    yield str(name.value), kind_of(keywords)


def kind_of(keywords: Kinds) -> str:
    """How an option takes words."""
    if keywords.get("action", "").startswith("store_"):
        return "flag"
    if keywords.get("nargs") in ("*", "+"):
        return "words"
    return {"int": "int", "float": "float", "json.loads": "json"}.get(keywords.get("type", ""), "string")


def main(folder: Path) -> None:
    """Print the file."""
    releases = sorted((path.name for path in folder.iterdir() if path.is_dir()), key=Version)
    known = {release: options_of(folder / release / "lmdeploy" / "cli") for release in releases}
    print("# Written by harvest.py from the releases' wheels; do not edit by hand.")
    print("schema = 1\n\n[names]")
    for name in sorted({name for options in known.values() for name in options}):
        holding = [place for place, release in enumerate(releases) if name in known[release]]
        first, last = holding[0], holding[-1]
        assert holding == list(range(first, last + 1)), f"{name} was gone for a while: write its periods"
        since = f'since = ["{releases[first - 1] if first else ""}", "{releases[first]}"]'
        until = f', until = ["{releases[last]}", "{releases[last + 1]}"]' if last + 1 < len(releases) else ""
        kind = known[releases[last]][name]
        print(f'{name[2:]} = [{{flags = "{name}", type = "{kind}", {since}{until}}}]')


if __name__ == "__main__":
    main(Path(sys.argv[1]))
