from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from ..support import one_sentence, run

BAD = "llama-server -m q.gguf --spec-type draft-mtp --draft-max 5\n"
GOOD = "llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max 5\n"
UNSAFE = "llama-server -m big.gguf -md small.gguf\n"
NOTE = 'exec llama-server "$@"\n'
AT = ("--target", "llama.cpp@b11434")


def put(folder: Path, text: str = BAD, name: str = "start.sh") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def report(*arguments: str, stdin: str = "", code: int | None = None) -> Any:
    result = run("lint", "--output-format", "json", *arguments, stdin=stdin)
    assert result.stderr == b"" and (code is None or result.returncode == code), result.stderr
    return json.loads(result.stdout)


# --- exit codes


@pytest.mark.parametrize(("text", "code"), [(GOOD, 0), (BAD, 1), (UNSAFE, 1), (NOTE, 0), ("", 0), ("echo hi\n", 0)])
def test_findings_decide_the_exit_code(tmp_path: Path, text: str, code: int) -> None:
    put(tmp_path, text)
    assert run("lint", str(tmp_path), *AT).returncode == code


def test_exit_zero_and_selection(tmp_path: Path) -> None:
    path = str(put(tmp_path))
    assert run("lint", path, *AT, "--exit-zero").returncode == 0
    assert run("lint", path, *AT, "--ignore", "MTP101").returncode == 0
    assert run("lint", path, *AT, "--select", "MTP2,MTP3").returncode == 0
    assert run("lint", path, *AT, "--select", "mtp101").returncode == 1
    assert run("lint", path, *AT, "--ignore", "MTP1", "--extend-select", "MTP101").returncode == 1


def test_without_a_path_the_working_folder_is_linted(tmp_path: Path) -> None:
    put(tmp_path)
    result = run("lint", *AT, cwd=tmp_path)
    assert result.returncode == 1 and b"start.sh:1:" in result.stdout


# --- the reports


def test_the_text_report_shows_the_place_and_what_to_do(tmp_path: Path) -> None:
    put(tmp_path, "# \U0001f999\n" + BAD)
    text = run("lint", "start.sh", *AT, cwd=tmp_path).stdout.decode()
    assert "start.sh:2:46: error[MTP101] renamed-option: llama.cpp b11434 does not start with `--draft-max`" in text
    assert re.search(r"^2 \| llama-server", text, re.MULTILINE)
    carets = next(line for line in text.splitlines() if "^^^" in line)
    assert carets.index("^") - carets.index("|") - 2 == BAD.index("--draft-max")
    assert carets.count("^") == len("--draft-max")
    assert "--spec-draft-n-max" in text and "the argument has been removed" in text and "--target" in text
    assert text.rstrip().endswith("Found 1 error in 1 launch (1 file). 1 fixable with --fix.")
    assert "\x1b[" not in text


def test_the_concise_report_has_a_line_for_a_finding(tmp_path: Path) -> None:
    put(tmp_path)
    lines = run("lint", "start.sh", *AT, "--output-format", "concise", cwd=tmp_path).stdout.decode().splitlines()
    assert len(lines) == 2 and lines[0].startswith("start.sh:1:46: error[MTP101] renamed-option: ")


def test_a_clean_run_says_so(tmp_path: Path) -> None:
    put(tmp_path, GOOD)
    assert b"No faults in 1 launch (1 file)." in run("lint", str(tmp_path), *AT).stdout


def keys_of(value: Any) -> set[str]:
    return set(value)


