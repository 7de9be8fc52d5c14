"""What vLLM's own parsers and configuration classes say about many launches: one interpreter, one forked child each.

    PYTHONPATH=. python -m tools.conformance.vllm.oracle MODELS < cases.json > verdicts.json

Needs only vLLM. ``MODELS`` is a folder of model folders; only their configurations and tokenizers are read. A case is
``{"id", "program", "args", "call", "files"}``: ``{name}`` stands for the folder of that model, and ``call`` is a call
with literal arguments. A launch goes as far as the engine's complete configuration: what fails later, while weights
load, is not seen.
"""

from __future__ import annotations

import ast
import io
import json
import logging
import os
import re
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final, NoReturn, TypedDict

SECONDS_PER_CASE: Final = 300.0
_SMALL: Final = {"enforce_eager": True, "dtype": "bfloat16", "max_model_len": 256}
_SMALL_WORDS: Final = ["--enforce-eager", "--dtype", "bfloat16", "--max-model-len", "256"]

_WARNING: Final = re.compile(r"specul|draft|\bmtp\b|scheduling|duplicate|deprecated|generation config", re.IGNORECASE)
_USUAL: Final = re.compile(r"max_num_scheduled_tokens is set to")  # said whenever speculation is on


class Verdict(TypedDict):
    """How far one launch came.

    ``starts``: the engine's configuration is complete. ``error`` is the class of what stopped it otherwise (``exit``
    where a parser did), ``message`` the first line that says why. ``method`` and ``num_speculative_tokens`` are the
    resolved ones, null when speculation is off. ``warnings``: what was logged about speculation, each once.
    """

    starts: bool
    error: str
    message: str
    method: str | None
    num_speculative_tokens: int | None
    warnings: list[str]


class _Reached(Exception):
    """The configuration is complete."""

    def __init__(self, config: Any) -> None:
        self.config = config


class _Programs:
    """The entry points, each stopped where it has the engine's configuration. Imports vLLM: seconds to a minute."""

    def __init__(self) -> None:
        from vllm.engine.arg_utils import AsyncEngineArgs, EngineArgs
        from vllm.entrypoints import llm
        from vllm.entrypoints.cli import serve
        from vllm.entrypoints.launchers.cli_args import make_arg_parser, validate_parsed_serve_args
        from vllm.logger import _print_warning_once
        from vllm.usage.usage_lib import UsageContext
        from vllm.utils.argparse_utils import FlexibleArgumentParser

        def reach(args: Any, usage_context: Any = UsageContext.OPENAI_API_SERVER) -> NoReturn:
            made = AsyncEngineArgs.from_cli_args(args) if isinstance(args, Namespace) else args
            raise _Reached(made.create_engine_config(usage_context))

        for name in ("run_server", "run_multi_api_server", "run_headless", "run_dp_supervisor"):
            setattr(serve, name, reach)
        llm.LLMEngine.from_engine_args = lambda engine_args, usage_context: reach(engine_args, usage_context)
        self._reach = reach
        self._callables = {each.__name__: each for each in (llm.LLM, EngineArgs, AsyncEngineArgs)}
        self._serve = serve.ServeSubcommand()
        self._parser = FlexibleArgumentParser(prog="vllm")
        self._serve.subparser_init(self._parser.add_subparsers(dest="subparser"))
        self._module = make_arg_parser(FlexibleArgumentParser(prog="api_server.py"))
        self._validate = validate_parsed_serve_args
        self._forget_warnings = _print_warning_once.cache_clear

    def warm_up(self, model: Path) -> None:
        """Import, before any child is made, what a configuration with speculation imports late."""
        config = {"method": "mtp", "num_speculative_tokens": 1}
        made = self._callables["EngineArgs"](model=str(model), speculative_config=config, **_SMALL)
        made.create_engine_config()
        self._forget_warnings()

    def run(self, case: Mapping[str, Any], fill: Callable[[str], str]) -> NoReturn:
        """Start one program. Raises :class:`_Reached`, or what the program raises."""
        if "call" in case:
            self._reach(self._call(fill(case["call"])))
        args = [fill(word) for word in case["args"]]
        end = args.index("--") if "--" in args else len(args)
        args[end:end] = _SMALL_WORDS
        if case.get("program") == "api_server":
            parsed = self._module.parse_args(args)
            self._validate(parsed)
            self._reach(parsed)
        parsed = self._parser.parse_args(["serve", *args])
        self._serve.validate(parsed)
        self._serve.cmd(parsed)
        raise AssertionError(f"{case['id']}: nothing was reached")

    def _call(self, text: str) -> Any:
        """What a call with literal arguments returns."""
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        keywords = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
        return self._callables[call.func.id](*map(ast.literal_eval, call.args), **{**_SMALL, **keywords})


