"""A real ``vllm serve`` on the processor, for the time of a block."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.live.llama_server import Server, ServerDied, ServerNotReady, free_port
from tools.conformance.vllm.environment import environment_of, python_of

_START_SECONDS: Final = 400.0  # a minute with warm file caches, four without, more on a busy machine
_STOP_SECONDS: Final = 20.0
_NEEDED: Final = ("--enforce-eager", "--dtype", "bfloat16", "--max-model-len", "512", "--max-num-seqs", "4")
_SERVE: Final = "from vllm.entrypoints.cli.main import main; main()"


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the server and the engine that it started: they are a process group of their own."""
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _answers(server: Server) -> bool:
    try:
        server.text("/health")
    except OSError:
        return False
    return True


def _wait_until_ready(server: Server, deadline: float) -> None:
    while not _answers(server):
        returncode = server.process.poll()
        if returncode is not None:
            raise ServerDied(returncode, server.log)
        if time.monotonic() > deadline:
            raise ServerNotReady(f"no answer from {server.url}/health\n{server.log[-2000:]}")
        time.sleep(0.5)


@contextlib.contextmanager
def serve(model: Path, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Run ``vllm serve`` for ``model`` with ``args`` on a free port of 127.0.0.1 while the block lasts.

    The model is called ``tiny``. Yields once ``/health`` says ok; raises ``ServerDied`` when the server ends before,
    and ``ServerNotReady`` after some minutes. Sampling at a temperature above 0 is wrong on this build: speculation
    reads an uninitialised temperature on the processor, and accepts nothing.
    """
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="vllm-server-", ignore_cleanup_errors=True) as folder:
        log_file = Path(folder, "log.txt")
        address = ["--host", "127.0.0.1", "--port", str(port), "--served-model-name", "tiny"]
        with log_file.open("wb") as log:
            process = subprocess.Popen(
                [python_of(), "-c", _SERVE, "serve", str(model), *_NEEDED, *args, *address],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=environment_of(folder) | dict(env or {}),
                start_new_session=True,
            )
        try:
            server = Server(f"http://127.0.0.1:{port}", process, log_file)
            _wait_until_ready(server, time.monotonic() + _START_SECONDS)
            yield server
        finally:
            _stop(process)