def test_the_json_report(tmp_path: Path) -> None:
    path = str(put(tmp_path, "#!/bin/sh\n" + BAD))
    document = report(path, *AT, code=1)
    assert keys_of(document) == {"schema", "files", "launches", "findings"}
    assert (document["schema"], document["files"]) == (1, 1)
    (launch,) = document["launches"]
    assert keys_of(launch) >= {"path", "line", "engine", "target", "spec"}
    assert (launch["path"], launch["line"], launch["engine"]) == (path, 2, "llama.cpp")
    assert launch["target"] == {"range": "b11434", "source": "--target", "assumed": False}
    assert keys_of(launch["spec"]) >= {"state", "methods", "gamma", "temperature"}
    assert (launch["spec"]["state"], launch["spec"]["methods"], launch["spec"]["gamma"]) == ("on", ["mtp"], 5)
    assert launch["spec"]["temperature"] is None
    (finding,) = document["findings"]
    assert keys_of(finding) >= {
        "code", "name", "severity", "certainty", "path", "engine", "target", "start", "end", "message", "help", "fix",
    }  # fmt: skip
    assert (finding["code"], finding["name"], finding["severity"], finding["certainty"]) == (
        "MTP101", "renamed-option", "error", "sure",
    )  # fmt: skip
    assert (finding["path"], finding["engine"], finding["target"]) == (path, "llama.cpp", launch["target"])
    column = BAD.index("--draft-max") + 1
    assert finding["start"] == {"line": 2, "column": column}
    assert finding["end"] == {"line": 2, "column": column + len("--draft-max")}
    assert finding["fix"]["safety"] == "safe"
    assert finding["fix"]["edits"] == [{"start": finding["start"], "end": finding["end"], "text": "--spec-draft-n-max"}]


def test_a_fix_that_is_not_there_is_null_and_columns_count_code_points() -> None:
    text = "A='\U0001f999\U0001f999' llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max three\n"
    (finding,) = report("-", *AT, "--stdin-filename", "a.sh", stdin=text)["findings"]
    assert finding["fix"] is None and finding["code"] == "MTP105"
    assert finding["start"]["column"] == text.index("three") + 1


def test_the_report_tells_how_to_say_the_version() -> None:
    text = run("lint", "-", "--stdin-filename", "a.sh", stdin=BAD).stdout.decode()
    assert "# mtpconfig: target llama.cpp@" in text and "--target" in text


def test_the_json_of_an_assumed_target_of_a_fork_and_of_an_unreadable_file(tmp_path: Path) -> None:
    put(tmp_path, BAD, "a.sh")
    put(tmp_path, "/opt/ik_llama.cpp/llama-server -m q.gguf\n", "b.sh")
    (tmp_path / "c.sh").write_bytes(b"llama-server \xff\n")
    document = report(str(tmp_path), code=1)
    assert document["files"] == 3
    ours, fork = document["launches"]
    assert ours["target"]["assumed"] is True and ours["target"]["range"] == "b6497..b11549"
    assert (fork["engine"], fork["target"], fork["spec"]["state"]) == ("ik_llama.cpp", None, "unknown")
    unreadable = next(finding for finding in document["findings"] if finding["code"] == "MTP001")
    assert (unreadable["engine"], unreadable["target"], unreadable["fix"]) == (None, None, None)
    assert unreadable["start"] == {"line": 1, "column": 1}


def test_json_is_the_only_thing_on_standard_output(tmp_path: Path) -> None:
    put(tmp_path)
    document = json.loads(run("lint", str(tmp_path), *AT, "--output-format", "json", "--fix").stdout)
    assert document["findings"] == []


def test_no_secret_is_echoed() -> None:
    text = "llama-server -m q.gguf --api-key sk-veryverysecret --spec-type draft-mtp --draft-max 5\n"
    for form in ("text", "concise", "json"):
        result = run("lint", "-", *AT, "--stdin-filename", "a.sh", "--output-format", form, stdin=text)
        assert result.returncode == 1 and b"sk-veryverysecret" not in result.stdout


# --- standard input


def test_what_is_no_secret_is_shown() -> None:
    text = """vllm serve m --speculative-config '{"method":"mtp","num_speculative_token":3}'\n"""
    at = ("--target", "vllm@0.32.0")
    for form in ("text", "concise", "json"):
        out = run("lint", "-", "--output-format", form, *at, stdin=text).stdout.decode()
        assert "vLLM 0.32.0 does not start" in out and "**" not in out
    assert "**" not in run("lint", "-", "--diff", "--unsafe-fixes", *at, stdin=text).stdout.decode()


