"""A unit is read together with its drop-ins, by systemd's own rules; a drop-in together with its unit."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from mtpconfig.carrier import Files
from mtpconfig.cli.main import cli
from mtpconfig.lint.linter import Linter
from tests.carriers.shell_reading import argv, env
from tests.support import linter

UNIT = "[Service]\nEnvironment=A=1\nExecStart=/bin/llama-server --a 1\n"


def tree(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def words(folder: Path, name: str = "x.service") -> list[list[str]]:
    report = Linter().lint_path(str(folder / name), str(folder))
    return [argv(found.launch)[1:] for found in report.launches]


@pytest.mark.parametrize(
    ("dropins", "expected"),
    [
        ({}, [["--a", "1"]]),
        ({"x.service.d/a.conf": "[Service]\nExecStart=\nExecStart=/bin/llama-server --b 2\n"}, [["--b", "2"]]),
        ({"x.service.d/a.conf": "[Service]\nExecStart=/bin/llama-server --b 2\n"}, [["--a", "1"], ["--b", "2"]]),
        ({"x.service.d/a.txt": "[Service]\nExecStart=\nExecStart=/bin/llama-server --b 2\n"}, [["--a", "1"]]),
        # lexical order of the files' names, whatever folder they lie in
        (
            {
                "x.service.d/20.conf": "[Service]\nExecStart=\nExecStart=/bin/llama-server --late\n",
                "service.d/30.conf": "[Service]\nExecStart=\nExecStart=/bin/llama-server --last\n",
                "x.service.d/10.conf": "[Service]\nExecStart=\nExecStart=/bin/llama-server --early\n",
            },
            [["--last"]],
        ),
        # the more specific folder's file takes the place of one of the same name
        (
            {
                "x.service.d/10.conf": "[Service]\nExecStart=\nExecStart=/bin/llama-server --mine\n",
                "service.d/10.conf": "[Service]\nExecStart=\nExecStart=/bin/llama-server --general\n",
            },
            [["--mine"]],
        ),
        ({"x.service.d/a.conf": "ExecStart=\n[Unit]\nExecStart=\n"}, [["--a", "1"]]),
    ],
)
def test_drop_ins_are_read_behind_their_unit(
    tmp_path: Path, dropins: dict[str, str], expected: list[list[str]]
) -> None:
    assert words(tree(tmp_path, {"x.service": UNIT, **dropins})) == expected


@pytest.mark.parametrize(
    ("unit", "folders"),
    [
        ("x@.service", ["x@.service.d"]),
        ("x@1.service", ["x@1.service.d", "x@.service.d"]),
        ("a-b-c.service", ["a-b-.service.d", "a-.service.d"]),
        ("x.container", ["x.container.d"]),
    ],
)
def test_folders_of_drop_ins(tmp_path: Path, unit: str, folders: list[str]) -> None:
    text = "[Container]\nImage=ghcr.io/ggml-org/llama.cpp:server\nExec=--a\n" if "container" in unit else UNIT
    section = "Container" if "container" in unit else "Service"
    files = {f"{folder}/1{n}.conf": f"[{section}]\nEnvironment=V{n}={n}\n" for n, folder in enumerate(folders)}
    report = Linter().lint_path(str(tree(tmp_path, {unit: text, **files}) / unit), str(tmp_path))
    (found,) = report.launches
    assert {name: value for name, value in env(found.launch).items() if name.startswith("V")} == {
        f"V{n}": str(n) for n in range(len(folders))
    }


def test_an_environment_adds_up_and_is_used_across_files(tmp_path: Path) -> None:
    dropin = "[Service]\nEnvironment=B=2\nExecStart=\nExecStart=/bin/llama-server $A ${B}\n"
    report = Linter().lint_path(str(tree(tmp_path, {"x.service": UNIT, "x.service.d/a.conf": dropin}) / "x.service"))
    (found,) = report.launches
    assert argv(found.launch)[1:] == ["1", "2"]
    assert env(found.launch) == {"A": "1", "B": "2"}
    assert found.launch.fragment.source.path == str(tmp_path / "x.service.d/a.conf")
    assert found.line == 4


def test_a_drop_in_given_by_itself_is_read_with_its_unit(tmp_path: Path) -> None:
    tree(tmp_path, {"x.service": UNIT, "x.service.d/a.conf": "[Service]\nEnvironment=LLAMA_ARG_DRAFT_MAX=4\n"})
    report = linter("llama.cpp@b11434").lint_path(str(tmp_path / "x.service.d/a.conf"))
    assert [argv(found.launch)[1:] for found in report.launches] == [["--a", "1"]]
    assert "MTP101" in [finding.code for finding in report.findings]
    (tmp_path / "x.service").unlink()
    alone = linter("llama.cpp@b11434").lint_path(str(tmp_path / "x.service.d/a.conf"))
    assert not alone.launches


def test_an_instance_s_drop_in_is_read_with_its_template(tmp_path: Path) -> None:
    tree(tmp_path, {"x@.service": UNIT, "x@1.service.d/a.conf": "[Service]\nEnvironment=LLAMA_ARG_X=1\n"})
    (found,) = Linter().lint_path(str(tmp_path / "x@1.service.d/a.conf")).launches
    assert env(found.launch) == {"A": "1", "LLAMA_ARG_X": "1"}


def run(*arguments: str) -> dict[str, list[dict[str, object]]]:
    result = CliRunner().invoke(cli, ["lint", "--output-format", "json", "--target", "llama.cpp@b11434", *arguments])
    loaded: dict[str, list[dict[str, object]]] = json.loads(result.stdout)
    return loaded


def test_a_launch_and_a_finding_are_told_once_and_where_they_stand(tmp_path: Path) -> None:
    unit = "[Service]\nEnvironment=LLAMA_ARG_DRAFT_MAX=3\nExecStart=/bin/llama-server --spec-type mtp\n"
    dropin = "[Service]\n\nExecStart=\nExecStart=/bin/llama-server --spec-type mtp --draft-max 5\n"
    tree(tmp_path, {"x.service": unit, "x.service.d/a.conf": dropin})
    loaded = run(str(tmp_path))
    (launch,) = loaded["launches"]
    assert (Path(str(launch["path"])).name, launch["line"]) == ("a.conf", 4)
    places = [(Path(str(f["path"])).name, f["code"], f["start"]["line"]) for f in loaded["findings"]]  # type: ignore[index]
    assert sorted(places) == sorted(set(places))
    assert ("x.service", "MTP101", 2) in places
    assert ("a.conf", "MTP101", 4) in places
    assert not [place for place in places if place[0] == "x.service" and place[2] == 3]


def test_each_file_is_fixed_where_it_stands(tmp_path: Path) -> None:
    unit = "[Service]\nExecStart=/bin/llama-server --spec-type draft-mtp --draft-min 1 $MORE\n"
    dropin = "[Service]\nEnvironment=LLAMA_ARG_DRAFT_MAX=3\n"
    tree(tmp_path, {"x.service": unit, "x.service.d/a.conf": dropin})
    CliRunner().invoke(cli, ["lint", "--fix", "--target", "llama.cpp@b11434", str(tmp_path)])
    assert (tmp_path / "x.service").read_text() == unit.replace("--draft-min", "--spec-draft-n-min")
    assert (tmp_path / "x.service.d/a.conf").read_text() == dropin.replace("DRAFT_MAX", "SPEC_DRAFT_N_MAX")


def test_folders_are_listed_inside_the_tree_only(tmp_path: Path) -> None:
    tree(tmp_path, {"out/a.conf": "", "in/own/b.conf": ""})
    os.symlink(tmp_path / "out", tmp_path / "in/link")
    files = Files(str(tmp_path / "in"))
    assert files.names("own") == ["b.conf"]
    assert files.names("link") == files.names("../out") == files.names("missing") == files.names("own/b.conf") == []
    assert Files(None).names("own") == []


def test_a_drop_in_that_is_a_link_out_of_the_tree_is_not_read(tmp_path: Path) -> None:
    tree(tmp_path, {"in/x.service": UNIT, "out/a.conf": "[Service]\nExecStart=\n"})
    (tmp_path / "in/x.service.d").mkdir()
    os.symlink(tmp_path / "out/a.conf", tmp_path / "in/x.service.d/a.conf")
    assert words(tmp_path / "in") == [["--a", "1"]]
