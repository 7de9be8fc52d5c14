"""Which commands start llama.cpp, which start a fork, and which start something else."""

from __future__ import annotations

import pytest

from mtpconfig.launch import Launch
from mtpconfig.text import Source

from ...support import linter


def launches(text: str) -> list[Launch]:
    found = linter().launches(Source("start.sh", text + "\n"))
    return [launch for launch in found if launch.engine not in ("vllm", "sglang", "ollama")]


IMAGE = "docker run --rm -p 80:80 ghcr.io/ggml-org/llama.cpp:{}"


@pytest.mark.parametrize(
    ("text", "program", "first"),
    [
        ("llama-server -m q.gguf", "llama-server", "-m"),
        ("./llama-server -m q.gguf", "llama-server", "-m"),
        ("/opt/llama.cpp/build/bin/llama-server -m q.gguf", "llama-server", "-m"),
        ("~/llama-b9180/llama-server -m q.gguf", "llama-server", "-m"),
        ('"$LLAMA/llama-server" -m q.gguf', "llama-server", "-m"),
        ("'C:\\llama\\llama-server.exe' -m q.gguf", "llama-server", "-m"),
        ("llama-server.exe -m q.gguf", "llama-server", "-m"),
        ("llama-server-b9180 -m q.gguf", "llama-server", "-m"),
        ("llama-cli -m q.gguf", "llama-cli", "-m"),
        ("llama-speculative -m q.gguf", "llama-speculative", "-m"),
        ("llama-speculative-simple -m q.gguf", "llama-speculative-simple", "-m"),
        ("llama-lookup -m q.gguf", "llama-lookup", "-m"),
        ("llama-bench -m q.gguf", "llama-bench", "-m"),
        ("llama serve -m q.gguf", "llama-server", "-m"),
        ("llama server -m q.gguf", "llama-server", "-m"),
        ("llama cli -m q.gguf", "llama-cli", "-m"),
        ("./server -m q.gguf -c 4096", "llama-server", "-m"),
        ("./main -m q.gguf -p hi", "llama-cli", "-m"),
        ('"$BIN" -m q.gguf --spec-type draft-mtp', "llama-server", "-m"),
        ("sudo -u llm nohup nice -n 5 llama-server -m q.gguf", "llama-server", "-m"),
        ("CUDA_VISIBLE_DEVICES=0 exec llama-server -m q.gguf &", "llama-server", "-m"),
        ("docker exec box llama-server -m q.gguf", "llama-server", "-m"),
        (IMAGE.format("server -m /m.gguf"), "llama-server", "-m"),
        (IMAGE.format("server-b9180 -m /m.gguf"), "llama-server", "-m"),
        (IMAGE.format("server-cuda-b11434 -m /m.gguf"), "llama-server", "-m"),
        (IMAGE.format("server-vulkan@sha256:abcd -m /m.gguf"), "llama-server", "-m"),
        (IMAGE.format("light-b9180 -m /m.gguf"), "llama-cli", "-m"),
        (IMAGE.format("full -s -m /m.gguf").replace("full -s", "full --server"), "llama-server", "-m"),
        (IMAGE.format("full-cuda --run -m /m.gguf"), "llama-cli", "-m"),
        (IMAGE.format("full-b9180 -s -m /m.gguf"), "llama-server", "-m"),
        (IMAGE.format("full --bench -m /m.gguf"), "llama-bench", "-m"),
        ("docker run --entrypoint /app/llama-server ghcr.io/ggml-org/llama.cpp:full -m /m.gguf", "llama-server", "-m"),
        ("docker run --entrypoint llama-server my/own:1 -m /m.gguf", "llama-server", "-m"),
        ("docker run my/own:1 llama-server -m /m.gguf", "llama-server", "-m"),
        ("podman run ghcr.io/ggml-org/llama.cpp:server -m /m.gguf", "llama-server", "-m"),
    ],
)
def test_programs(text: str, program: str, first: str) -> None:
    (found,) = launches(text)
    assert (found.engine, found.program, found.ours) == ("llama.cpp", program, True)
    assert found.args[0].text == first


@pytest.mark.parametrize(
    ("text", "fork"),
    [
        ("/opt/ik_llama.cpp/build/bin/llama-server -m q.gguf", "ik_llama.cpp"),
        ("llama-server -m q.gguf -mtp", "ik_llama.cpp"),
        ("llama-server -m q.gguf -fmoe -rtr", "ik_llama.cpp"),
        ("llama-server -m q.gguf --spec-type mtp:2", "ik_llama.cpp"),
        ("llama-server -m q.gguf -sm graph", "ik_llama.cpp"),
        ("docker run ghcr.io/ikawrakow/ik-llama-cpp:server llama-server -m /m.gguf", "ik_llama.cpp"),
        ("llama-server -m q.gguf --mtp-head h.gguf", "atomic-llama-cpp-turboquant"),
        ("llama-server -m q.gguf -ctk turbo3", "atomic-llama-cpp-turboquant"),
        ("/opt/beellama/llama-server -m q.gguf", "BeeLlama"),
    ],
)
def test_forks_carry_their_own_name(text: str, fork: str) -> None:
    (found,) = launches(text)
    assert (found.engine, found.ours) == (fork, False)


@pytest.mark.parametrize(
    "text",
    [
        "llama-server --help",
        "llama-server -h",
        "llama-server --version",
        "llama-server --list-devices",
        "llama-server -m q.gguf --help",
        "llama-server --completion-bash > c.bash",
        "llama-quantize q.gguf q4.gguf",
        "llama-gguf-split --merge a b",
        "llama --version",
        "llama",
        "llama pull q",
        "my-llama-server -m q.gguf",
        "llama-server-wrapper -m q.gguf",
        "llama-serverx -m q.gguf",
        "./server --port 80",
        "server -m model.bin",
        "ollama serve",
        "echo llama-server -m q.gguf",
        "systemctl restart llama-server",
        "docker run --rm alpine ls llama-server",
        "docker run ghcr.io/ggml-org/llama.cpp:full --quantize a b",
        "docker pull ghcr.io/ggml-org/llama.cpp:server",
        "docker run my/llama.cpp-ui:1 --draft-max 3",
        "docker build -t llama-server .",
    ],
)
def test_what_starts_nothing_of_llama_cpp(text: str) -> None:
    assert launches(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("from llama_cpp import Llama\nLlama(model_path='x.gguf', n_ctx=1)\n", "start.py"),
        ("import llama_cpp as lc\nlc.Llama('x.gguf')\n", "start.py"),
        ("from llama_cpp import Llama\nLlama.from_pretrained(repo_id='a/b', filename='*q8*')\n", "start.py"),
        (
            "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'llama_cpp.server', '--model', 'x'])\n",
            "start.py",
        ),
        ("python3 -m llama_cpp.server --model x.gguf --draft_model prompt-lookup-decoding\n", "start.sh"),
    ],
)
def test_llama_cpp_python_is_named_and_left_alone(text: str, name: str) -> None:
    (launch,) = linter().launches(Source(name, text))
    assert (launch.engine, launch.ours) == ("llama-cpp-python", False)
    assert linter().lint_source(Source(name, text)).findings == []


@pytest.mark.parametrize(
    "text", ["from other import Llama\nLlama(n=1)\n", "import llama_cpp\nllama_cpp.LlamaGrammar(a=1)\n"]
)
def test_other_classes_are_not_its_own(text: str) -> None:
    assert list(linter().launches(Source("start.py", text))) == []
