"""The pages on plugins say what the code says, and the engines here use nothing else."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

import pytest

from mtpconfig.carrier import Carrier
from mtpconfig.engine import Embedding, Engine, Identity, Reading, Rendering, VersionHint
from mtpconfig.evidence import Ask, Counters, Counts, Found, LogReading, Probe, Request, Sample, Switching
from mtpconfig.hooks import HookSpecs, engines
from mtpconfig.match import Match

from .support import ROOT

PAGES = sorted((ROOT / "docs" / "plugins").glob("*.md"))
TEXT = "\n".join(page.read_text("utf-8") for page in PAGES)
PROTOCOLS = (Engine, Embedding, Probe, LogReading, Switching, Carrier, HookSpecs)
STRUCTS = {
    struct.__name__: struct
    for struct in (
        Identity, Reading, Rendering, VersionHint, Match, Found, Counts, Sample, Counters, Ask, Request,
    )
}  # fmt: skip
FOLDERS = (ROOT / "plugins", ROOT / "examples" / "engine-plugin" / "mtpconfig_lmdeploy")
PLUGINS = sorted(path for folder in FOLDERS for path in folder.rglob("*.py"))


def signatures(protocol: type) -> Iterator[str]:
    tree = ast.parse(inspect.getsource(protocol))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.returns is not None:
            yield f"def {node.name}({ast.unparse(node.args)}) -> {ast.unparse(node.returns)}"


def test_every_signature_is_documented_as_it_is() -> None:
    documented = re.findall(r"^def .*", "".join(re.findall(r"```python\n(def .*?)```", TEXT, re.S)), re.M)
    assert sorted(documented) == sorted(line for protocol in PROTOCOLS for line in signatures(protocol))


@pytest.mark.parametrize("name", STRUCTS)
def test_every_field_is_documented(name: str) -> None:
    table = re.search(rf"^`{name}`:\n\n(.*?)(?:\n\n|\Z)", TEXT, re.S | re.M)
    assert table is not None
    assert tuple(re.findall(r"^\| `(\w+)` \|", table[1], re.M)) == STRUCTS[name].__struct_fields__


@pytest.mark.parametrize("name", sorted(engines()))
def test_an_engine_has_what_the_contract_names_and_nothing_else(name: str) -> None:
    one = engines()[name]
    members = {member for member in dir(one) if not member.startswith("_")}
    contract = set(Engine.__annotations__) | {m for m in vars(Engine) if not m.startswith("_")}
    if isinstance(one, Embedding):
        contract |= {m for m in vars(Embedding) if not m.startswith("_")}
    assert members == contract


@pytest.mark.parametrize("path", PLUGINS, ids=lambda path: str(path.relative_to(ROOT)))
def test_plugins_use_what_is_named_alone(path: object) -> None:
    sentence = re.search(r"^The modules (.*?)\. What", TEXT, re.S | re.M)
    assert sentence is not None
    allowed = set(re.findall(r"`([\w.]+)`", sentence[1]))
    tree = ast.parse((ROOT / str(path)).read_text("utf-8"))
    used = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    used |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    core = {name for name in used if name.split(".")[0] == "mtpconfig"}
    beyond = {name for name in core if not any(name == one or name.startswith(f"{one}.") for one in allowed)}
    assert {name for name in beyond if not name.startswith("mtpconfig.carriers.")} == set()


def test_every_page_is_linked() -> None:
    front = (ROOT / "docs" / "plugins" / "README.md").read_text("utf-8")
    assert {page.name for page in PAGES} - {"README.md"} == set(re.findall(r"\]\((\w+\.md)\)", front))