def test_a_diff_that_hides_a_secret_is_said_to_be_no_patch(tmp_path: Path) -> None:
    path = put(tmp_path, f"export HF_TOKEN=hf_{'a1B2' * 8}\n{BAD}")
    result = run("lint", str(path), "--diff", *AT)
    assert b"a1B2" not in result.stdout and b"HF_TOKEN=***" in result.stdout
    assert b"no patch" in result.stderr and result.stderr.count(b"\n") == 1
    assert run("lint", str(put(tmp_path)), "--diff", *AT).stderr == b""


def test_standard_input() -> None:
    result = run("lint", "-", *AT, "--output-format", "concise", stdin="#!/bin/sh\n" + BAD)
    assert result.returncode == 1 and re.match(rb"(-|<?stdin>?):2:46: ", result.stdout)
    named = run("lint", "-", *AT, "--stdin-filename", "x/y.sh", "--output-format", "concise", stdin=BAD)
    assert named.stdout.startswith(b"x/y.sh:1:")
    assert run("lint", "-", *AT, "--stdin-filename", "notes.txt", stdin=BAD).returncode == 0


def test_fixing_standard_input_writes_no_file_and_prints_the_text(tmp_path: Path) -> None:
    """As other linters do: the fixed text is the output."""
    path = put(tmp_path, "untouched\n")
    result = run("lint", "-", "--fix", *AT, "--stdin-filename", "start.sh", stdin=BAD, cwd=tmp_path)
    assert path.read_bytes() == b"untouched\n"
    assert result.returncode in (0, 1) and GOOD.encode() in result.stdout


def test_fixing_unnamed_standard_input_is_no_internal_error(tmp_path: Path) -> None:
    result = run("lint", "-", "--fix", *AT, stdin="#!/bin/sh\n" + BAD, cwd=tmp_path)
    assert result.returncode in (0, 1, 2), result.stderr
    assert list(tmp_path.iterdir()) == []


# --- fixes


