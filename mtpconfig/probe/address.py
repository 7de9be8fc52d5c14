"""The address of a server as the user gave it: checked, and fit to be shown."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from mtpconfig.errors import UsageError

_NOT_IN_URLS = re.compile(r"[\x00-\x20\x7f]")


class Address(Struct, frozen=True):
    """Where a server is.

    base   scheme, user information if any, host, port and path, without a trailing slash: what paths are put behind
    shown  the same without user information, for reports and messages
    """

    base: str
    shown: str

    def same_server(self, url: str) -> bool:
        """Whether a URL has the scheme, host and port of this one."""
        return _server(urlsplit(self.base)) == _server(urlsplit(url))


def parse_address(text: str) -> Address:
    """Read `http://HOST[:PORT][/PATH]`; a trailing `/v1`, as OpenAI clients write it, is left out.

    Raises UsageError with one sentence that repeats nothing of what may be a password.
    """
    try:
        parts = urlsplit(text.strip())
        _ = parts.port
    except ValueError:
        raise UsageError("a URL could not be read: write it as http://HOST:PORT") from None
    if parts.scheme not in ("http", "https"):
        shown = text if "@" not in text and text.isprintable() and len(text) <= 200 else "the URL"
        raise UsageError(f"{shown} is no address of a server: write http://HOST:PORT or https://HOST:PORT")
    if not parts.hostname or _NOT_IN_URLS.search(text.strip()):
        raise UsageError("a URL names no host, or has blanks in it: write it as http://HOST:PORT")
    if parts.query or parts.fragment:
        raise UsageError(f"{_shown(parts)} is followed by a query: give the server's address alone")
    path = parts.path.rstrip("/").removesuffix("/v1")
    base = f"{parts.scheme}://{parts.netloc}{path}"
    return Address(base, _shown(urlsplit(base)))


def _shown(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _server(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
