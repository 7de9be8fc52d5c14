"""Requests to a running Ollama: the body of a `curl` command, or what a client in a program is given.

A request to `/api/...` carries its options in `options` (`parameters` in a request to create a model). The routes that
other vendors' clients use (`/v1/...`) make the options up themselves and drop what they do not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from mtpconfig.launch import ALWAYS, Guard, Known, Launch, Member, Opaque, Value, Word
from mtpconfig.text import Fragment
from mtpconfig.text.json_ import read_json
from mtpconfig.text.structured import Node, members

MARKER = "a request"
HOLDERS = ("options", "parameters")
NULL = "null"

_URL = re.compile(
    r"(?P<host>.{0,300}?)/(?:(?P<own>api/(?:generate|chat|embed|embeddings|create))"
    r"|(?P<other>v1/(?:chat/completions|completions|responses|messages|embeddings)))/?(?:[?#].*)?\Z",
    re.DOTALL,
)
_ITS_HOST = re.compile(r"ollama|:11434(?!\d)", re.IGNORECASE)
_DRAFTING = re.compile(r"(?:draft|spec|num_draft|num_spec)\w*", re.IGNORECASE)
_CLIENT = re.compile(r"(?:^|\.)(?:_?\w*client\w*(?:\(\))?\.)?(?:generate|chat|embed|create)\Z", re.IGNORECASE)
_DATA = ("-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json")
_BODIES = ("json", "data", "content", "body")
"""What HTTP libraries call the body of a request."""

_UNFILLED = re.compile(r"\$|\{\{|<")


class Entry(Struct, frozen=True, eq=False):
    """One thing that a request says.

    path    the keys that lead to it: `("options", "draft_num_predict")`
    kind    what it is in JSON: an int or a float is a number
    member  its place in the object that holds it; None for an argument by itself
    """

    path: tuple[str, ...]
    name: Fragment
    value: Value
    fragment: Fragment | None
    kind: Literal["number", "string", "bool", "null", "other"]
    guard: Guard = ALWAYS
    member: Member | None = None


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
        return _by_call(launch)
    if not launch.argv or re.split(r"[/\\]", launch.argv[0].text)[-1] not in ("curl", "curl.exe"):
        return None
    url = next((match for word in launch.argv[1:] if (match := _URL.fullmatch(word.text))), None)
    body = _body(launch.argv[1:])
    if url is None or body is None:
        return None
    if not _ITS_HOST.search(url["host"]) and not (url["own"] and '"draft_num_predict"' in body.text):
        return None
    return Request(url["own"] is not None, tuple(_entries(body)))


def _body(words: tuple[Word, ...]) -> Word | None:
    """The text that a curl command sends, where it stands in the command."""
    for place, word in enumerate(words):
        if word.text in _DATA and place + 1 < len(words):
            return words[place + 1]
        if word.text.startswith("-d{"):
            return word.part(2, len(word.text))
    return None


def _by_call(launch: Launch) -> Request | None:
    """A call in a program: of an HTTP library, with the body as JSON, or of Ollama's own client, with its parts."""
    named = {given.name.text: given.value for given in launch.given if given.surface == "kwarg" and given.value}
    url = next((match for word in _addresses(launch, named) if (match := _URL.fullmatch(word.text))), None)
    if url is not None:
        body = next((named[name] for name in _BODIES if name in named), None)
        if body is None or not (_ITS_HOST.search(url["host"]) or url["own"]):
            return None
        return Request(url["own"] is not None, tuple(_entries(body)))
    called = launch.argv[0].text if launch.argv else ""
    if not (re.match(r"ollama\b", called, re.IGNORECASE) and _CLIENT.search(called)):
        return None
    entries: list[Entry] = []
    for name, value in named.items():
        if name in HOLDERS:
            entries += _entries(value, (name,))
        else:
            entries.append(Entry((name,), value.fragment, value.value, value.fragment, "other", value.guard))
    return Request(True, tuple(entries))


def _addresses(launch: Launch, named: Mapping[str, Word]) -> Iterator[Word]:
    yield from launch.argv[1:]
    yield from (named[name] for name in ("url",) if name in named)


def _entries(body: Word, path: tuple[str, ...] = ()) -> Iterator[Entry]:
    """The keys at the top of a JSON object, and those of its options; nothing of what is no JSON."""
    root = read_json(body.fragment, body.holes).root
    return _inside(body, root, path) if root is not None else iter(())


def _inside(body: Word, node: Node, path: tuple[str, ...]) -> Iterator[Entry]:
    for entry, member in members(body.fragment, node):
        here, value = (*path, entry.key.text), entry.value
        if value.type == "object" and len(here) == 1 and here[0] in HOLDERS:
            yield from _inside(body, value, here)
        else:
            yield Entry(here, entry.key.fragment, _known(body, value), value.fragment, _kind(value), body.guard, member)


def _known(body: Word, node: Node) -> Value:
    if node.type in ("object", "list"):
        return Opaque("a list or a map")
    return Opaque(node.text) if _UNFILLED.match(node.text) else body.value_in(*node.span, node.text)


def _kind(node: Node) -> Literal["number", "string", "bool", "null", "other"]:
    if node.type in ("number", "string"):
        return "number" if node.type == "number" else "string"
    if node.text in ("true", "false"):
        return "bool"
    return "null" if node.text == NULL else "other"
