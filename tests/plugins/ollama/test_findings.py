"""What is found in launches of Ollama, and what is left alone."""

from __future__ import annotations

import pytest

from mtpconfig.lint.fixes import fix_source

from ...support import linter
from .support import codes, report, told


def modelfile(*lines: str) -> str:
    return "".join(f"{line}\n" for line in ("FROM ./a.gguf", *lines))


FAULTS = [
    # lines, release, code, a part of the message or the help
    ("PARAMETER draft_num_predict 4", "0.24.0", "MTP104", "does not know `draft_num_predict` yet"),
    ("DRAFT ./d-mtp.gguf", "0.23.0", "MTP104", "does not know `DRAFT` yet"),
    ("draft ./d-mtp.gguf", "0.23.0", "MTP104", "does not know `draft` yet"),
    ("REQUIRES 0.30.0", "0.13.5", "MTP104", "does not know `REQUIRES` yet"),
    ("PARAMETER DRAFT_NUM_PREDICT 4", "0.32.14", "MTP103", "did you mean `draft_num_predict`?"),
    ("PARAMETER draft_num_predicts 4", "0.32.14", "MTP103", "did you mean `draft_num_predict`?"),
    ("PARAMETER num_speculative_tokens 3", "0.32.14", "MTP103", "did you mean `draft_num_predict`?"),
    ("PARAMETER draft_model ./d.gguf", "0.32.14", "MTP103", "say it by `DRAFT` in the Modelfile"),
    ("DRAFTMODEL ./d.gguf", "0.32.14", "MTP103", "did you mean `DRAFT`?"),
    ("PARAMETER draft_num_predict=4", "0.32.14", "MTP103", "the value is a word of its own"),
    ("PARAMETER draft_num_predict", "0.32.14", "MTP105", "has no value"),
    ("PARAMETER draft_num_predict 4.5", "0.32.14", "MTP105", "wants a whole number, not `4.5`"),
    ("PARAMETER draft_num_predict four", "0.32.14", "MTP105", "invalid int value [four]"),
    ("PARAMETER num_ctx 32k", "0.32.14", "MTP105", "invalid int value [32k]"),
    ("PARAMETER use_mmap yes", "0.32.14", "MTP105", "wants true or false"),
    ("PARAMETER temperature 0,7", "0.32.14", "MTP105", "invalid float value [0,7]"),
    ("PARAMETER draft_num_predict '4'", "0.32.14", "MTP207", "the quotes reach"),
    ("PARAMETER  draft_num_predict 4", "0.32.14", "MTP207", "one blank"),
    ('SYSTEM "hi\nPARAMETER draft_num_predict 4', "0.32.14", "MTP207", "never closed"),
    ("PARAMETER draft_num_predict 2\nPARAMETER draft_num_predict 4", "0.32.14", "MTP206", "only the last one counts"),
    ("PARAMETER numa true", "0.32.14", "MTP102", "does not know `numa`"),
]


@pytest.mark.parametrize(("lines", "release", "code", "part"), FAULTS)
def test_what_stops_a_modelfile(lines: str, release: str, code: str, part: str) -> None:
    findings = [finding for finding in told(modelfile(lines), release) if finding.code == code]
    assert findings
    assert any(part in text for finding in findings for text in (finding.message, finding.help, finding.why))


@pytest.mark.parametrize(
    "lines",
    [
        "PARAMETER draft_num_predict +4",
        'PARAMETER draft_num_predict "4"',
        'PARAMETER num_ctx """4096"""',
        "PARAMETER draft_num_predict  4 ",
        "PARAMETER mirostat 2\nPARAMETER penalize_newline false",
        "PARAMETER some_name_of_tomorrow 4",
        "PARAMETER stop '<|end|>'\nPARAMETER stop \"x\"",
        "DRAFT ./gemma-4-12B-it-assistant-Q8_0.gguf\nPARAMETER draft_num_predict 0",
        "SYSTEM you are # not a comment",
        "#PARAMETER draft_num_predict four",
        "TEMPLATE {{ .Prompt }}\nRENDERER qwen3.5\nPARSER qwen3.5\nREQUIRES v0.32.7",
        "BOGUS instruction",
    ],
)
def test_what_ollama_takes_or_is_nobody_s_business(lines: str) -> None:
    assert codes(modelfile(lines)) == []


