"""The floors hold, the core names no engine, the public names are there."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mtpconfig

from .support import ROOT

ENGINES = re.compile(r"llama|vllm|sglang|ollama|LLAMA_ARG", re.IGNORECASE)
CORE = sorted((ROOT / "mtpconfig").rglob("*.py"))


def test_import_contracts_hold() -> None:
    cli = pytest.importorskip("importlinter.cli")
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        assert cli.lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0
    finally:
        os.chdir(before)


def _docstrings(tree: ast.AST) -> set[int]:
    """Ids of the string nodes that document something: docstrings, and strings that stand alone below a name."""
    found: set[int] = set()
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if (
                isinstance(child, ast.Expr)
                and isinstance(child.value, ast.Constant)
                and isinstance(child.value.value, str)
            ):
                found.add(id(child.value))
    return found


def _names(path: Path) -> Iterator[str]:
    """Everything in a module's code, documentation and comments left out, that names an engine."""
    tree = ast.parse(path.read_text("utf-8"))
    documentation = _docstrings(tree)
    for node in ast.walk(tree):
        texts: list[str] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            texts = [node.value]
        elif isinstance(node, ast.Name):
            texts = [node.id]
        elif isinstance(node, ast.Attribute):
            texts = [node.attr]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            texts = [node.name]
        elif isinstance(node, ast.alias | ast.arg):
            texts = [node.name if isinstance(node, ast.alias) else node.arg]
        yield from (text for text in texts if ENGINES.search(text))


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_core_names_no_engine(path: Path) -> None:
    assert list(_names(path)) == []


@pytest.mark.parametrize("name", mtpconfig.__all__)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(mtpconfig, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        mtpconfig.nonsense  # noqa: B018


def test_importing_the_package_imports_almost_nothing() -> None:
    probe = (
        "import sys, mtpconfig\n"
        "heavy = {'click', 'pluggy', 'tomli', 'tree_sitter', 'packaging', 'mtpconfig.text', 'mtpconfig.lint'}\n"
        "sys.exit(','.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_package_is_typed() -> None:
    assert (ROOT / "mtpconfig" / "py.typed").is_file()
