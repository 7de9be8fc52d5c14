"""Whatever a server does, `verify` ends in time with one sentence and the right exit code, and tells no secret."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping

import pytest

from mtpconfig.cli.guard import run
from tests.support import ROOT

from .servers import Answering, Replay, Reply, answering, edited, recorded, speaking

ON = recorded("llama.cpp/b11549", "on")
ONE = ("--requests", "1", "--timeout", "20")
KEY = "not-so-secret-0123456789"

pytestmark = pytest.mark.timeout(60)


def verify(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of one run."""
    code = run(["verify", *arguments])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err + captured.out and "internal error" not in captured.err
    return code, captured.out, captured.err


def sentence(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence of a run that ended with 2."""
    code, out, err = verify(capsys, *arguments)
    assert (code, out) == (2, ""), err
    assert err.startswith("mtpconfig: ") and err.count("\n") == 1, err
    return err


def reason(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a run that ended with 3 says."""
    code, out, err = verify(capsys, *arguments)
    assert (code, err) == (3, ""), out + err
    assert out.startswith("UNPROVEN")
    return next(line for line in out.split("\n") if line.startswith("  because"))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def heard(connection: socket.socket) -> None:
    """Read a request to the end of its headers."""
    data = b""
    while b"\r\n\r\n" not in data and (more := connection.recv(65536)):
        data += more


def test_the_recording_is_active(capsys: pytest.CaptureFixture[str]) -> None:
    """What the faults below are made of is sound."""
    with answering(Replay(ON)) as url:
        code, out, err = verify(capsys, url, *ONE)
    assert (code, err) == (0, "") and out.startswith("ACTIVE   llama.cpp")


def test_nobody_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert "the connection is refused" in sentence(capsys, f"http://127.0.0.1:{free_port()}")


def test_an_unknown_host(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert "the name of the host is not known" in sentence(capsys, "http://no-such-host.invalid")


def test_a_name_server_that_never_answers(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    forever = threading.Event()

    def hangs(*_: object, **__: object) -> None:
        forever.wait(120)
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", hangs)
    try:
        assert "within 0.5 s" in sentence(capsys, "http://slow-names.invalid", "--timeout", "0.5")
    finally:
        forever.set()


def drip(connection: socket.socket, text: bytes) -> None:
    while True:
        connection.sendall(text)
        time.sleep(0.05)


def silent(connection: socket.socket) -> None:
    connection.recv(65536)
    connection.settimeout(100)
    connection.recv(1)


def dripping_headers(connection: socket.socket) -> None:
    heard(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    drip(connection, b"a")


def dripping_body(connection: socket.socket) -> None:
    heard(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n")
    drip(connection, b" ")


def endless_body(connection: socket.socket) -> None:
    heard(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    while True:
        connection.sendall(b"x" * 65536)


def unread(connection: socket.socket) -> None:
    time.sleep(100)


@pytest.mark.parametrize("talk", [silent, dripping_headers, dripping_body, unread], ids=lambda talk: str(talk.__name__))
def test_slow_servers(capsys: pytest.CaptureFixture[str], talk: Callable[[socket.socket], None]) -> None:
    with speaking(talk) as url:
        assert "gave no complete answer to /props within 1 s" in sentence(capsys, url, "--timeout", "1")


def test_a_body_without_end_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking(endless_body) as url:
        assert "more than 8 MiB" in sentence(capsys, url)


def test_a_known_server_that_is_too_slow_is_unproven(capsys: pytest.CaptureFixture[str]) -> None:
    enough = threading.Event()

    def slow(method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        if method == "POST":
            enough.wait(100)
        return Replay(ON)(method, path, body, headers)

    with answering(slow) as url:
        said = reason(capsys, url, "--timeout", "4")
        enough.set()
    assert "no complete answer to /completion within 4 s" in said


def closing(*pieces: bytes) -> Callable[[socket.socket], None]:
    def talk(connection: socket.socket) -> None:
        heard(connection)
        for piece in pieces:
            connection.sendall(piece)

    return talk


@pytest.mark.parametrize(
    "talk",
    [
        closing(),
        closing(b"HTTP/1.1 200 OK\r\nContent-"),
        closing(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", b'{"build_info": '),
        closing(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"5\r\nhello\r\n"),
        closing(b"\x16\x03\x01\x02\x00\x01\x00\x01"),
        closing(b"SSH-2.0-OpenSSH_9.2\r\n"),
    ],
    ids=["at once", "in headers", "in body", "in chunks", "tls", "ssh"],
)
def test_half_an_answer(capsys: pytest.CaptureFixture[str], talk: Callable[[socket.socket], None]) -> None:
    with speaking(talk) as url:
        assert "broke off the connection before its answer to /props was complete" in sentence(capsys, url)


def test_a_redirect_elsewhere_is_not_followed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVER_KEY", KEY)
    elsewhere = Replay(ON)
    with (
        answering(elsewhere) as other,
        answering(lambda *_: (307, {"Location": f"{other}/props?token=abc"}, b"")) as url,
    ):
        said = sentence(capsys, url, "--api-key-env", "SERVER_KEY")
    assert f"redirects to another server ({other}/props)" in said
    assert elsewhere.headers == []


def test_a_redirect_on_the_same_server_is_followed(capsys: pytest.CaptureFixture[str]) -> None:
    replay = Replay(ON)

    def answer(method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        if path == "/metrics":
            return 307, {"Location": "/metrics/"}, b""
        return replay(method, path.rstrip("/"), body, headers)

    with answering(answer) as url:
        code, out, _ = verify(capsys, url, *ONE)
    assert code == 0 and "/metrics agrees" in out


def test_redirects_in_circles(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(lambda *_: (302, {"Location": "/props"}, b"")) as url:
        assert "in circles" in sentence(capsys, url)


def locked(within: Answering, status: int = 401) -> Answering:
    """A llama-server with `--api-key`."""

    def answer(method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        if headers.get("authorization") == f"Bearer {KEY}":
            return within(method, path, body, headers)
        refusal = {"error": {"code": 401, "message": "Invalid API Key", "type": "authentication_error"}}
        return status, {"Content-Type": "application/json", "Server": "llama.cpp"}, json.dumps(refusal).encode()

    return answer


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_is_wanted(capsys: pytest.CaptureFixture[str], status: int) -> None:
    with answering(locked(Replay(ON), status)) as url:
        said = sentence(capsys, url)
    assert f"({status})" in said and "--api-key-env" in said


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_is_not_asked_for_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("SERVER_KEY", f"wrong-{KEY}")
    with answering(locked(Replay(ON), status)) as url:
        for address, arguments in (
            (url, ("--api-key-env", "SERVER_KEY")),
            (url, ("--header", f"X-Api-Key: wrong-{KEY}")),
            (url.replace("//", f"//me:wrong-{KEY}@"), ()),
        ):
            said = sentence(capsys, address, *arguments)
            assert "refuses the key that was sent" in said and str(status) in said and KEY not in said
        assert "--api-key-env" in sentence(capsys, url, "--header", "X-Tenant: blue")


def test_a_server_of_another_engine_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(Replay(ON)) as url:
        for engine in ("vllm", "sglang"):
            code, out, err = verify(capsys, url, *ONE, "--engine", engine)
            assert code == 3 and not err and "it answers as llama.cpp, and is asked as" in out
            assert "started with" not in out


def test_a_server_that_does_not_answer_to_tls_is_not_waited_for(capsys: pytest.CaptureFixture[str]) -> None:
    with speaking(silent) as url:
        said = sentence(capsys, url.replace("http:", "https:"), "--timeout", "3")
    assert "does it speak TLS?" in said


def test_a_key_from_the_environment_opens(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVER_KEY", KEY + "\n")
    with answering(locked(Replay(ON))) as url:
        code, out, err = verify(capsys, url, *ONE, "--api-key-env", "SERVER_KEY")
        other, _, _ = verify(capsys, url, *ONE, "--header", f"Authorization: Bearer {KEY}")
    assert (code, other) == (0, 0) and KEY not in out + err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--api-key-env", "NOT_SET"), "the variable NOT_SET is not set"),
        (("--header", f"no colon {KEY}"), "'NAME: VALUE'"),
        (("--header", f"X-Key: {KEY}\r\nX-Other: 1"), "'NAME: VALUE'"),
    ],
)
def test_what_cannot_be_sent(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    told = sentence(capsys, "http://127.0.0.1:1", *arguments)
    assert said in told and KEY not in told


def test_a_secret_that_the_server_repeats_is_not_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVER_KEY", KEY)

    def answer(method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        if method == "POST":
            message = f"quota of {headers['authorization']} or {KEY} is used up\x1b[31m\r\nACTIVE"
            return 429, {"Content-Type": "application/json"}, json.dumps({"error": {"message": message}}).encode()
        return Replay(ON)(method, path, body, headers)

    for form in ((), ("--json",)):
        with answering(answer) as url:
            code, out, err = verify(capsys, url, *ONE, *form, "--api-key-env", "SERVER_KEY")
        assert code == 3 and "429" in out
        assert KEY not in out + err and "\x1b" not in out + err and "\nACTIVE" not in out


def test_a_password_in_the_address_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for address in (f"http://me:{KEY}@127.0.0.1:{free_port()}", f"ftp://me:{KEY}@x", f"http://me:{KEY}@[x"):
        assert KEY not in sentence(capsys, address)


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (404, b'{"error": {"message": "File Not Found"}}', "404: File Not Found"),
        (404, b"", "404: it has no such path"),
        (429, b"slow down", "429: it is too busy"),
        (500, b'{"error": "the engine is dead"}', "500: the engine is dead"),
        (503, b'{"error": {"message": "Loading model", "code": 503}}', "503: Loading model"),
        (418, b"[[[[", "418: an error without a reason"),
    ],
)
def test_a_known_server_that_refuses_to_complete_is_unproven(
    capsys: pytest.CaptureFixture[str], status: int, body: bytes, said: str
) -> None:
    def answer(method: str, path: str, sent: bytes, headers: Mapping[str, str]) -> Reply:
        return (status, {}, body) if method == "POST" else Replay(ON)(method, path, sent, headers)

    with answering(answer) as url:
        assert f"answers /completion with {said}" in reason(capsys, url, *ONE)


def test_everything_is_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    page = b"<!doctype html><html><title>Welcome to nginx!</title></html>"
    with answering(lambda *_: (200, {"Content-Type": "text/html"}, page)) as url:
        assert "is no server that is known" in sentence(capsys, url)
        assert "not recognised" in verify(capsys, url, "--engine", "llama.cpp")[1]


def streamed(change: Callable[[str], str]) -> Replay:
    return Replay(edited(ON, "/completion", change))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "<html>busy</html>",
        lambda text: text[: len(text) // 2],
        lambda text: text[:200],
        lambda text: "",
        lambda text: "data: {\n\n" + text,
        lambda text: text.replace('"timings"', '"no_timings"'),
        lambda text: 'data: {"stop": true, "timings": []}',
        lambda text: "data: {" + '"a":{' * 100_000,
    ],
    ids=["page", "half", "start", "empty", "broken", "no timings", "list", "deep"],
)
def test_answers_that_are_no_completion_are_unproven(
    capsys: pytest.CaptureFixture[str], change: Callable[[str], str]
) -> None:
    with answering(streamed(change)) as url:
        assert "something that is no completion" in reason(capsys, url, *ONE)


@pytest.mark.parametrize("junk", ["1", '"x"', "[]", "true", "1e99", "-5", "null"])
def test_counts_in_an_answer_that_are_none(capsys: pytest.CaptureFixture[str], junk: str) -> None:
    def change(text: str) -> str:
        for name in ("draft_n", "draft_n_accepted", "predicted_ms"):
            text = text.replace(f'"{name}":', f'"{name}":{junk},"was_{name}":')
        return text

    with answering(streamed(change)) as url:
        assert verify(capsys, url, *ONE)[0] in (0, 1, 3)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("_drafts_total ", "_drafts_total NaN # "),
        lambda text: "llamacpp:spec_decode_num_draft_tokens_total{ 5\n",
        lambda text: 'llamacpp:a{b="c\n' * 10,
        lambda text: "<html>",
        lambda text: "llamacpp:spec_decode_num_draft_tokens_total 1 2 3 4\n\x00\x00",
    ],
    ids=["nan", "brace", "quote", "page", "words"],
)
def test_counters_that_cannot_be_read_do_not_hide_what_responses_tell(
    capsys: pytest.CaptureFixture[str], change: Callable[[str], str]
) -> None:
    with answering(Replay(edited(ON, "/metrics", change))) as url:
        code, out, _ = verify(capsys, url, *ONE)
    assert code == 0 and "agrees" not in out


def test_compressed_answers_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with answering(lambda *_: (200, {"Content-Encoding": "gzip"}, b"\x1f\x8b")) as url:
        assert "compressed" in sentence(capsys, url)


def test_a_server_that_goes_during_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    replay = Replay(ON)

    def talk(connection: socket.socket) -> None:
        data = connection.recv(65536)
        method, path = data.split(b" ", 2)[:2]
        if method == b"POST":
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\ndata: {"
            )
            return
        status, headers, body = replay("GET", path.decode(), b"", {})
        head = "".join(f"{name}: {value}\r\n" for name, value in {**headers, "Content-Length": len(body)}.items())
        connection.sendall(f"HTTP/1.1 {status} OK\r\n{head}\r\n".encode() + body)

    with speaking(talk) as url:
        assert "broke off the connection before its answer to /completion" in sentence(capsys, url, *ONE)


TLS = ROOT / "tests" / "data" / "tls"


def over_tls(connection: socket.socket) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "certificate.pem", TLS / "key.pem")
    with context.wrap_socket(connection, server_side=True) as secure:
        secure.recv(65536)
        secure.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


def test_tls(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    certificate = str(TLS / "certificate.pem")
    with speaking(over_tls) as url:
        secure = url.replace("http:", "https:")
        assert "is not trusted: name its authority with --ca-file" in sentence(capsys, secure)
        assert "is no server that is known" in sentence(capsys, secure, "--ca-file", certificate)
        assert "broke off the connection" in sentence(capsys, url)
        assert "it holds no certificate" in sentence(capsys, secure, "--ca-file", str(TLS / "README.md"))
        assert "No such file" in sentence(capsys, secure, "--ca-file", str(TLS / "absent.pem"))
    with answering(Replay(ON)) as url:
        assert "does not speak TLS" in sentence(capsys, url.replace("http:", "https:"))


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1:8080", "localhost", "ftp://x", "http://", "http://a b", "http://x:99999", "http://x/?a=1", ""],
)
def test_addresses_that_are_none(capsys: pytest.CaptureFixture[str], address: str) -> None:
    sentence(capsys, address)


def test_several_servers_and_the_gravest_code(capsys: pytest.CaptureFixture[str]) -> None:
    off, idle = recorded("llama.cpp/b11549", "off"), recorded("llama.cpp/b11549", "idle")
    nobody = f"http://127.0.0.1:{free_port()}"
    with answering(Replay(ON)) as active, answering(Replay(off)) as one, answering(Replay(idle)) as other:
        code, out, err = verify(capsys, active, one, other, *ONE)
        assert (code, err) == (1, "") and [out.count(word) for word in ("ACTIVE  ", "INACTIVE")] == [1, 2]
        assert out.startswith(f"{active}\nACTIVE")
        code, out, err = verify(capsys, active, nobody, *ONE)
        assert code == 2 and "ACTIVE" in out and err.count("\n") == 1
        code, out, _ = verify(capsys, active, nobody, *ONE, "--json")
        states = [server["state"] for server in json.loads(out)["servers"]]
        assert code == 2 and states == ["active", "unreachable"]


def test_proxies_of_the_environment_are_not_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = f"http://127.0.0.1:{free_port()}"
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy)
    with answering(Replay(ON)) as url:
        assert verify(capsys, url, *ONE)[0] == 0
