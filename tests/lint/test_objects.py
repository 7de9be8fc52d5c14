"""JSON that does not arrive: what vLLM receives (bash's own words), where it is told, and that a fix mends it."""

from __future__ import annotations

import json
import subprocess

import pytest

from mtpconfig.text import Source

from ..support import lint, linter

GOOD = {"method": "mtp", "num_speculative_tokens": 2}
TARGET = "vllm@0.32.0"

SPOILT = [
    # the value as it stands in a script, the code
    ('{"method":"mtp","num_speculative_tokens":2}', "MTP207"),
    ('{"method": "mtp", "num_speculative_tokens": 2}', "MTP207"),
    ('"{"method":"mtp","num_speculative_tokens":2}"', "MTP207"),
    ('\'{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":2}\'', "MTP207"),
    ('\\\\{\\\\\\"method\\\\\\":\\\\\\"mtp\\\\\\"\\\\,\\\\\\"num_speculative_tokens\\\\\\":2\\\\}', "MTP207"),
    ("'{\u201cmethod\u201d:\u201cmtp\u201d,\u201cnum_speculative_tokens\u201d:2}'", "MTP207"),
    ('"\'{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":2}\'"', "MTP207"),
    ('\'{"method":"mtp", \\\n "num_speculative_tokens":2}\'', "MTP207"),
    ("\"{'method': 'mtp', 'num_speculative_tokens': 2}\"", "MTP201"),
    ('\'{"method":"mtp","num_speculative_tokens":2,}\'', "MTP201"),
    ('\'"{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":2}"\'', "MTP201"),
]


def script(value: str) -> str:
    return f"vllm serve m --speculative-config {value} --port 1\n"


def received(text: str) -> list[str]:
    """The words that bash hands to the program."""
    shown = text.replace("vllm serve", "printf '%s\\0'", 1)
    return subprocess.run(["bash", "-c", shown], capture_output=True, text=True, check=True).stdout.split("\0")[:-1]


@pytest.mark.parametrize(("value", "code"), SPOILT)
def test_what_is_told_is_mended(value: str, code: str) -> None:
    from mtpconfig.lint.fixes import fix_source

    text = script(value)
    words = received(text)
    with pytest.raises((ValueError, AssertionError)):
        assert json.loads(words[words.index("--speculative-config") + 1]) == GOOD
    report = linter(TARGET).lint_source(Source("start.sh", text))
    assert [finding.code for finding in report.findings if finding.severity == "error"] == [code]
    fixed = fix_source(linter(TARGET), report).source.text
    words = received(fixed)
    assert json.loads(words[words.index("--speculative-config") + 1]) == GOOD
    assert words[-2:] == ["--port", "1"]
    assert [f.code for f in linter(TARGET).lint_source(Source("start.sh", fixed)).findings] == []


@pytest.mark.parametrize(
    ("value", "column", "said"),
    [
        ("'{method: mtp}'", 37, "expecting property name enclosed in double quotes"),
        ("'{\"method\": mtp}'", 47, "expecting value"),
        ("'[1]'", 36, "no object"),
        ("5", 35, "no object"),
    ],
)
def test_other_faults_are_told_at_their_place(value: str, column: int, said: str) -> None:
    report = linter(TARGET).lint_source(Source("start.sh", script(value)))
    (finding,) = (each for each in report.findings if each.severity == "error")
    place = report.source.position(finding.span.start) if report.source is not None else None
    assert (finding.code, place) == ("MTP201", (1, column))
    assert said in finding.message


@pytest.mark.parametrize(
    "value",
    [
        '\'{"method":"mtp","num_speculative_tokens":2}\'',
        '"{\\"method\\":\\"mtp\\",\\"num_speculative_tokens\\":2}"',
        '"$SPEC"',
        '\'{"method":"mtp","num_speculative_tokens":\'$N\'}\'',
        '\'{"method":"mtp", \'$MORE\' "num_speculative_tokens":2}\'',
        '\'{"method":"\\u006dtp","num_speculative_tokens":2}\'',
    ],
)
def test_what_arrives_or_cannot_be_known_is_silence(value: str) -> None:
    report = linter(TARGET).lint_source(Source("start.sh", script(value)))
    assert [finding.code for finding in report.findings if finding.severity != "info"] == []


def test_places_in_json_in_a_word_in_yaml() -> None:
    text = """\
services:
  v:
    image: vllm/vllm-openai:v0.32.0
    command: >-
      --model m
      --speculative-config '{"method": "MTP", "num_speculative_tokens": 2}'
"""
    report = linter().lint_source(Source("compose.yaml", text))
    (finding,) = (each for each in report.findings if each.severity == "error")
    assert report.source is not None
    assert report.source.position(finding.span.start) == (6, 41)
    assert text[slice(*finding.span)] == "MTP"
    from mtpconfig.lint.fixes import fix_source

    fixed = fix_source(linter(), report, unsafe=True).source.text
    assert fixed == text.replace("MTP", "mtp"), fixed


def test_typographic_quotes_around_json_are_one_finding() -> None:
    text = 'vllm serve m --speculative-config \u2018{"method":"mtp","num_speculative_tokens":3}\u2019\n'
    assert [finding.code for finding in lint(text, "vllm@0.32.0").findings] == ["MTP207"]


def test_who_takes_the_quotes_is_said() -> None:
    words = 'vllm serve m --speculative-config {"method":"mtp","num_speculative_tokens":3}\n'
    (unit,) = lint(f"[Service]\nExecStart=/usr/bin/{words}", "vllm@0.32.0", name="x.service").findings
    (script,) = lint(words, "vllm@0.32.0").findings
    assert "systemd takes" in unit.detail and "the shell takes" in script.detail


def test_a_removed_option_is_refused_in_the_engines_own_words() -> None:
    (found,) = lint("vllm serve m --use-v2-block-manager\n", "vllm@0.32.0").findings
    assert "unrecognized arguments: --use-v2-block-manager" in found.why
