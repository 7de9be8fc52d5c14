"""Items of lists that hold more than one word, and images whose tag moves."""

from __future__ import annotations

import pytest

from mtpconfig.lint.fixes import fix_source

from ..support import lint, linter

TARGET = "llama.cpp@b11549"
POD = """\
containers:
  - name: coder
    image: registry.internal/llama.cpp:server
    args:
      - -m
      - /models/q.gguf
{}"""


def fixed(text: str, name: str) -> str:
    report = lint(text, TARGET, name)
    return fix_source(linter(TARGET), report).source.text


def pod(*lines: str) -> str:
    return POD.format("".join(f"      {line}\n" for line in lines))


@pytest.mark.parametrize(
    ("items", "after"),
    [
        (["- --spec-type draft-mtp"], ["- --spec-type", "- draft-mtp"]),
        (["- '--spec-type draft-mtp' # on"], ["- '--spec-type' # on", "- 'draft-mtp'"]),
        (['- "--spec-type  draft-mtp"'], ['- "--spec-type"', '- "draft-mtp"']),
        (["- --spec-type 'draft-mtp'"], ["- --spec-type", "- draft-mtp"]),
        (
            ["- --spec-type draft-mtp --spec-draft-n-max 3"],
            ["- --spec-type", "- draft-mtp", "- --spec-draft-n-max", '- "3"'],
        ),
        (
            ["- --spec-type", "- draft-mtp", "- --draft-max 3"],
            ["- --spec-type", "- draft-mtp", "- --spec-draft-n-max", '- "3"'],
        ),
    ],
)
def test_a_glued_item_becomes_items(items: list[str], after: list[str]) -> None:
    report = lint(pod(*items), TARGET, "pod.yaml")
    assert "MTP208" in [finding.code for finding in report.findings]
    assert fixed(pod(*items), "pod.yaml") == pod(*after)


def test_in_a_shell_it_is_the_quotes() -> None:
    text = "llama-server -m q.gguf '--spec-type draft-mtp'\n"
    assert [finding.code for finding in lint(text, TARGET).findings] == ["MTP207"]
    inside = pod().replace("    args:\n", "    command: [sh, -c]\n    args:\n").replace("      - -m\n", "")
    inside = inside.replace("- /models/q.gguf", "- llama-server -m q.gguf '--spec-type draft-mtp'")
    assert [finding.code for finding in lint(inside, TARGET, "pod.yaml").findings] == ["MTP207"]


def test_the_place_is_the_item() -> None:
    report = lint(pod("- '--spec-type draft-mtp'"), TARGET, "pod.yaml")
    (finding,) = [finding for finding in report.findings if finding.code == "MTP208"]
    position = finding.source.position(finding.span.start)
    assert (position.line, position.column, finding.source.text[slice(*finding.span)]) == (
        7,
        10,
        "--spec-type draft-mtp",
    )


@pytest.mark.parametrize(
    ("image", "tag"),
    [
        ("ghcr.io/ggml-org/llama.cpp:server", "server"),
        ("ghcr.io/ggml-org/llama.cpp:server-cuda12", "server-cuda12"),
        ("ghcr.io/ggerganov/llama.cpp:full-vulkan", "full-vulkan"),
        ("mirror.internal/ghcr.io/ggml-org/llama.cpp:latest", "latest"),
        ("ghcr.io/ggml-org/llama.cpp", "ghcr.io/ggml-org/llama.cpp"),
    ],
)
def test_a_moving_tag_is_told(image: str, tag: str) -> None:
    text = f"docker run --entrypoint /app/llama-server {image} -m q.gguf --spec-type draft-mtp\n"
    (finding,) = lint(text, TARGET).findings
    assert (finding.code, finding.severity, text[slice(*finding.span)]) == ("MTP501", "info", tag)


@pytest.mark.parametrize(
    "line",
    [
        "docker run ghcr.io/ggml-org/llama.cpp:server-cuda-b11549 -m q.gguf --spec-type draft-mtp",
        "docker run ghcr.io/ggml-org/llama.cpp:server@sha256:0123 -m q.gguf --spec-type draft-mtp",
        "docker run llama.cpp:server -m q.gguf --spec-type draft-mtp",
        "docker run registry.internal/llama.cpp:server -m q.gguf --spec-type draft-mtp",
        "docker run ghcr.io/ggml-org/llama.cpp:$TAG -m q.gguf --spec-type draft-mtp",
        "docker run ghcr.io/ggml-org/llama.cpp:server -m q.gguf",
    ],
)
def test_what_is_pinned_or_not_published_is_silent(line: str) -> None:
    assert lint(f"{line}\n", TARGET).findings == []


def test_the_tag_of_a_chart_is_told_where_it_stands() -> None:
    text = "image:\n  repository: ghcr.io/ggml-org/llama.cpp\n  tag: server\nextraArgs: [--spec-type, draft-mtp]\n"
    (finding,) = lint(text, TARGET, "values.yaml").findings
    assert (finding.code, text[slice(*finding.span)]) == ("MTP501", "server")
    assert lint(text.replace("  tag: server\n", '  tag: ""\n'), TARGET, "values.yaml").findings == []