def test_fix_rewrites_the_file_and_keeps_its_mode(tmp_path: Path) -> None:
    path = put(tmp_path, "\ufeff# caf\u00e9\r\n" + BAD.replace("\n", "\r\n"))
    path.chmod(0o750)
    result = run("lint", str(path), *AT, "--fix")
    assert result.returncode == 0 and b"Fixed 1." in result.stdout
    assert path.read_bytes().decode() == "\ufeff# caf\u00e9\r\n" + GOOD.replace("\n", "\r\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert os.listdir(tmp_path) == ["start.sh"]


def test_fix_leaves_unsafe_ones_and_says_how_to_get_them(tmp_path: Path) -> None:
    path = put(tmp_path, UNSAFE)
    result = run("lint", str(path), *AT, "--fix")
    assert result.returncode == 1 and path.read_text() == UNSAFE
    assert b"--unsafe-fixes" in result.stdout
    assert run("lint", str(path), *AT, "--fix", "--unsafe-fixes").returncode == 0
    assert "--spec-type draft-simple" in path.read_text()


def test_with_an_assumed_target_a_rename_is_unsafe(tmp_path: Path) -> None:
    path = put(tmp_path)
    run("lint", str(path), "--fix")
    assert path.read_text() == BAD


def test_diff_changes_nothing_and_shows_the_change(tmp_path: Path) -> None:
    path = put(tmp_path)
    result = run("lint", str(path), *AT, "--diff")
    assert result.returncode == 1 and path.read_text() == BAD
    lines = result.stdout.decode().splitlines()
    assert lines[0] == f"--- {path}" and lines[1] == f"+++ {path}"
    assert f"-{BAD.rstrip()}" in lines and f"+{GOOD.rstrip()}" in lines


def test_a_diff_can_be_applied(tmp_path: Path) -> None:
    """Line ends and a missing one at the end are told as diff tells them."""
    path = put(tmp_path, BAD.rstrip())
    assert b"\\ No newline at end of file" in run("lint", str(path), *AT, "--diff").stdout


def test_nothing_to_fix_is_an_empty_diff(tmp_path: Path) -> None:
    result = run("lint", str(put(tmp_path, GOOD)), *AT, "--diff")
    assert (result.returncode, result.stdout) == (0, b"")


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the super-user can write everywhere")
    path = put(tmp_path)
    tmp_path.chmod(0o555)
    try:
        assert "start.sh" in one_sentence(run("lint", str(path), *AT, "--fix"))
    finally:
        tmp_path.chmod(0o755)


def test_a_failing_write_is_one_sentence(tmp_path: Path) -> None:
    """The same without leaning on permissions: the system refuses to replace the file."""
    path = put(tmp_path)
    refusal = "def refuse(*_):\n    raise OSError(30, 'Read-only file system')\n"
    (tmp_path / "sitecustomize.py").write_text(f"import os\n{refusal}os.replace = refuse\n")
    text = one_sentence(run("lint", str(path), *AT, "--fix", env={"PYTHONPATH": str(tmp_path)}))
    assert "start.sh" in text and "Read-only file system" in text
    assert path.read_text() == BAD


# --- refusals


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.sh"], "nothing.sh does not exist"),
        (["strt.sh"], "did you mean start.sh?"),
        ([".", "strt.sh"], "did you mean start.sh?"),
        ([".", "--target", "lama.cpp@b1"], "did you mean llama.cpp?"),
        ([".", "--target", "llama.cpp@newest"], "'newest' is not a version"),
        ([".", "--target", "llama.cpp"], "has no version"),
        ([".", "--select", "MTP999"], "unknown code 'MTP999'"),
        ([".", "--ignore", "E501"], "unknown code 'E501'"),
        ([".", "--extend-select", "X"], "unknown code 'X'"),
        ([".", "--output-format", "xml"], "'xml'"),
        ([".", "--unsafe-fixes"], "--unsafe-fixes"),
        ([".", "--fixx"], "--fixx"),
        ([".", "--target"], "--target"),
        (["/dev/null"], "neither a file nor a folder"),
        ([""], "a path is empty"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(tmp_path: Path, arguments: list[str], said: str) -> None:
    put(tmp_path)
    assert said in one_sentence(run("lint", *arguments, cwd=tmp_path))


def test_nothing_is_fixed_when_one_path_is_wrong(tmp_path: Path) -> None:
    path = put(tmp_path)
    one_sentence(run("lint", str(path), str(tmp_path / "gone.sh"), *AT, "--fix"))
    assert path.read_text() == BAD


def test_nothing_of_the_tree_is_run(tmp_path: Path) -> None:
    put(tmp_path, f"touch {tmp_path}/ran\n$(touch {tmp_path}/ran)\n`touch {tmp_path}/ran`\n" + BAD)
    (tmp_path / "sitecustomize.txt").write_text("llama")
    run("lint", str(tmp_path), *AT)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("vllm serve m --num-speculative-tokens 3\n", "vllm@0.32.0"),
        ("LLAMA_ARG_MODEL_DRAFT=d.gguf llama-server -m m.gguf\n", "llama.cpp@b11549"),
        (BAD, "llama.cpp@b11434"),
        (UNSAFE, "llama.cpp@b11434"),
    ],
)
@pytest.mark.parametrize("unsafe", [False, True])
def test_as_many_fixes_are_announced_as_are_applied(tmp_path: Path, text: str, target: str, unsafe: bool) -> None:
    path = put(tmp_path, text)
    wanted = {"safe", "unsafe"} if unsafe else {"safe"}
    found = report(str(path), "--target", target)["findings"]
    announced = sum(finding["fix"] is not None and finding["fix"]["safety"] in wanted for finding in found)
    flags = ["--unsafe-fixes"] if unsafe else []
    out = run("lint", str(path), "--fix", *flags, "--target", target).stdout.decode()
    assert (f"Fixed {announced}." in out) == bool(announced) and ("Fixed" in out) == bool(announced)
    assert (path.read_text() != text) == bool(announced)


def test_a_misspelt_key_is_renamed_and_keeps_its_value(tmp_path: Path) -> None:
    path = put(tmp_path, """vllm serve m --speculative-config '{"method":"mtp","num_speculative_token":3}'\n""")
    at = ("--target", "vllm@0.32.0")
    assert [f["code"] for f in report(str(path), *at)["findings"]] == ["MTP202"]
    run("lint", str(path), "--fix", "--unsafe-fixes", *at)
    assert path.read_text() == """vllm serve m --speculative-config '{"method":"mtp","num_speculative_tokens":3}'\n"""
