"""`mtpconfig translate`: launches on standard output alone, all else on standard error, exit codes as `render` has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..support import one_sentence, run

ONE = (
    "#!/bin/sh\n# mtpconfig: target sglang@0.5.23\n"
    "sglang serve --model-path org/m --speculative-algorithm NEXTN --speculative-num-steps 2 "
    "--speculative-eagle-topk 1 --speculative-num-draft-tokens 3 --port 8000 --host 0.0.0.0\n"
)
SAID = (
    "vllm serve org/m \\\n"
    '  --speculative-config \'{"method": "mtp", "num_speculative_tokens": 2}\' --port 8000 --host 0.0.0.0\n'
)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "start.sh"
    path.write_text(ONE)
    return path


def test_the_launch_alone_stands_on_standard_output(script: Path) -> None:
    result = run("translate", str(script), "--to", "vllm@0.33.0")
    assert (result.returncode, result.stdout.decode(), result.stderr) == (0, SAID, b"")


def test_what_is_not_translated_is_told_and_counts(script: Path) -> None:
    script.write_text(ONE.replace("--port", "--mem-fraction-static 0.8 --port"))
    result = run("translate", str(script), "--to", "vllm@0.33.0")
    assert (result.returncode, result.stdout.decode()) == (1, SAID)
    assert result.stderr.decode() == (
        f"mtpconfig: {script}:3: not translated: --mem-fraction-static 0.8 (nothing of vLLM surely means the same)\n"
    )


def test_what_a_version_cannot_do_is_dropped(script: Path) -> None:
    result = run("translate", str(script), "--to", "vllm@0.6.0")
    assert result.returncode == 1 and b"speculative" not in result.stdout
    assert b"dropped: state, methods, gamma (vLLM 0.6.0 cannot do mtp (first in 0.7.3))" in result.stderr


def test_what_is_written_is_linted(script: Path) -> None:
    script.write_text(ONE.replace("num-steps 2", "num-steps 200").replace("draft-tokens 3", "draft-tokens 201"))
    result = run("translate", str(script), "--to", "vllm@0.33.0")
    assert b"in what is written: " in result.stderr and b"[MTP203]" in result.stderr


def test_a_head_that_comes_later_is_dropped(script: Path) -> None:
    script.write_text(ONE.replace("org/m", "Qwen/Qwen3.6-27B"))
    result = run("translate", str(script), "--to", "vllm@0.8.0")
    assert result.returncode == 1 and b"(first in 0.17.0)" in result.stderr and b"speculative" not in result.stdout


def test_several_launches_each_below_a_comment(script: Path) -> None:
    script.write_text(
        ONE
        + '/opt/ik_llama.cpp/bin/llama-server -m q\nllama-server -m q.gguf --spec-type draft-mtp \nllama-server "$@"\n'
    )
    result = run("translate", str(script), "--to", "vllm@0.33.0", "--target", "llama.cpp@b11549")
    text = result.stdout.decode()
    assert result.returncode == 1
    assert text.startswith(f"# {script}:3  SGLang 0.5.23\n{SAID}\n# {script}:5  llama.cpp b11549\nvllm serve '<MODEL>'")
    errors = result.stderr.decode()
    assert f"{script}:4 is not translated: ik_llama.cpp is seen, not read" in errors
    assert f'{script}:6 is not translated: it is not known whether this launch speculates: `"$@"` may add' in errors


def test_json_is_a_list_and_argv_a_line_each(script: Path) -> None:
    script.write_text(ONE + "llama-server -m q.gguf -ngl 9 --spec-type draft-mtp\n")
    words = ("translate", str(script), "--to", "vllm@0.33.0", "--target", "llama.cpp@b11549", "--format")
    first, second = json.loads(run(*words, "json").stdout)
    assert first["argv"][:3] == ["vllm", "serve", "org/m"] and first["left"] == [] and first["version"] == "0.33.0"
    assert first["from"] == {"path": str(script), "line": 3, "label": "", "engine": "sglang", "version": "0.5.23"}
    assert first["spec"] | {"adaptive": False} == {
        "state": "on", "methods": ["mtp"], "gamma": 2, "model": "org/m", "adaptive": False,
    }  # fmt: skip
    assert [one["text"] for one in second["left"]] == ["model q.gguf", "-ngl 9"]
    lines = run(*words, "argv").stdout.decode().splitlines()
    assert [json.loads(line)[:2] for line in lines] == [["vllm", "serve"]] * 2


def test_the_version_of_the_file_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "start.sh"
    path.write_text("llama-server -m q.gguf -md d.gguf --draft-max 4\n")
    words = ("translate", str(path), "--to", "llama.cpp@b11549")
    result = run(*words, "--target", "llama.cpp@b8900", "--format", "argv")
    assert result.returncode == 0
    assert " ".join(json.loads(result.stdout)) == (
        "llama-server -m q.gguf --spec-type draft-simple --spec-draft-model d.gguf --spec-draft-n-max 4"
    )


def test_secrets_are_hidden(script: Path) -> None:
    script.write_text(ONE.replace("--port", "--api-key sk-verysecret1 --port"))
    result = run("translate", str(script), "--to", "vllm")
    assert b"verysecret" not in result.stdout + result.stderr and b"a secret is not repeated" in result.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("missing.sh", "--to", "vllm"), "missing.sh does not exist"),
        ((".", "--to", "vllm"), "is a folder: translate takes one file"),
        (("start.sh", "--to", "vlm"), "did you mean vllm?"),
        (("start.sh", "--to", "vllm@9.0.0"), "lies outside the known versions"),
        (("start.sh", "--to", "vllm@x"), "is not a version here"),
        (("start.sh", "--to", "vllm", "--format", "yaml"), "unknown format 'yaml'"),
        (("start.sh", "--to", "vllm", "--target", "sglang"), "has no version"),
        (("empty.sh", "--to", "vllm"), "holds no launch of a known engine"),
        (("open.sh", "--to", "vllm"), "open.sh:1 is not translated: it is not known whether"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(words: tuple[str, ...], why: str, script: Path) -> None:
    (script.parent / "empty.sh").write_text("echo vllm\n")
    (script.parent / "open.sh").write_text('llama-server -m q "$@"\n')
    assert why in one_sentence(run("translate", *words, cwd=script.parent))
