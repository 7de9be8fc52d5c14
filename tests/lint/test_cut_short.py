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


SERVER = "llama-server -m x\n"
STAGE = "FROM ghcr.io/ggml-org/llama.cpp:server-b11434\nCMD -m x --n {}\n"


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("".join(STAGE.format(n) for n in range(66)), "Dockerfile", 1),
        ("".join(f"[m{n}]\nspec-type = draft-mtp\n" for n in range(502)), "llama-server-models.ini", 1001),
        ("# llama-server\n[m]\nspec-type = draft-mtp\n" + "\n" * 20_000, "llama-server-models.ini", 20_001),
        ("services:\n" + "".join(f"  s{n}: {{image: llama-server}}\n" for n in range(2002)), "compose.yaml", 2002),
        ("[Service]\n" + f"ExecStart=/bin/{SERVER}" * 202, "x.service", 202),
        (f"[Service]\nExecStart=/bin/{SERVER}" + "\n" * 10_000, "x.service", 10_001),
        ("[Service]\n# llama-server\nExecStart=/bin/x " + "a" * 70_000 + "\n", "x.service", 3),
        ("".join(f"LLAMA_ARG_A{n}=1\n" for n in range(5002)), ".env", 5001),
        ("models:\n" + "".join(f"  m{n}:\n    cmd: llama-server -m x\n" for n in range(1002)), "config.yaml", 2002),
        (SERVER * 2002, "start.sh", 2001),
    ],
)
def test_what_is_more_than_is_read_is_told(text: str, name: str, line: int) -> None:
    assert told(text, name) == [("MTP001", line)]


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("".join(STAGE.format(n) for n in range(64)), "Dockerfile"),
        ("services:\n" + "".join(f"  s{n}: {{image: llama-server}}\n" for n in range(2000)), "compose.yaml"),
        ("".join(f"LLAMA_ARG_A{n}=1\n" for n in range(5000)), ".env"),
        (SERVER * 2000, "start.sh"),
    ],
)
def test_what_is_just_read_in_full_is_clean(text: str, name: str) -> None:
    assert told(text, name) == []
