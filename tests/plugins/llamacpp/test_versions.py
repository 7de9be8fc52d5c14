"""Where people write a build number, and where a number is none."""

from __future__ import annotations

import pytest

from mtpconfig.launch import HintKind

from ...support import llamacpp

SAYS: list[tuple[HintKind, str, str]] = [
    ("image", "ghcr.io/ggml-org/llama.cpp:server-b9180", "b9180"),
    ("image", "ghcr.io/ggml-org/llama.cpp:server-cuda-b11434", "b11434"),
    ("image", "ghcr.io/ggml-org/llama.cpp:server-cuda13-b11434@sha256:0123", "b11434"),
    ("image", "ghcr.io/ggml-org/llama.cpp:full-b8946", "b8946"),
    ("image", "registry.local:5000/mirror/llama.cpp:light-vulkan-b10000", "b10000"),
    ("path", "/opt/llama-b10400/llama-server", "b10400"),
    ("path", "/opt/llama.cpp-b9180/build/bin/llama-server", "b9180"),
    ("path", "~/llama.cpp/b9180/llama-server", "b9180"),
    ("path", "C:\\tools\\llama-b9180-bin-win-cpu-x64\\llama-server.exe", "b9180"),
    ("path", "./llama-server-b9180", "b9180"),
    ("path", "/opt/llama.cpp-9180/llama-server", "b9180"),
    ("comment", "# llama.cpp b9180", "b9180"),
    ("comment", "# llama.cpp build 9628", "b9628"),
    ("comment", "# build 9628, CUDA", "b9628"),
    ("comment", "# b9180 (May)", "b9180"),
    ("comment", "# running llama.cpp version 10400 here", "b10400"),
    ("comment", "# version: 9093 (abcdef0)", "b9093"),
]

SILENT: list[tuple[HintKind, str]] = [
    ("image", "ghcr.io/ggml-org/llama.cpp:server"),
    ("image", "ghcr.io/ggml-org/llama.cpp:server-cuda"),
    ("image", "ghcr.io/ggml-org/llama.cpp:latest"),
    ("image", "ghcr.io/ggml-org/llama.cpp@sha256:b1234567"),
    ("image", "vllm/vllm-openai:v0.33.0"),
    ("image", "other/thing:b9180"),
    ("path", "/opt/llama.cpp/build/bin/llama-server"),
    ("path", "llama-server"),
    ("path", "/usr/bin/llama-server"),
    ("path", "/home/b99/llama-server"),
    ("path", "/data/20260101/llama-server"),
    ("path", "/mnt/ab9180c/llama-server"),
    ("pin", "llama-cpp-python==0.3.24"),
    ("comment", "# since b9180"),
    ("comment", "# needs b9180"),
    ("comment", "# requires llama.cpp b9180"),
    ("comment", "# b9180+"),
    ("comment", "# b9180 or newer"),
    ("comment", "# b9180 and later"),
    ("comment", "# >= b9180"),
    ("comment", "# llama.cpp >= b9180"),
    ("comment", "# at least b9180"),
    ("comment", "# before b9180 this was --draft-max"),
    ("comment", "# up to b8946"),
    ("comment", "# removed in b8992"),
    ("comment", "# added in build 9180"),
    ("comment", "# fixed in b9246"),
    ("comment", "# b8946 -> b8992"),
    ("comment", "# b8946..b8992"),
    ("comment", "# works on b9180 and on b9294"),
    ("comment", "# newer than b9180"),
    ("comment", "# not b9180"),
    ("comment", "# port 8080, 32768 tokens"),
    ("comment", "# draft model in 2026"),
    ("comment", "# commit ab9180f"),
    ("comment", "# see issue #25489"),
    ("comment", "# upgrade to b9180 first"),
    ("comment", "# TODO: try b11434"),
]


@pytest.mark.parametrize(("kind", "text", "version"), SAYS)
def test_a_build_is_found_with_its_place(kind: HintKind, text: str, version: str) -> None:
    hint = llamacpp().version_in(kind, text)
    assert hint is not None and str(hint.range.exact) == version
    assert text[hint.start : hint.end].lstrip("b") == version.lstrip("b")


@pytest.mark.parametrize(("kind", "text"), SILENT)
def test_a_bound_or_another_number_says_no_build(kind: HintKind, text: str) -> None:
    assert llamacpp().version_in(kind, text) is None
