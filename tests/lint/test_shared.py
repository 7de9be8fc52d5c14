"""Files of variables that another file of the run names are judged with the version of the launch that reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtpconfig.lint.findings import FileReport
from mtpconfig.lint.fixes import fix_source
from mtpconfig.lint.shared import judged_once
from mtpconfig.lint.walk import files_below
from tests.support import linter

IMAGE = "ghcr.io/ggml-org/llama.cpp:server-"


def lint_tree(folder: Path, files: dict[str, str]) -> list[FileReport]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return judged_once([linter().lint_path(path, root) for path, root in files_below([str(folder)])])


def compose(tag: str) -> str:
    return f"services:\n  llm:\n    image: {IMAGE}{tag}\n    env_file: llama.env\n    command: -m /m.gguf\n"


def told(reports: list[FileReport]) -> list[tuple[str, str, str]]:
    return [
        (finding.code, Path(finding.source.path).name, finding.certainty)
        for report in reports
        for finding in report.findings
    ]


VARIABLES = "LLAMA_ARG_SPEC_TYPE=draft-mtp\nLLAMA_ARG_DRAFT_MAX=4\n"


def test_what_a_launch_reads_is_told_once_and_with_its_version(tmp_path: Path) -> None:
    reports = lint_tree(tmp_path, {"compose.yaml": compose("b11434"), "llama.env": VARIABLES})

    assert told(reports) == [("MTP101", "llama.env", "sure")]


def test_a_file_of_variables_that_is_right_for_its_launch_is_clean(tmp_path: Path) -> None:
    reports = lint_tree(tmp_path, {"compose.yaml": compose("b8352"), "llama.env": "LLAMA_ARG_DRAFT_MAX=4\n"})

    assert [code for code in told(reports) if code[0] == "MTP101"] == []


@pytest.mark.parametrize("tag", ["latest", "${TAG}"])
def test_a_launch_without_a_version_takes_nothing_away(tmp_path: Path, tag: str) -> None:
    reports = lint_tree(tmp_path, {"compose.yaml": compose(tag), "llama.env": VARIABLES})

    assert {name for code, name, _ in told(reports) if code == "MTP101"} == {"llama.env"}


def test_what_stands_in_another_file_is_not_rewritten_through_this_one(tmp_path: Path) -> None:
    (report, _) = lint_tree(tmp_path, {"compose.yaml": compose("b11434"), "llama.env": VARIABLES})

    assert [finding.fix for finding in report.findings] == [None]
    assert fix_source(linter(), report, unsafe=True, files=report.files).source == report.source


def test_what_stands_in_another_file_obeys_the_directives_there(tmp_path: Path) -> None:
    quiet = VARIABLES.replace("MAX=4", "MAX=4  # mtpconfig: ignore[MTP101]")
    reports = lint_tree(tmp_path, {"compose.yaml": compose("b11434"), "llama.env": quiet})

    assert [code for code in told(reports) if code[0] == "MTP101"] == []


def test_what_compose_puts_into_its_text_is_no_environment_of_a_server(tmp_path: Path) -> None:
    text = compose("b11434").replace("    env_file: llama.env\n", "")
    reports = lint_tree(tmp_path, {"compose.yaml": text, ".env": "LLAMA_ARG_DRAFT_P_MIN=0.5\nLLAMA_ARG_DRAFT_MAX=4\n"})

    assert [entry for entry in told(reports) if entry[1] == ".env"] == []
