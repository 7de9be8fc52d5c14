"""Requests to a running Ollama: the body of a `curl` command, or what a client in a program is given.

A request to `/api/...` carries its options in `options` (`parameters` in a request to create a model). The routes that
other vendors' clients use (`/v1/...`) make the options up themselves and drop what they do not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from mtpconfig.launch import Given, Known, Launch, Opaque, Value, Word
from mtpconfig.text import Fragment

MARKER = "a request"
HOLDERS = ("options", "parameters")
NULLS = ("null", "None", "undefined", "nil")
"""Nothing at all, as JSON and the languages of clients write it."""

_URL = re.compile(
    r"(?P<host>.{0,300}?)/(?:(?P<own>api/(?:generate|chat|embed|embeddings|create))"
    r"|(?P<other>v1/(?:chat/completions|completions|responses|messages|embeddings)))/?(?:[?#].*)?\Z",
    re.DOTALL,
)
_ITS_HOST = re.compile(r"ollama|:11434(?!\d)", re.IGNORECASE)
_DRAFTING = re.compile(r"(?:draft|spec|num_draft|num_spec)\w*", re.IGNORECASE)
_CLIENT = re.compile(r"(?:^|\.)(?:_?\w*client\w*(?:\(\))?\.)?(?:generate|chat|embed|create)\Z", re.IGNORECASE)
_DATA = ("-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json")
_MOST = 200_000


class Entry(Struct, frozen=True, eq=False):
    """One thing that a request says.

    path   the keys that lead to it: `("options", "draft_num_predict")`
    kind   what it is in JSON: an int or a float is a number
    """

    path: tuple[str, ...]
    name: Fragment
    value: Value
    fragment: Fragment | None
    kind: Literal["number", "string", "bool", "null", "other"]
    given: Given | None = None


class Request(Struct, frozen=True, eq=False):
    """A request: whether its route is Ollama's own, and what it says."""

    own: bool
    entries: tuple[Entry, ...]

    @property
    def says_drafting(self) -> bool:
        """Whether it names anything that looks like an option of drafting where options stand."""
        return any(_is_option(entry.path) and _DRAFTING.fullmatch(entry.path[-1]) for entry in self.entries)

    def text(self, *names: str) -> str | None:
        """The text at the top of the request under the first of these names that is there and known."""
        found = {entry.path: entry for entry in self.entries}
        for name in names:
            entry = found.get((name,))
            if entry is not None and isinstance(entry.value, Known):
                return entry.value.text
        return None


def _is_option(path: tuple[str, ...]) -> bool:
    return len(path) == 1 or (len(path) == 2 and path[0] in HOLDERS)


def request_of(launch: Launch) -> Request | None:
    """The request that a launch sends to Ollama; None where it sends none, or to somebody else."""
    if any(given.surface == "kwarg" for given in launch.given):
        return _by_client(launch)
    if not launch.argv or re.split(r"[/\\]", launch.argv[0].text)[-1] not in ("curl", "curl.exe"):
        return None
    url = next((match for word in launch.argv[1:] if (match := _URL.fullmatch(word.text))), None)
    body = _body(launch.argv[1:])
    if url is None or body is None or len(body.text) > _MOST:
        return None
    if not _ITS_HOST.search(url["host"]) and not (url["own"] and '"draft_num_predict"' in body.text):
        return None
    return Request(url["own"] is not None, tuple(_entries(body)))


def _body(words: tuple[Word, ...]) -> Fragment | None:
    """The text that a curl command sends, where it stands in the command."""
    for place, word in enumerate(words):
        if word.text in _DATA and place + 1 < len(words):
            return words[place + 1].fragment
        if word.text.startswith("-d{"):
            return word.fragment.slice(2, len(word.text))
    return None


def _entries(body: Fragment) -> Iterator[Entry]:
    """The keys at the top of a JSON object, and those of its options. JSON is read as the YAML that it also is."""
    from mtpconfig.carriers.yaml_ import Entries, Node, Scalar, documents

    root = next((document.root for document in documents(body)), None)
    pairs: list[tuple[tuple[str, ...], Scalar, Node]] = []
    if isinstance(root, Entries) and root.flow:
        pairs += [((), key, value) for key, value in root.entries]
    while pairs:
        path, key, value = pairs.pop(0)
        here = (*path, key.text)
        if isinstance(value, Scalar):
            yield _scalar(here, key.fragment, value.fragment, value.text, value.style == "double", value.template)
        elif isinstance(value, Entries) and here[0] in HOLDERS and len(here) == 1:
            pairs += [(here, inner, deeper) for inner, deeper in value.entries]
        else:
            yield Entry(here, key.fragment, Opaque("a list or a map"), None, "other")


_UNFILLED = re.compile(r"\$|\{\{|<")


def _scalar(path: tuple[str, ...], name: Fragment, fragment: Fragment, text: str, quoted: bool, template: str) -> Entry:
    unfilled = template or (_UNFILLED.match(text) and text)
    value: Value = Opaque(unfilled) if unfilled else Known(text)
    return Entry(path, name, value, fragment, "string" if quoted else _kind(text))


def _kind(text: str) -> Literal["number", "string", "bool", "null", "other"]:
    if text.lower() in ("true", "false"):
        return "bool"
    if text in NULLS:
        return "null"
    return "number" if re.fullmatch(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", text) else "other"


def _by_client(launch: Launch) -> Request | None:
    """A call in a program: arguments by name, of an HTTP library (`json.options.x`) or of Ollama's own client."""
    entries = []
    texts = [word.text for word in launch.argv]
    for given in launch.given:
        if given.surface != "kwarg":
            continue
        path = tuple(part for part in given.name.text.split(".") if part)
        if path[:1] and path[0] in ("json", "data", "body", "payload") and len(path) > 1:
            path = path[1:]
        value = given.value
        if path in (("url",),) and value is not None:
            texts.append(value.text)
        if value is not None:
            text = value.text
            quoted = text[:1] in ("'", '"') and text[-1:] == text[:1] and len(text) > 1
            entries.append(
                Entry(
                    path, given.name.fragment, value.value, value.fragment, "string" if quoted else _kind(text), given
                )
            )
    url = next((match for text in texts if (match := _URL.fullmatch(text))), None)
    if url is not None:
        its = _ITS_HOST.search(url["host"]) or url["own"]
        return Request(url["own"] is not None, tuple(entries)) if its else None
    called = texts[0] if texts else ""
    own_client = re.match(r"ollama\b", called, re.IGNORECASE) and _CLIENT.search(called)
    return Request(True, tuple(entries)) if own_client else None
