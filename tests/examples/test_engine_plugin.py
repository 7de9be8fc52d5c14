"""An engine from outside, without a change in mtpconfig: `examples/engine-plugin`, installed."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from ..support import ROOT, run
from .conftest import PLUGIN

ENGINE = "lmdeploy"


def lint(text: str, installed: Mapping[str, str], *arguments: str) -> list[dict[str, object]]:
    result = run("lint", "-", "--output-format", "json", *arguments, stdin=text, env=installed)
    assert result.returncode in (0, 1), result.stderr
    findings: list[dict[str, object]] = json.loads(result.stdout)["findings"]
    return [finding for finding in findings if finding["severity"] != "info"]


def test_mtpconfig_itself_does_not_know_it() -> None:
    assert ENGINE.encode() not in run("engines").stdout
    names = [path for path in (ROOT / "mtpconfig").rglob("*.py") if ENGINE in path.read_text("utf-8").lower()]
    assert names == []


def test_it_is_known_once_it_is_installed(installed: Mapping[str, str]) -> None:
    assert re.search(rb"^lmdeploy +0\.10\.2 to 0\.18\.0", run("engines", env=installed).stdout, re.M)
    assert b"llama.cpp" in run("engines", env=installed).stdout
    only = run("engines", env={**installed, "MTPCONFIG_PLUGINS": ENGINE}).stdout.decode()
    assert [line.split()[0] for line in only.splitlines()] == [ENGINE]


@pytest.mark.parametrize(
    ("words", "target", "codes"),
    [
        ("--speculative-algorithm dflash --speculative-draft-model d", "0.17.0", ["MTP104"]),
        ("--speculative-algorithm qwen3_5_mtp", "0.12.2", ["MTP104"]),
        ("--speculative-algorithm qwen3_5_mtp", "0.12.3", []),
        ("--speculative_algorithm=hy3_mtp", "0.16.0", []),
        ("--speculative-algorithm nextn", "0.18.0", ["MTP105"]),
        ("--speculative-algorithm eagle --speculative-num-draft-tokens three", "0.18.0", ["MTP105"]),
        ("--speculative-algo eagle --speculative-draft-model d", "0.11.0", []),
        ("--speculative-num-tokens 3", "0.18.0", ["MTP103"]),
        ("--speculative-algorithm eagle", "0.10.2", ["MTP104"]),
        ("--spec-draft-n-max 3", "0.18.0", ["MTP110"]),
        ("--tp 2 --cache-max-entry-count 0.5 --api-keys a b", "0.18.0", []),
    ],
)
def test_the_general_rules_hold(words: str, target: str, codes: list[str], installed: Mapping[str, str]) -> None:
    text = f"lmdeploy serve api_server org/m --backend pytorch {words}\n"
    assert [one["code"] for one in lint(text, installed, "--target", f"{ENGINE}@{target}")] == codes


def test_its_flags_are_recognised_elsewhere(installed: Mapping[str, str]) -> None:
    text = "vllm serve org/m --cache-max-entry-count 0.5\n"
    (finding,) = lint(text, installed, "--target", "vllm@0.33.0")
    assert finding["code"] == "MTP110" and "lmdeploy" in str(finding["message"])
    assert lint(text, {}, "--target", "vllm@0.33.0") == []


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (
            "docker run openmmlab/lmdeploy:v0.11.0-cu12 lmdeploy serve api_server m --speculative-algorithm dflash\n",
            "0.11.0",
        ),
        ("pip install lmdeploy==0.12.0\nlmdeploy serve api_server m --speculative-algorithm dflash\n", "0.12.0"),
        ("# LMDeploy 0.13.0\nlmdeploy serve api_server m --speculative-algorithm dflash\n", "0.13.0"),
    ],
)
def test_versions_are_found_where_people_write_them(text: str, version: str, installed: Mapping[str, str]) -> None:
    (finding,) = lint(text, installed)
    assert f"LMDeploy {version} does not start" in str(finding["message"])


def test_rules_and_renderings(installed: Mapping[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("inside.py"))],
        env={**os.environ, **installed}, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"6 \d{3,}\n", done.stdout), done.stdout


def shown() -> list[tuple[str, str]]:
    blocks = re.findall(r"^```console\n(.*?)^```", (PLUGIN / "README.md").read_text("utf-8"), re.M | re.S)
    parts = [part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
    return [(command, output) for command, _, output in parts]


@pytest.mark.parametrize(("command", "output"), shown())
def test_the_tutorial_shows_real_output(command: str, output: str, installed: Mapping[str, str]) -> None:
    words = shlex.split(command)
    assert words[0] == "mtpconfig"
    result = run(*words[1:], env=installed, cwd=PLUGIN)
    assert (result.stdout + result.stderr).decode() == output


def test_names_are_harvested_from_the_sources_by_parsing_them(tmp_path: Path) -> None:
    utils = (
        "import nothing_like_this\n"
        "class ArgumentHelper:\n"
        "    def tp(parser):\n"
        "        return parser.add_argument('--tp', type=int, default=1)\n"
        "    def spec(parser):\n"
        "        parser.add_argument('--speculative-algorithm', type=str)\n"
    )
    serve = (
        "class SubCliServe:\n"
        "    def add_parser_api_server():\n"
        "        parser.add_argument('model_path', type=str)\n"
        "        parser.add_argument('--ssl', action='store_true')\n"
        "        ArgumentHelper.tp(parser)\n"
        "        ArgumentHelper.spec(parser)\n"
    )
    for release, more in (("0.9.0", ""), ("0.10.0", "        parser.add_argument('--keys', nargs='*')\n")):
        cli = tmp_path / release / "lmdeploy" / "cli"
        cli.mkdir(parents=True)
        (cli / "utils.py").write_text(utils)
        (cli / "serve.py").write_text(serve + more)
    done = subprocess.run(
        [sys.executable, str(PLUGIN / "harvest.py"), str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-3:] == [
        'keys = [{flags = "--keys", type = "words", since = ["0.9.0", "0.10.0"]}]',
        'ssl = [{flags = "--ssl", type = "flag", since = ["", "0.9.0"]}]',
        'tp = [{flags = "--tp", type = "int", since = ["", "0.9.0"]}]',
    ]


def test_it_is_a_package_that_can_be_built() -> None:
    """What is beside the code is data that a wheel of this layout takes along; the code parses."""
    for path in PLUGIN.rglob("*.py"):
        ast.parse(path.read_text("utf-8"))
    assert {path.suffix for path in (PLUGIN / "mtpconfig_lmdeploy").rglob("*") if path.is_file()} <= {".py", ".toml"}
