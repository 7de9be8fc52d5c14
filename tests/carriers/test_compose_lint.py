"""From a Compose file to a fixed one: old options are found where they stand and renamed there."""

from __future__ import annotations

import pytest

from mtpconfig.lint.fixes import fix_source
from tests.support import codes, lint, linter

HEAD = "services:\n  llm:\n    image: ghcr.io/ggml-org/llama.cpp:server-b11434\n"

COMMANDS = {
    "folded": "    command: >\n      -m /m/q.gguf\n      --spec-type draft-mtp\n      --draft-max 4\n",
    "literal": "    command: |\n      -m /m/q.gguf\n      --spec-type draft-mtp --draft-max 4\n",
    "flow list": '    command: ["-m", "/m/q.gguf", "--spec-type", "draft-mtp", "--draft-max", "4"]\n',
    "block list": "    command:\n      - -m\n      - /m/q.gguf\n      - --spec-type\n      - draft-mtp\n"
    "      - --draft-max # old\n      - '4'\n",
    "shell": "    entrypoint: [sh, -c]\n    command:\n      - |\n        exec llama-server -m /m/q.gguf \\\n"
    "          --spec-type draft-mtp --draft-max ${N:-4} $$EXTRA\n",
    "entrypoint": "    entrypoint: /app/llama-server --draft-max 4\n    command: -m /m/q.gguf --spec-type draft-mtp\n",
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_old_option_is_renamed_in_place(name: str, line_end: str) -> None:
    text = (HEAD + COMMANDS[name]).replace("\n", line_end)
    report = lint(text, name="compose.yaml")
    (finding,) = [finding for finding in report.findings if finding.severity == "error"]
    assert text[slice(*finding.span)] == "--draft-max"
    fixed = fix_source(linter(), report)
    assert fixed.source.text == text.replace("--draft-max", "--spec-draft-n-max")


@pytest.mark.parametrize(
    "command",
    [
        "    command: -m /m/q.gguf --spec-type draft-mtp --spec-draft-n-max 4\n",
        "    command: -m /m/q.gguf --spec-type ${T:-draft-mtp} --spec-draft-n-max ${N:-3}\n",
        "    command: [-m, /m/q.gguf, --spec-type, draft-mtp, --spec-draft-n-max, '3']\n",
        "    environment: {LLAMA_ARG_MODEL: /m/q.gguf, LLAMA_ARG_SPEC_TYPE: draft-mtp}\n",
    ],
)
def test_what_is_right_is_clean(command: str) -> None:
    assert codes(HEAD + command, name="compose.yaml") == []


def test_what_two_services_share_is_told_once_and_left_alone() -> None:
    text = (
        HEAD
        + "    command: &c [-m, /m/q.gguf, --draft-max, '4']\n  b:\n"
        + HEAD.split("llm:\n")[1]
        + "    command: *c\n"
    )
    report = lint(text, name="compose.yaml")
    (finding,) = [finding for finding in report.findings if finding.severity == "error"]
    assert text[slice(*finding.span)] == "--draft-max" and finding.fix is None
