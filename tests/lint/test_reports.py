"""What the reports never let through, whatever a linted file holds."""

from __future__ import annotations

import json

import pytest

from mtpconfig.lint.reports import Run, concise, json_, text

from ..support import lint

HOSTILE = (
    "llama-server -m https://joe:hunter22@host/q.gguf --api-key sk-abcdefgh "
    "--spec-type $'\\x1b]0;pwned\\a\\nfake.sh:1:1: ok'\n"
)


@pytest.mark.parametrize("render", [text.render, concise.render, json_.render])
def test_no_secret_and_no_control_character(render: object) -> None:
    assert callable(render)
    run = Run([lint(HOSTILE, "b11434")])
    assert run.findings
    shown = render(run)
    assert "hunter22" not in shown and "sk-abcdefgh" not in shown
    assert "\x1b]0" not in shown and "\a" not in shown


def test_one_finding_is_one_line() -> None:
    run = Run([lint(HOSTILE, "b11434")])
    assert len(concise.render(run).splitlines()) == len(run.findings) + 1


def test_json_stays_json() -> None:
    document = json.loads(json_.render(Run([lint(HOSTILE, "b11434")])))
    assert document["launches"][0]["spec"]["model"] == "https://joe:********@host/q.gguf"
    assert document["launches"][0]["spec"]["methods"] == []


def test_a_slip_in_a_directive_is_told() -> None:
    script = "# mtpconfig: ignroe[MTP101]\n# mtpconfig: target llama.cp@b9180\nllama-server -m q.gguf\n"
    messages = [finding.message for finding in lint(script).findings]
    assert any("ignroe" in message for message in messages)
    assert any("did you mean llama.cpp?" in message for message in messages)
