"""``llama-server`` for machines without one, from the installed ``xllamacpp`` wheel; and a way to run it in tests.

As a program (own options come first, everything else is llama.cpp's)::

    python -m tests.live.llama_server -m model.gguf --port 8080 -t 1 --spec-type draft-mtp
    python -m tests.live.llama_server --parse-only --program cli -m model.gguf --draft-max 4

Arguments and ``LLAMA_ARG_*`` variables are read by llama.cpp's own parser, so what is refused is refused with
llama.cpp's own words and exit status 1. ``--parse-only`` stops there; without it only the server can be run.

As a library: :func:`serve`. Give servers one thread (``-t 1``): on a busy machine more threads spin against each other.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from .native import PROGRAMS, Parser

_ROOT: Final = Path(__file__).resolve().parents[2]
_DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_STOP_SECONDS: Final = 5.0


class ServerDied(Exception):
    """The server ended before it answered ``/health``.

    ``returncode`` is negative for a signal; ``log`` is all that the server said.
    """

    def __init__(self, returncode: int, log: str) -> None:
        super().__init__(f"server ended with {returncode} before it was ready\n{log[-2000:]}")
        self.returncode = returncode
        self.log = log


class ServerNotReady(Exception):
    """The server runs but did not answer ``/health`` in time."""


@dataclass(frozen=True)
class Server:
    """A running server.

    ``url`` has no trailing slash; the output of ``process`` goes to ``log_file``.
    """

    url: str
    process: subprocess.Popen[bytes]
    log_file: Path

    @property
    def pid(self) -> int:
        """Process id of the server."""
        return self.process.pid

    @property
    def log(self) -> str:
        """Everything the server has written so far, stdout and stderr together."""
        return self.log_file.read_text(encoding="utf-8", errors="replace")

    def text(self, path: str) -> str:
        """Body of a GET that is not JSON, such as ``/metrics``."""
        with _DIRECT.open(f"{self.url}{path}", timeout=10) as response:
            return str(response.read(), "utf-8")


def free_port() -> int:
    """A TCP port of 127.0.0.1 that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def clean_environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Take this process's environment without llama.cpp's variables, then ``env`` on top.

    A failed assertion of ggml's would otherwise start a debugger for its backtrace.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LLAMA_", "PYTEST_"))}
    return {**kept, "PYTHONPATH": str(_ROOT), "GGML_NO_BACKTRACE": "1", **(env or {})}


def fetch(url: str, body: Mapping[str, Any] | None = None, timeout: float = 60.0) -> Any:
    """Decoded JSON from ``url``: a GET, or a POST of ``body``. Never through a proxy."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with _DIRECT.open(request, timeout=timeout) as response:
        return json.loads(response.read())


def _answers(url: str) -> bool:
    try:
        with _DIRECT.open(url, timeout=2) as response:
            return bool(response.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def _wait_until_ready(server: Server, deadline: float) -> None:
    while not _answers(f"{server.url}/health"):
        returncode = server.process.poll()
        if returncode is not None:
            raise ServerDied(returncode, server.log)
        if time.monotonic() > deadline:
            raise ServerNotReady(f"no answer from {server.url}/health\n{server.log[-2000:]}")
        time.sleep(0.05)


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_STOP_SECONDS)


@contextlib.contextmanager
def serve(
    args: Sequence[str],
    env: Mapping[str, str] | None = None,
    *,
    python: str = sys.executable,
    timeout: float = 30.0,
) -> Iterator[Server]:
    """Run ``llama-server`` with ``args`` on a free port of 127.0.0.1 while the block lasts.

    ``python`` chooses the interpreter and with it the wheel, that is the llama.cpp build. Yields once ``/health`` says
    ok; raises :class:`ServerDied` or, after ``timeout`` seconds, :class:`ServerNotReady`.
    """
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="llama-server-") as folder:
        log_file = Path(folder, "log.txt")
        address = ["--host", "127.0.0.1", "--port", str(port)]
        with log_file.open("wb") as log:
            process = subprocess.Popen(
                [python, "-m", "tests.live.llama_server", *args, *address],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=clean_environment({"HOME": folder, **(env or {})}),
            )
        try:
            server = Server(f"http://127.0.0.1:{port}", process, log_file)
            _wait_until_ready(server, time.monotonic() + timeout)
            yield server
        finally:
            _stop(process)


def _run(parser: Parser, arguments: Sequence[str]) -> NoReturn:
    """Parse, load and serve until a signal comes or the parent is gone."""
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # loading happens in C++, where Python's handlers do not run
    params = parser.parse(arguments)
    if params is None:
        parser.leave(1)
    try:
        server = parser.package.Server(params)
    except RuntimeError as problem:
        os.write(2, f"{problem}\n".encode())
        os._exit(1)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: os._exit(0))  # some builds hang in their own shutdown
    os.write(1, f"listening on {server.listening_address}\n".encode())
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def main(argv: Sequence[str]) -> NoReturn:
    """Read the own options, then be the program."""
    arguments, program, parse_only = list(argv), "llama-server", False
    while arguments and arguments[0] in ("--parse-only", "--program"):
        if arguments.pop(0) == "--parse-only":
            parse_only = True
        else:
            program = "llama-" + (arguments.pop(0) if arguments else "").removeprefix("llama-")
    if program not in PROGRAMS:
        sys.exit(f"unknown program {program}: choose one of {', '.join(PROGRAMS)}")
    if not parse_only and program != "llama-server":
        sys.exit(f"{program} can only be parsed: add --parse-only")
    parser = Parser()
    if not parse_only:
        _run(parser, arguments)
    parser.leave(0 if parser.parse(arguments, program) is not None else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
