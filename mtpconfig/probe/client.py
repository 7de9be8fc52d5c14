"""HTTP towards one server: nowhere else, never longer than was allowed, never more than a bounded body.

The deadline holds for everything together: name look-up, TLS, requests, redirects. A library's timeouts begin anew
with each byte that comes, and a server that drips bytes would never reach them; so each exchange runs in a thread of
its own, and the caller waits for it until the deadline and no longer.
"""

from __future__ import annotations

import errno
import json
import re
import ssl
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from mtpconfig.errors import MtpconfigError, OutOfTime, Unreachable
from mtpconfig.evidence import Answer
from mtpconfig.probe.address import Address
from mtpconfig.probe.wording import shown

if TYPE_CHECKING:
    import httpx

MAX_BODY = 8 * 1024 * 1024
"""Bytes of one answer that are read; a longer one is refused."""

_REDIRECTS = 3
_HANDSHAKE = 10.0  # seconds after which a server that does not answer to TLS is not waited for
_KEYS = re.compile(r"auth|key|token|cookie", re.IGNORECASE)


class HttpClient:
    """Asks one server until a deadline. The clock starts when the object is made."""

    def __init__(
        self,
        address: Address,
        timeout: float,
        headers: Mapping[str, str] | None = None,
        ca_file: str | None = None,
    ) -> None:
        """Prepare; nothing is sent yet.

        timeout  seconds for all exchanges together
        headers  sent with each request; their values are never shown
        ca_file  certificates (PEM) that are trusted in the place of the system's
        """
        self.address = address
        self.timeout = timeout
        self.refusals: list[tuple[str, int]] = []
        self._deadline = time.monotonic() + timeout
        self._headers = {"Accept-Encoding": "identity", "User-Agent": "mtpconfig", **(headers or {})}
        self._sent = (*(headers or {}).values(), urlsplit(address.base).password or "")
        self.with_key = "@" in urlsplit(address.base).netloc or any(map(_KEYS.search, headers or {}))
        self._ca_file = ca_file
        self._http: httpx.Client | None = None

    def get(self, path: str) -> Answer:
        """GET a path below the address. Raises Unreachable."""
        return self._ask("GET", path, None)

    def post(self, path: str, body: Mapping[str, Any]) -> Answer:
        """POST JSON to a path below the address. Raises Unreachable."""
        return self._ask("POST", path, json.dumps(body).encode())

    def remaining(self) -> float:
        """Seconds that are left, never negative."""
        return max(0.0, self._deadline - time.monotonic())

    def shown(self, text: str) -> str:
        """What the server said, fit to be shown: a short line, without control characters and what we sent it."""
        secrets = {word for value in self._sent for word in (value, *value.split()) if len(word) > 6}
        for secret in sorted(secrets, key=len, reverse=True):
            text = text.replace(secret, "***")
        return shown(text)

    def close(self) -> None:
        """Close what is open; an exchange that still runs ends with an error that nobody hears."""
        if self._http is not None:
            self._http.close()

    def _ask(self, method: str, path: str, body: bytes | None) -> Answer:
        if not self.remaining():
            raise self._out_of_time(path)
        outcome: list[Answer | BaseException] = []
        done = threading.Event()

        def work() -> None:
            try:
                outcome.append(self._exchange(method, path, body))
            except BaseException as error:  # handed to the caller, who is in another thread
                outcome.append(error)
            finally:
                done.set()

        threading.Thread(target=work, name="mtpconfig-probe", daemon=True).start()
        if not done.wait(self.remaining()):
            self.close()
            raise self._out_of_time(path)
        answer = outcome[0]
        if isinstance(answer, Answer):
            if answer.status in (401, 403):
                self.refusals.append((path, answer.status))
            return answer
        if isinstance(answer, MtpconfigError):
            raise answer
        raise self._explained(answer, path) from None

    def _exchange(self, method: str, path: str, body: bytes | None) -> Answer:
        http = self._client()
        url = self.address.base + path
        for _ in range(_REDIRECTS):
            content_type = {"Content-Type": "application/json"} if body is not None else {}
            with http.stream(method, url, content=body, headers=content_type, timeout=self._timeout()) as response:
                target = response.headers.get("location")
                if response.is_redirect and target:
                    url = self._followed(urljoin(url, target))
                    continue
                return Answer(response.status_code, dict(response.headers.items()), self._body(response, path))
        raise Unreachable(f"{self.address.shown} redirects {path} in circles")

    def _timeout(self) -> httpx.Timeout:
        """For each wait of an exchange; half of what is left at most for TLS, so that its failure can be told."""
        import httpx

        left = self.remaining()
        return httpx.Timeout(left, connect=min(_HANDSHAKE, left / 2) if self._tls else left)

    @property
    def _tls(self) -> bool:
        return self.address.base.startswith("https:")

    def _followed(self, url: str) -> str:
        """A redirect's target, which must lie on the same server: elsewhere nobody was asked to send anything."""
        if not self.address.same_server(url):
            elsewhere = url.partition("?")[0].rpartition("@")[2][:200]
            elsewhere = elsewhere if elsewhere.isprintable() else "another address"
            raise Unreachable(
                f"{self.address.shown} redirects to another server ({elsewhere}), which is not asked: "
                f"give its address if it is the one you mean"
            )
        return url

    def _body(self, response: httpx.Response, path: str) -> bytes:
        if response.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
            raise Unreachable(f"{self.address.shown} answers {path} compressed, although it was asked not to")
        chunks = bytearray()
        for chunk in response.iter_raw():
            chunks += chunk
            if len(chunks) > MAX_BODY:
                raise Unreachable(f"{self.address.shown} answers {path} with more than {MAX_BODY // 2**20} MiB")
            if not self.remaining():
                raise self._out_of_time(path)
        return bytes(chunks)

    def _client(self) -> httpx.Client:
        if self._http is None:
            import httpx

            verify: ssl.SSLContext | bool = False  # plain HTTP: no certificates are read
            if self._tls:
                try:
                    verify = ssl.create_default_context(cafile=self._ca_file)
                except OSError as error:
                    reason = (
                        "it holds no certificate in PEM form" if isinstance(error, ssl.SSLError) else error.strerror
                    )
                    raise Unreachable(f"the certificates in {self._ca_file} cannot be read: {reason}") from None
            # no proxies, no .netrc: only the given address is asked, and only what was given is sent
            self._http = httpx.Client(
                headers=self._headers,
                verify=verify,
                trust_env=False,
                follow_redirects=False,
                limits=httpx.Limits(max_keepalive_connections=0),
            )
        return self._http

    def _out_of_time(self, path: str) -> OutOfTime:
        return OutOfTime(
            f"{self.address.shown} gave no complete answer to {path} within {self.timeout:g} s: "
            f"allow more with --timeout"
        )

    def _explained(self, error: BaseException, path: str) -> BaseException:
        """The one sentence for a failed exchange; what is no failure of the exchange stays as it is."""
        import httpx

        where = self.address.shown
        if isinstance(error, httpx.ConnectTimeout) and self._tls:
            return Unreachable(f"no TLS connection to {where} comes about: does it speak TLS? Else write http://")
        if isinstance(error, httpx.TimeoutException):
            return self._out_of_time(path)
        if isinstance(error, httpx.ConnectError):
            return Unreachable(_no_connection(where, error))
        if isinstance(error, httpx.TransportError | OSError):
            return Unreachable(f"{where} broke off the connection before its answer to {path} was complete")
        if isinstance(error, httpx.InvalidURL | UnicodeError):
            return Unreachable(f"{where} is no address that can be asked")
        return error


def _no_connection(where: str, error: Exception) -> str:
    text = str(error)
    causes = _causes(error)
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return f"the certificate of {where} is not trusted: name its authority with --ca-file"
    if any(isinstance(cause, ssl.SSLError) for cause in causes) or "SSL" in text:
        return f"{where} does not speak TLS, or breaks it off: try http:// in the place of https://"
    codes = {cause.errno for cause in causes if isinstance(cause, OSError)}
    if errno.ECONNREFUSED in codes:
        return f"nothing answers at {where}: the connection is refused"
    if any(type(cause).__name__ == "gaierror" for cause in causes):
        return f"nothing answers at {where}: the name of the host is not known"
    return f"nothing answers at {where}: no connection can be made"


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in found:
        found.append(current)
        current = current.__cause__ or current.__context__
    return found