def _first_line(problem: BaseException) -> str:
    """What an exception says, in one line; of a validation error its first complaint."""
    errors = getattr(problem, "errors", None)
    if callable(errors):
        first = errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"{problem.title}: {where + ': ' if where else ''}{first['msg'].splitlines()[0]}"  # type: ignore[attr-defined]
    return next(iter(str(problem).splitlines()), "")


def _short(text: str) -> str:
    """What can differ from run to run taken out, and lists of everything that there is cut."""
    return re.sub(r" at 0x[0-9a-f]+", "", text)[:200]


def _collect_warnings() -> list[str]:
    """A list that every later warning is put into. Handlers would not do: vLLM replaces them while it starts."""
    make, found = logging.getLogRecordFactory(), list[str]()

    def note(*args: Any, **kwargs: Any) -> logging.LogRecord:
        made = make(*args, **kwargs)
        if made.levelno == logging.WARNING:
            found.append(made.getMessage())
        return made

    logging.setLogRecordFactory(note)
    return found


def _outcome(programs: _Programs, case: Mapping[str, Any], fill: Callable[[str], str]) -> Verdict:
    """Run one case in this process."""
    output = io.StringIO()
    warned = _collect_warnings()
    verdict: Verdict = {
        "starts": False,
        "error": "",
        "message": "",
        "method": None,
        "num_speculative_tokens": None,
        "warnings": [],
    }
    try:
        with redirect_stderr(output), redirect_stdout(output):
            programs.run(case, fill)
    except _Reached as reached:
        settings = reached.config.speculative_config
        verdict["starts"] = True
        if settings is not None:
            verdict["method"] = settings.method
            verdict["num_speculative_tokens"] = settings.num_speculative_tokens
    except SystemExit as leave:
        errors = [line for line in output.getvalue().splitlines() if "error: " in line]
        verdict["error"] = "exit"
        verdict["message"] = errors[0].split("error: ", 1)[1] if errors else f"exit {leave.code}"
    except BaseException as problem:
        verdict["error"] = type(problem).__name__
        verdict["message"] = _first_line(problem)
    verdict["warnings"] = list(
        dict.fromkeys(text for text in warned if _WARNING.search(text) and not _USUAL.match(text))
    )
    return verdict


def _wait(pid: int) -> bool:
    """Whether a child ended in time; one that did not is killed."""
    deadline = time.monotonic() + SECONDS_PER_CASE
    while time.monotonic() < deadline:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        time.sleep(0.005)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return False


def judge(programs: _Programs, case: Mapping[str, Any], models: Path) -> Verdict:
    """Run one case in a child, in a folder that holds the case's files and nothing else."""

    def fill(text: str) -> str:
        return re.sub(r"\{([\w-]+)\}", lambda name: str(models / name[1]), text)

    with tempfile.TemporaryDirectory(prefix="case-") as folder:
        for name, text in case.get("files", {}).items():
            Path(folder, name).write_text(fill(text), encoding="utf-8")
        answer = Path(folder, ".verdict")
        pid = os.fork()
        if pid == 0:
            os.chdir(folder)
            verdict = _outcome(programs, case, fill)
            verdict["message"] = _short(verdict["message"])
            verdict["warnings"] = [_short(line) for line in verdict["warnings"]]
            text = json.dumps(verdict).replace(str(models), "~").replace(folder, "~")
            answer.write_text(text, encoding="utf-8")
            os._exit(0)
        finished = _wait(pid)
        if answer.exists():
            judged: Verdict = json.loads(answer.read_text(encoding="utf-8"))
            return judged
    message = "died" if finished else "hangs"
    return Verdict(starts=False, error=message, message="", method=None, num_speculative_tokens=None, warnings=[])


def main() -> int:
    """Read cases from stdin, write verdicts by id to stdout."""
    models = Path(sys.argv[1]).resolve()
    cases = json.load(sys.stdin)
    answer = os.dup(1)
    os.dup2(2, 1)  # what vLLM prints is no answer
    programs = _Programs()
    programs.warm_up(models / "mtp")
    verdicts = {case["id"]: judge(programs, case, models) for case in cases}
    os.write(answer, json.dumps(verdicts).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
