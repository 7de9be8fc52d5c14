"""What is Ollama's, and which version a text names."""

from __future__ import annotations

import pytest
from mtpconfig_ollama import versions

from mtpconfig.launch import HintKind
from mtpconfig.text import Source

from ...support import linter
from .support import report


def programs(text: str, name: str = "start.sh") -> list[str]:
    return [launch.program for launch in linter().launches(Source(name, text)) if launch.engine == "ollama"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ollama serve", ["ollama serve"]),
        ("OLLAMA_HOST=0.0.0.0 /usr/local/bin/ollama start &", ["ollama serve"]),
        ("sudo -u ollama ollama.exe run qwen3.8:27b", ["ollama run"]),
        ("docker run -d ollama/ollama:0.32.14", ["ollama serve"]),
        ("docker run --gpus all docker.io/ollama/ollama:rocm serve", ["ollama serve"]),
        ("docker run ollama/ollama@sha256:aa run x", ["ollama run"]),
        ("docker run --entrypoint /bin/ollama ollama/ollama pull x", ["ollama pull"]),
        ("docker exec -it ollama ollama run qwen3.8:27b", ["ollama run"]),
        ("ollama list; ollama ps; ollama --version; ollama -v", []),
        ("ollama run --help; ollama serve -h", []),
        ("ollama-chat serve; my-ollama run x; echo ollama serve", []),
        ("docker run alpine/ollama", []),
        ("docker run --entrypoint /start.sh ollama/ollama", []),
    ],
)
def test_commands(text: str, expected: list[str]) -> None:
    assert programs(text + "\n") == expected


BODY = '{"model": "m", "options": {"draft_num_predict": 4}}'


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (f"curl http://localhost:11434/api/chat -d '{BODY}'", True),
        (f"curl -s $OLLAMA_HOST/api/generate -X POST --data-raw '{BODY}'", True),
        (f"curl https://llm.example/api/chat --json '{BODY}'", True),
        (f"curl https://ollama.example/v1/chat/completions -d '{BODY}'", True),
        (f"curl -d'{BODY}' localhost:11434/api/chat", True),
        (f"curl https://llm.example/v1/chat/completions -d '{BODY}'", False),
        ('curl http://localhost:11434/api/chat -d \'{"model": "m"}\'', False),
        ("curl http://localhost:11434/api/chat -d @body.json", False),
        ("curl http://localhost:11434/api/tags", False),
        (f"curl http://mail.example/api/drafts -d '{BODY}'", False),
        (f"http POST localhost:11434/api/chat <<< '{BODY}'", False),
    ],
)
def test_requests(command: str, found: bool) -> None:
    assert programs(command + "\n", "ask.sh") == (["ollama request"] if found else [])


def test_a_name_of_an_application_s_own_is_no_request() -> None:
    text = 'curl http://localhost:11434/api/chat -d \'{"model": "m", "draft": {"title": "x"}}\'\n'
    assert [f for f in report(text, name="ask.sh").findings if f.severity != "info"] == []


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("image", "ollama/ollama:0.32.15", "0.32.15"),
        ("image", "docker.io/ollama/ollama:0.32.15-rocm", "0.32.15"),
        ("image", "ollama/ollama:0.33.0-rc1@sha256:aa", "0.33.0-rc1"),
        ("image", "ollama/ollama:latest", None),
        ("image", "acme/ollama:0.32.15", None),
        ("path", "/opt/ollama-0.30.8/bin/ollama", "0.30.8"),
        ("comment", "# built and served with ollama 0.34.2", "0.34.2"),
        ("comment", "# ollama version is 0.24.0", "0.24.0"),
        ("comment", "Ollama 0.31.0", "0.31.0"),
        ("comment", "# OLLAMA_VERSION=0.32.15", "0.32.15"),
        ("comment", "https://github.com/ollama/ollama/releases/download/v0.32.1/ollama.tgz", "0.32.1"),
        ("comment", "# ollama 0.32.7 or newer", None),
        ("comment", "# needs ollama 0.30.0", None),
        ("comment", "# ollama 0.24.0 was slower", None),
        ("comment", "# ollama 0.24.0, then ollama 0.30.0", None),
        ("comment", "# open-webui 0.6.1", None),
    ],
)
def test_versions(kind: HintKind, text: str, expected: str | None) -> None:
    found = versions.find(kind, text)
    assert (str(found.range) if found is not None else None) == expected
    if found is not None:
        assert text[found.start : found.end].removeprefix("v") == expected
