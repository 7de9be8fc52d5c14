"""Servers for tests, all on 127.0.0.1: one that replays recorded exchanges, one that does what a test tells it."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support import ROOT

RESPONSES = ROOT / "tests" / "data" / "responses"

Exchange = Mapping[str, Any]
Reply = tuple[int, Mapping[str, str], bytes]
Answering = Callable[[str, str, bytes, Mapping[str, str]], Reply]
"""Method, path, body and headers of a request to the answer."""


def recorded(name: str, state: str) -> list[dict[str, Any]]:
    """The exchanges of one state of one recorded server, e.g. `llama.cpp/b11549` and `on`."""
    found: list[dict[str, Any]] = json.loads(Path(RESPONSES, f"{name}.json").read_text("utf-8"))["states"][state]
    return found


class Replay:
    """Answers as the recorded server did: a GET with its first answer before any POST, with its last one after."""

    def __init__(self, exchanges: Sequence[Exchange]) -> None:
        self.exchanges = exchanges
        self.posts: list[Any] = []
        self.headers: list[Mapping[str, str]] = []

    def __call__(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        self.headers.append(headers)
        fitting = [each for each in self.exchanges if (each["method"], each["path"]) == (method, path)]
        if not fitting:
            return 404, {"Content-Type": "application/json"}, b'{"error": {"message": "File Not Found"}}'
        chosen = fitting[-1 if self.posts else 0]
        if method == "POST":
            self.posts.append(json.loads(body))
        return chosen["status"], chosen["headers"], chosen["body"].encode()


def edited(exchanges: Sequence[Exchange], path: str, change: Callable[[str], str], which: int = -1) -> list[Exchange]:
    """The exchanges with the body of one changed: by default the last one on that path."""
    places = [place for place, each in enumerate(exchanges) if each["path"] == path]
    copy: list[Exchange] = [dict(each) for each in exchanges]
    copy[places[which]] = {**copy[places[which]], "body": change(copy[places[which]]["body"])}
    return copy


@contextlib.contextmanager
def answering(answer: Answering) -> Iterator[str]:
    """An HTTP server that answers as it is told; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def version_string(self) -> str:
            return "test"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, sent, text = answer(self.command, self.path, body, headers)
            self.send_response_only(status)
            for name, value in {**sent, "Content-Length": str(len(text))}.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(text)

        do_GET = do_POST = _answer  # noqa: N815

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def speaking(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that does as it likes with each connection; it is closed when `talk` returns."""
    listener = socket.create_server(("127.0.0.1", 0))
    stopped = threading.Event()

    def serve() -> None:
        while not stopped.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=handle, args=(connection,), daemon=True).start()

    def handle(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            talk(connection)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        stopped.set()
        listener.close()
