"""A file that is read in part says so: what stands behind the fault was not checked."""

from __future__ import annotations

import pytest

from mtpconfig.carriers.yaml_ import documents
from mtpconfig.text import Fragment, Source

from ..support import lint

IMAGE = "services:\n  a:\n    image: ghcr.io/ggml-org/llama.cpp:server-b11434\n"


def told(text: str, name: str) -> list[tuple[str, int]]:
    report = lint(text, name=name)
    return [(f.code, f.source.position(f.span.start).line) for f in report.findings if f.code == "MTP001"]


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        (f"{IMAGE}    command: -m x --spec-type draft-mtp\n\ttty: true\n", "compose.yaml", 5),
        (IMAGE.replace("image: ", 'image: "') + "    command: -m x\n", "deploy.yaml", 4),
        ("command: llama-server\nlist:\n" + "  - a\n" * 60_000, "big.yaml", 50_000),
    ],
)
def test_the_place_is_told(text: str, name: str, line: int) -> None:
    ((code, at),) = told(text, name)

    assert code == "MTP001"
    assert at == pytest.approx(line, abs=10 if line > 1000 else 0)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"{IMAGE}    command: -m x\n", "compose.yaml"),
        ("{{- if .Values.x }}\nargs: [llama-server{{ end }}\n", "deploy.yaml"),  # who knows what it becomes
        ('{\n  // llama-server\n  "a": 1,\n}\n', "settings.json"),
        ("Serve:\n\n```yaml\ncommand: [llama-server\n```\n", "guide.md"),
    ],
)
def test_right_files_templates_and_excerpts_are_clean(text: str, name: str) -> None:
    assert told(text, name) == []


def test_byte_order_marks_are_passed_over_without_moving_anything() -> None:
    text = "\ufeff\ufeffcommand: [serve, -m]\n"
    (document,) = documents(Fragment.of(Source("x.yaml", text)))

    assert document.root is not None
    assert text[slice(*document.root.span)].startswith("command")
