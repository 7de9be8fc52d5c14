"""What llama.cpp's parser says about many command lines: one interpreter, one forked child per case.

    python -m tests.live.verdicts < cases.json > verdicts.json

``cases.json`` is a list of ``{"id", "program", "args", "env"}``; the answer maps each id to
``{"accepted", "message"}``. A child that crashes, hangs or calls ``exit`` spoils only its own verdict. Needs only
``xllamacpp``.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, TypedDict

from .native import Parser

SECONDS_PER_CASE: Final = 10.0
_IRRELEVANT: Final = re.compile(r"^(usage:.*|to show complete usage.*|\s*)$")
_LOG_PREFIX: Final = re.compile(r"^\d+\.\d+(\.\d+)*\s+|\x1b\[[0-9;]*m")
_PROBLEM: Final = re.compile(r"^(error|terminate|what\(\)|.*(GGML_ASSERT|GGML_ABORT))")


class Case(TypedDict):
    """One command line. ``args`` come after the program's name; ``env`` is all of llama.cpp's environment."""

    id: str
    program: str
    args: list[str]
    env: dict[str, str]


class Verdict(TypedDict):
    """Whether the parser let the program go on, and the first line worth reading of what it said (or "")."""

    accepted: bool
    message: str


def first_meaningful_line(text: str, folders: Sequence[str] = ()) -> str:
    """The line of ``text`` that tells what is wrong, else its first line; paths under ``folders`` become ``~``."""
    lines = [_LOG_PREFIX.sub("", line).strip() for line in text.splitlines()]
    lines = [line for line in lines if not _IRRELEVANT.match(line)]
    line = next((line for line in lines if _PROBLEM.match(line)), lines[0] if lines else "")
    for folder in folders:
        line = line.replace(folder, "~")
    return line


def _child(parser: Parser, case: Case, home: str, output: int) -> NoReturn:
    """Become the program: its environment, its output, its exit status."""
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    os.dup2(output, 2)
    for name in [name for name in os.environ if name.startswith(("LLAMA_", "HF_"))]:
        del os.environ[name]
    os.environ.update({"HOME": home, "XDG_CONFIG_HOME": home, "LLAMA_CACHE": home, **case["env"]})
    os.chdir(home)
    try:
        accepted = parser.parse(case["args"], case["program"]) is not None
    except BaseException as problem:  # never return into the parent's code
        os.write(2, f"error: {problem}\n".encode())
        os._exit(70)
    parser.leave(0 if accepted else 1)


def _wait(pid: int, seconds: float) -> int | None:
    """Exit status of a child as a shell shows a signal (negative), or None after killing one that hangs."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        finished, status = os.waitpid(pid, os.WNOHANG)
        if finished:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def judge(parser: Parser, case: Case, home: str) -> Verdict:
    """Run one case in a child."""
    with tempfile.TemporaryFile() as output:
        pid = os.fork()
        if pid == 0:
            _child(parser, case, home, output.fileno())
        code = _wait(pid, SECONDS_PER_CASE)
        output.seek(0)
        text = output.read().decode(errors="replace")
    message = first_meaningful_line(text, [home])
    if code is None:
        message = f"hangs: {message}"
    elif code < 0:
        message = f"{signal.Signals(-code).name}: {message}"
    return {"accepted": code == 0, "message": message}


def judge_all(cases: Sequence[Case]) -> dict[str, Verdict]:
    """Verdicts of all cases by id."""
    parser = Parser()
    with tempfile.TemporaryDirectory(prefix="verdicts-") as folder:
        home = str(Path(folder).resolve())
        return {case["id"]: judge(parser, case, home) for case in cases}


def to_case(entry: Mapping[str, Any]) -> Case:
    """A case from its TOML or JSON form, in which ``env`` may be left out."""
    return {
        "id": str(entry["id"]),
        "program": str(entry["program"]),
        "args": [str(word) for word in entry["args"]],
        "env": {str(name): str(value) for name, value in entry.get("env", {}).items()},
    }


def main() -> int:
    """Read cases from stdin, write verdicts to stdout."""
    json.dump(judge_all([to_case(entry) for entry in json.load(sys.stdin)]), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