@pytest.mark.parametrize(
    ("command", "release", "code"),
    [
        ("ollama create x --quantize-draft nvfp4", "0.32.14", "MTP103"),
        ("ollama create x --draft-quantize=nvfp4", "0.23.0", "MTP104"),
        ("ollama run x --spec-type draft-mtp", "0.32.14", "MTP110"),
        ("ollama run x --draft-max 5", "0.32.14", "MTP110"),
        ("ollama run x --speculative-config '{}'", "0.32.14", "MTP110"),
        ("ollama run x --draft-quantize nvfp4", "0.32.14", "MTP103"),
        ("OLLAMA_MLX_MTP_MAX_DRAFT_TOKENS=8 ollama serve", "0.30.11", "MTP107"),
        ("OLLAMA_MTP_N_MAX=8 ollama serve", "0.32.14", "MTP107"),
        ("OLLAMA_SPECULATIVE=1 ollama serve", "0.32.14", "MTP107"),
    ],
)
def test_flags_and_variables(command: str, release: str, code: str) -> None:
    assert codes(command + "\n", release, "start.sh") == [code]


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("ollama create x --draft-quantize nvfp4 --quantize nvfp4 --experimental", "0.32.14"),
        ("ollama run x --verbose --think=false --some-flag 'write a draft'", "0.32.14"),
        ("ollama run x -- --draft-max", "0.32.14"),
        ("OLLAMA_MLX_MTP_MAX_DRAFT_TOKENS=8 ollama serve", "0.30.10"),
        ("OLLAMA_NEW_ENGINE=1 OLLAMA_KEEP_ALIVE=-1 OLLAMA_FLASH_ATTENTION=1 ollama serve", "0.32.14"),
        ('export OLLAMA_DRAFT_MODEL=qwen3.8:27b\nollama serve &\nollama run "$OLLAMA_DRAFT_MODEL"', "0.32.14"),
        ("docker run -e OLLAMA_MTP=1 acme/ollama-with-mtp", "0.32.14"),
    ],
)
def test_right_commands(text: str, release: str) -> None:
    assert codes(text + "\n", release, "start.sh") == []


def ask(body: str, route: str = "api/chat") -> str:
    return f"curl http://localhost:11434/{route} -d '{body}'\n"


@pytest.mark.parametrize(
    ("text", "release", "expected"),
    [
        (ask('{"model": "m", "options": {"draft_num_predict": 4}}'), "0.32.14", []),
        (ask('{"model": "m", "options": {"draft_num_predict": 0, "num_ctx": 1}}'), "0.32.14", []),
        (ask('{"model": "m", "options": {"draft_num_predict": 4}}'), "0.24.0", [("MTP107", "warning")]),
        (ask('{"model": "m", "options": {"draft_num_predict": "4"}}'), "0.32.14", [("MTP105", "error")]),
        (ask('{"model": "m", "options": {"draft_num_predict": true}}'), "0.32.14", [("MTP105", "error")]),
        (ask('{"model": "m", "options": {"draft_num_predict": null}}'), "0.32.14", [("MTP105", "warning")]),
        (ask('{"model": "m", "options": {"draft_num_predict": -1}}'), "0.32.14", [("MTP203", "warning")]),
        (ask('{"model": "m", "options": {"draft_num_tokens": 4}}'), "0.32.14", [("MTP107", "warning")]),
        (ask('{"model": "m", "draft_num_predict": 4}'), "0.32.14", [("MTP106", "warning")]),
        (
            ask('{"model": "m", "options": {"draft_num_predict": 4}}', "v1/chat/completions"),
            "0.32.14",
            [("MTP106", "warning")],
        ),
        (ask('{"model": "q:27b-mlx", "options": {"draft_num_predict": 4}}'), "0.32.14", [("MTP106", "warning")]),
        (ask('{"model": "new", "from": "m", "parameters": {"draft_num_predict": 4}}', "api/create"), "0.32.14", []),
    ],
)
def test_requests(text: str, release: str, expected: list[tuple[str, str]]) -> None:
    assert [(f.code, f.severity) for f in told(text, release, "ask.sh")] == expected


def test_a_range_of_releases_is_looked_at_where_an_option_of_a_request_changes() -> None:
    text = ask('{"model": "m", "options": {"draft_num_predict": 4}}')
    (finding,) = told(text, "0.20.0..0.32.14", "ask.sh")
    assert (finding.code, finding.certainty) == ("MTP107", "if-version")
    assert "warning up to 0.24.0" in finding.message


def test_without_a_version_older_releases_are_told() -> None:
    assert codes(modelfile("PARAMETER draft_num_predict 4"), "") == []
    (finding,) = told("OLLAMA_MLX_MTP_DRAFT_SCHEDULE=constant ollama serve\n", "", "start.sh")
    assert "so from 0.30.11 on; right from 0.23.1 to 0.30.10" in finding.message
    assert finding.fix is not None and finding.fix.safety == "unsafe"


def test_a_dead_variable_is_taken_out() -> None:
    text = "[Service]\nExecStart=/usr/bin/ollama serve\nEnvironment=OLLAMA_MLX_MTP_DRAFT_SCHEDULE=constant\n"
    before = report(text, "0.31.0", "ollama.service")
    after = fix_source(linter("ollama@0.31.0"), before, unsafe=True)
    assert after.source.text == "[Service]\nExecStart=/usr/bin/ollama serve\n"


def test_the_tag_of_the_image_is_the_version() -> None:
    compose = (
        "services:\n  o:\n    image: ollama/ollama:{}\n    environment:\n      OLLAMA_MLX_MTP_MAX_DRAFT_TOKENS: 8\n"
    )
    assert codes(compose.format("0.30.10"), "", "compose.yaml") == []
    assert codes(compose.format("0.30.11"), "", "compose.yaml") == ["MTP107"]
    moving = [f for f in report(compose.format("latest"), "", "compose.yaml").findings if f.code == "MTP501"]
    assert [f.severity for f in moving] == ["info"]


def test_an_excerpt_with_a_stand_in_is_not_judged() -> None:
    text = "Set it:\n\n```modelfile\nFROM qwen3.8:27b\nPARAMETER draft_num_predict N\n```\n"
    assert codes(text, name="a.md") == []
    assert codes("FROM qwen3.8:27b\nPARAMETER draft_num_predict N\n") == ["MTP105"]
