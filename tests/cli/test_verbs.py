"""render, show, explain, engines, rules, and what holds for all verbs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mtpconfig
from mtpconfig.cli.guard import run as guarded
from mtpconfig.lint.rule import code_names

from ..support import LLAMACPP, one_sentence, run

# --- the start


def test_version() -> None:
    for flag in ("--version", "-V"):
        result = run(flag)
        assert (result.returncode, result.stdout.decode(), result.stderr) == (
            0,
            f"mtpconfig {mtpconfig.__version__}\n",
            b"",
        )


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--version"], {"click", "tree_sitter", "tomli", "pluggy", "packaging", "mtpconfig.lint", "mtpconfig.text"}),
        (["--help"], {"tree_sitter", "tomli", "mtpconfig.lint.linter"}),
        (["rules"], {"tree_sitter", "mtpconfig_llamacpp"}),
    ],
)
def test_a_verb_imports_only_what_it_uses(arguments: list[str], heavy: set[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "mtpconfig", *arguments], capture_output=True, text=True, check=False
    )
    imported = {
        line.rsplit("|", 1)[1].strip() for line in result.stderr.splitlines() if line.startswith("import time:")
    }
    assert result.returncode == 0 and "mtpconfig.cli" in imported
    assert imported & heavy == set()


def test_linting_a_tree_without_launches_parses_no_shell(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("echo hello\n")
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "mtpconfig", "lint", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0 and "tree_sitter" not in result.stderr


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_lists_the_verbs(flag: str) -> None:
    text = run(flag).stdout.decode()
    assert all(verb in text for verb in ("render", "lint", "show", "explain", "engines", "rules"))


@pytest.mark.parametrize("verb", ["render", "lint", "show", "explain", "engines", "rules"])
def test_every_verb_has_help(verb: str) -> None:
    result = run(verb, "--help")
    assert result.returncode == 0 and result.stdout.startswith(b"Usage: mtpconfig " + verb.encode())


def test_no_verb_shows_the_help() -> None:
    result = run()
    assert result.returncode in (0, 2) and b"lint" in result.stdout + result.stderr
    assert b"Traceback" not in result.stderr and not result.stderr.startswith(b"mtpconfig: Usage")


@pytest.mark.parametrize(
    ("arguments", "said"), [(["lnt"], "did you mean lint?"), (["frobnicate"], "unknown verb"), (["--nope"], "--nope")]
)
def test_an_unknown_verb_is_one_sentence(arguments: list[str], said: str) -> None:
    assert said in one_sentence(run(*arguments))


@pytest.mark.parametrize("arguments", [["rules"], ["explain", "MTP101"], ["engines"], ["--help"], ["--version"]])
def test_a_closed_pipe_ends_quietly(arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        result = subprocess.run(
            [sys.executable, "-m", "mtpconfig", *arguments],
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert result.stderr == b"" and result.returncode == 0


def test_an_internal_error_is_one_sentence_and_a_report(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import mtpconfig.hooks as h\ndef boom():\n    raise RuntimeError('kaboom')\nh.engines = boom\n"
    )
    result = run("engines", env={"PYTHONPATH": str(tmp_path), "TMPDIR": str(tmp_path)})
    text = one_sentence(result, code=4)
    (path,) = re.findall(r"\S+mtpconfig-error-\S+\.md", text)
    written = Path(path).read_text()
    assert "kaboom" in written and "Traceback" in written and "kaboom" not in text


# --- render

RENDER = ("render", "--engine", f"{LLAMACPP}@b11434", "--model", "q.gguf")


def test_render_prints_the_launch_alone() -> None:
    result = run(*RENDER, "--gamma", "3", "--temperature", "0.6")
    assert (result.returncode, result.stderr) == (0, b"")
    flat = " ".join(result.stdout.decode().replace("\\\n", " ").split())
    assert flat.startswith("llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max 3 --temp")
    assert flat.endswith(" 0.6")


def test_render_off() -> None:
    assert run(*RENDER, "--off").stdout == b"llama-server -m q.gguf\n"


@pytest.mark.parametrize(
    ("engine", "arguments", "said"),
    [
        (
            "vllm@0.33.0",
            ["--gamma", "500", "--model", "m"],
            "MTP203 vLLM 0.33.0 starts with 500 draft tokens",
        ),
        ("vllm@0.33.0", ["--gamma", "128", "--model", "m"], ""),
        ("sglang@0.5.10", ["--gamma", "3", "--model", "Qwen/Qwen3.6-27B"], ""),
        ("sglang@0.5.11", ["--gamma", "3", "--model", "Qwen/Qwen3-Next-80B-A3B-Instruct"], ""),
        ("sglang@0.5.13.post1", ["--gamma", "3", "--model", "Qwen/Qwen3.6-27B"], ""),
    ],
)
def test_render_and_lint_say_the_same(tmp_path: Path, engine: str, arguments: list[str], said: str) -> None:
    result = run("render", "--engine", engine, *arguments)
    assert result.returncode == bool(said) and (said in result.stderr.decode() if said else not result.stderr)
    (tmp_path / "start.sh").write_bytes(result.stdout)
    linted = run("lint", "--isolated", "--target", engine, "start.sh", cwd=tmp_path)
    assert linted.returncode == bool(said) and said[:6].encode() in linted.stdout


@pytest.mark.parametrize("engine", ["llama.cpp@b11434", "vllm@0.33.0", "vllm@0.8.0", "sglang@0.5.23"])
def test_explain_tells_how_each_setting_came_to_be(tmp_path: Path, engine: str) -> None:
    (tmp_path / "mtp.toml").write_text('methods = ["ngram"]\ngamma = 3\ntemperature = 0.6\nmodel = "a/b"\n')
    result = run("render", "--engine", engine, "--spec", "mtp.toml", "--format", "json", "--explain", cwd=tmp_path)
    told = result.stderr.decode()
    kept = set(json.loads(result.stdout)["kept"]) - {"state"}
    assert kept >= {"model", "gamma", "methods"}
    assert all(f"{name} = " in told for name in kept)


def test_a_method_that_an_engine_lacks_is_dropped_not_a_drafter_wanted(tmp_path: Path) -> None:
    (tmp_path / "mtp.toml").write_text('methods = ["suffix"]\ngamma = 3\n')
    result = run("render", "--engine", LLAMACPP, "--spec", "mtp.toml", cwd=tmp_path)
    assert result.returncode == 1 and b"cannot do suffix" in result.stderr


def test_render_formats() -> None:
    argv = json.loads(run(*RENDER, "--gamma", "3", "--format", "argv").stdout)
    assert argv[:3] == ["llama-server", "-m", "q.gguf"]
    document = json.loads(run(*RENDER, "--gamma", "3", "--format", "json").stdout)
    assert set(document) == {"schema", "engine", "version", "argv", "env", "files", "kept", "dropped"}
    assert (document["schema"], document["engine"], document["version"], document["argv"]) == (
        1,
        LLAMACPP,
        "b11434",
        argv,
    )


def test_without_a_version_the_newest_known_is_meant() -> None:
    assert json.loads(run("render", "--engine", LLAMACPP, "--format", "json").stdout)["version"] == "b11549"


def test_render_explains_on_standard_error() -> None:
    result = run(*RENDER, "--gamma", "3", "--explain")
    assert b"b11434" in result.stderr and b"--spec-draft-n-max" in result.stderr
    assert b"for llama.cpp" not in result.stdout


def test_what_is_dropped_is_told_and_fails() -> None:
    result = run("render", "--engine", f"{LLAMACPP}@b8946", "--gamma", "3", "--model", "q.gguf")
    assert result.returncode == 1 and result.stdout == b"llama-server -m q.gguf\n"
    assert b"gamma is dropped" in result.stderr and b"b9180" in result.stderr


def test_a_spec_file_and_options_over_it(tmp_path: Path) -> None:
    (tmp_path / "mtp.toml").write_text('methods = ["mtp"]\ngamma = 3\ntemperature = 0.6\nmodel = "a.gguf"\n')
    command = ("render", "--engine", f"{LLAMACPP}@b11434", "--spec", "mtp.toml", "--format", "argv")
    argv = json.loads(run(*command, cwd=tmp_path).stdout)
    assert argv[argv.index("--spec-draft-n-max") + 1] == "3" and "a.gguf" in argv
    argv = json.loads(run(*command, "--gamma", "5", "--model", "b.gguf", cwd=tmp_path).stdout)
    assert argv[argv.index("--spec-draft-n-max") + 1] == "5" and "b.gguf" in argv and "a.gguf" not in argv
    off = json.loads(run(*command, "--off", cwd=tmp_path).stdout)
    assert "--spec-type" not in off and "0.6" in off


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--engine", "vlm"], "unknown engine 'vlm'"),
        (["--engine", "llama-cpp"], "did you mean llama.cpp?"),
        (["--engine", "llama.cpp@soon"], "'soon' is not a version"),
        (["--engine", "llama.cpp@"], "is not a version"),
        (["--engine", "llama.cpp@b99999"], "outside the known versions (b6497 to b11549)"),
        (["--engine", "llama.cpp@b1"], "outside the known versions"),
        (["--engine", "llama.cpp", "--gamma", "0"], "gamma must be at least 1"),
        (["--engine", "llama.cpp", "--gamma", "x"], "--gamma"),
        (["--engine", "llama.cpp", "--model", ""], "model is empty"),
        (["--engine", "vllm", "--model", " ", "--gamma", "2"], "model is empty"),
        (["--engine", "llama.cpp", "--temperature", "-1"], "temperature"),
        (["--engine", "llama.cpp", "--temperature", "nan"], "temperature"),
        (["--engine", "llama.cpp", "--format", "yaml"], "unknown format 'yaml'"),
        (["--engine", "llama.cpp", "--format", "jsn"], "did you mean json?"),
        (["--engine", "llama.cpp", "--spec", "gone.toml"], "gone.toml cannot be read: No such file"),
        (["--engine", "llama.cpp", "--spec", "."], "cannot be read"),
        (["--engine", "llama.cpp", "--spec", "bad.toml"], "bad.toml: unknown key 'gama'"),
        (["--engine", "llama.cpp", "--spec", "latin.toml"], "not valid UTF-8"),
        (["--engine", "llama.cpp", "--spec", "auto.toml"], "state"),
        ([], "--engine"),
        (["--engine", "llama.cpp", "stray"], "stray"),
    ],
)
def test_what_cannot_be_rendered_is_one_sentence(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "bad.toml").write_text("gama = 3\n")
    (tmp_path / "latin.toml").write_bytes(b"model = 'caf\xe9'\n")
    (tmp_path / "auto.toml").write_text('state = "auto"\n')
    assert said in one_sentence(run("render", *arguments, cwd=tmp_path))


def test_a_render_that_is_off_and_deep_is_told(tmp_path: Path) -> None:
    (tmp_path / "mtp.toml").write_text('state = "off"\ngamma = 3\n')
    result = run("render", "--engine", LLAMACPP, "--spec", "mtp.toml", cwd=tmp_path)
    assert b"gamma" in result.stderr


# --- show


def test_show_tells_what_the_engine_receives(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(
        "#!/bin/sh\nexport LLAMA_ARG_SPEC_TYPE=draft-mtp\nN=4\n"
        '/opt/llama-b11434/llama-server -m "my model.gguf" --spec-draft-n-max $N --temp 0.6\n'
    )
    result = run("show", "a.sh", cwd=tmp_path)
    text = result.stdout.decode()
    assert result.returncode == 0 and result.stderr == b""
    assert text.startswith("a.sh:4  llama.cpp b11434, from the path")
    for part in (
        "my model.gguf",
        "--spec-draft-n-max  4",
        "LLAMA_ARG_SPEC_TYPE=draft-mtp",
        "MTP on, \u03b3 = 4, temperature 0.6",
    ):
        assert part in text


def test_show_leaves_forks_alone_and_says_when_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "fork.sh").write_text("/opt/ik_llama.cpp/llama-server -m q.gguf\n")
    (tmp_path / "none.sh").write_text("echo hi\n")
    assert b"ik_llama.cpp: seen, not read" in run("show", "fork.sh", cwd=tmp_path).stdout
    assert run("show", "none.sh", cwd=tmp_path).stdout == b"no launch of a known engine found\n"


def test_show_hides_secrets(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text(
        "HF_TOKEN=hf_secret1 llama-server -m q.gguf --api-key sk-secret2 --spec-type draft-mtp\n"
    )
    text = run("show", "a.sh", cwd=tmp_path).stdout
    assert b"secret" not in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "FILES"),
        (["gone.sh"], "does not exist"),
        (["bad.sh"], "bad.sh: "),
        (["ok.sh", "--target", "x@1"], "unknown engine"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "bad.sh").write_bytes(b"llama-server \xff\n")
    (tmp_path / "ok.sh").write_text("llama-server\n")
    assert said in one_sentence(run("show", *arguments, cwd=tmp_path))


# --- explain, engines, rules


@pytest.mark.parametrize("name", ["MTP101", "mtp101", "renamed-option"])
def test_explain_a_code(name: str) -> None:
    text = run("explain", name).stdout.decode()
    assert text.startswith("# MTP101 renamed-option\n")
    for part in ("Why it matters", "What to do", "Reported on llama.cpp@b11434", "Fixed:", "Right on", "Evidence:"):
        assert part in text


@pytest.mark.parametrize("code", sorted(code_names()))
def test_every_code_can_be_explained(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(["explain", code]) == 0
    assert capsys.readouterr().out.startswith(f"# {code} {code_names()[code]['name']}\n")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        (
            "--draft-max",
            ["`--draft-max` (flag)", "fatal", "the argument has been removed", "`--spec-draft-n-max`", "16", "3"],
        ),
        ("--spec_type", ["--spec-type", "draft-mtp", "b9180", "append"]),
        ("LLAMA_ARG_MODEL_DRAFT", ["unread", "LLAMA_ARG_SPEC_DRAFT_MODEL"]),
        ("speculative.n_max", ["(request)", "b9113"]),
        ("-md", ["`-md` (flag)"]),
    ],
)
def test_explain_an_option(name: str, parts: list[str]) -> None:
    result = run("explain", f"--option={name}", "--engine", LLAMACPP)
    assert result.returncode == 0, result.stderr
    for part in parts:
        assert part in result.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["MTP100"], "unknown code 'MTP100'"),
        (["renamed-optio"], "did you mean renamed-option?"),
        ([], "either a CODE or --option"),
        (["MTP101", "--option", "-md"], "either a CODE or --option"),
        (["--option=--draft-maxx"], "did you mean --draft-max?"),
        (["--option=--nothing-like-it-at-all-zzz"], "unknown option"),
        (["--option=--nope", "--engine", LLAMACPP], "no version has ever known it"),
        (["--option=-md", "--engine", "lama.cpp"], "did you mean llama.cpp?"),
    ],
)
def test_what_cannot_be_explained_is_one_sentence(arguments: list[str], said: str) -> None:
    assert said in one_sentence(run("explain", *arguments))


def test_engines_and_rules_are_listed() -> None:
    assert re.search(rb"^llama\.cpp\s+b6497 to b11549", run("engines").stdout, re.MULTILINE)
    lines = run("rules").stdout.decode().splitlines()
    assert lines == sorted(lines) and all(re.match(r"MTP\d{3}  (error|warning|info) ", line) for line in lines)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("num_speculative_tokens", ["`num_speculative_tokens` (json)", "`--num-speculative-tokens` (flag)"]),
        ("speculative_config", ["(kwarg)", "read as literal", "read as json"]),
    ],
)
def test_a_name_is_explained_as_it_is_written(name: str, parts: list[str]) -> None:
    out = run("explain", f"--option={name}", "--engine", "vllm").stdout.decode()
    assert all(part in out for part in parts), out


def test_show_names_the_methods_of_branches(tmp_path: Path) -> None:
    path = tmp_path / "start.sh"
    path.write_text(
        'if [ "$X" ]; then M=ngram; else M=suffix; fi\n'
        'vllm serve m --speculative-config "{\\"method\\":\\"$M\\",\\"num_speculative_tokens\\":3}"\n'
    )
    assert "spec  one of ngram, suffix on" in run("show", str(path)).stdout.decode()


def test_a_target_without_a_version_is_told_the_newest_of_its_engine() -> None:
    said = one_sentence(run("lint", "-", "--target", "sglang", stdin=""))
    assert "sglang@0.5." in said
    assert "names no check" in one_sentence(run("lint", "-", "--select", "", stdin=""))
