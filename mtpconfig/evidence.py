"""What a running server can be asked, and what comes back: the part of the engine contract that `verify` uses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from mtpconfig.errors import MtpconfigError
from mtpconfig.version import Version


class BadCounters(MtpconfigError):
    """Counters that cannot be read: not finite, negative, malformed. The message is half a sentence that says why."""


class Answer(Struct, frozen=True):
    """A server's answer, whatever its status.

    headers  names in lower case
    """

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as UTF-8; what is none is replaced."""
        return self.body.decode("utf-8", "replace")

    @property
    def kind(self) -> str:
        """The media type without parameters, e.g. `text/html`."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def json(self) -> Any:
        """The decoded body; None when it is not JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    def object(self) -> dict[str, Any]:
        """The decoded body of a successful answer when it is a JSON object; else an empty one."""
        data = self.json() if self.status == 200 else None
        return data if isinstance(data, dict) else {}


class Client(Protocol):
    """Asks one server. Raises Unreachable when no complete answer comes, whatever the reason."""

    def get(self, path: str) -> Answer:
        """GET a path below the given address."""
        ...

    def post(self, path: str, body: Mapping[str, Any]) -> Answer:
        """POST JSON to a path below the given address."""
        ...


class Counts(Struct, frozen=True):
    """Speculation counted over some stretch: since a server's start, between two moments, or in one request.

    drafted    draft tokens proposed
    accepted   those that were accepted
    steps      verification steps that had a draft; None where the engine does not say
    positions  in how many steps the draft token at position 1, 2 ... was accepted; empty where the engine does not say
    """

    drafted: int
    accepted: int
    steps: int | None = None
    positions: tuple[int, ...] = ()

    def __add__(self, other: Counts) -> Counts:
        return _combined(self, other, 1)

    def __sub__(self, other: Counts) -> Counts:
        return _combined(self, other, -1)


def _combined(one: Counts, other: Counts, sign: int) -> Counts:
    steps = None if one.steps is None or other.steps is None else one.steps + sign * other.steps
    length = max(len(one.positions), len(other.positions))
    rows = [[*counts.positions, *[0] * (length - len(counts.positions))] for counts in (one, other)]
    positions = tuple(a + sign * b for a, b in zip(*rows)) if steps is not None else ()
    return Counts(one.drafted + sign * other.drafted, one.accepted + sign * other.accepted, steps, positions)


class Sample(Struct, frozen=True):
    """One request that was answered.

    tokens   tokens generated
    counts   what the response itself tells of speculation; None when it tells nothing
    longest  the longest draft of any step, where the response tells it
    seconds  time from the first token to the last, by the server's own clock
    methods  how drafts are made, as the response tells it (names of `spec.METHODS`)
    """

    tokens: int
    counts: Counts | None = None
    longest: int | None = None
    seconds: float | None = None
    methods: tuple[str, ...] = ()


class Counters(Struct, frozen=True):
    """A server's own totals at one moment, over all its users.

    counts    since the server's start; None when it does not count
    why       why `counts` is None: a clause that can stand behind "no counters:"
    source    where they stand, e.g. `/metrics`
    loaded    whether the server says that speculation is set up; None when it does not say
    gamma     the draft length that the server is set to, where the counters show it
    requests  requests finished since the start
    tokens    tokens generated since the start
    seconds   time that finished requests took from their first token to their last, summed
    exact     False when only growth means something, as the engine counts things more than once or late
    """

    counts: Counts | None = None
    why: str = ""
    source: str = "/metrics"
    loaded: bool | None = None
    gamma: int | None = None
    requests: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    exact: bool = True


class Found(Struct, frozen=True):
    """A server that an engine recognised as its own.

    version  the version as the server states it; "" when it states none
    model    the name to ask for in requests, where the engine needs one
    note     a sentence about what the server misstates or withholds
    """

    version: str = ""
    model: str = ""
    note: str = ""


class Ask(Struct, frozen=True):
    """One completion to ask for."""

    prompt: str
    max_tokens: int
    temperature: float
    model: str = ""


class Request(Struct, frozen=True):
    """What is posted where."""

    path: str
    body: Mapping[str, Any]


class Hints(Struct, frozen=True):
    """What most likely lies behind each kind of inactivity, the likeliest first; a clause each.

    warm  behind drafts that are rejected at a temperature above 0, besides `rejecting`
    """

    off: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    rejecting: tuple[str, ...] = ()
    warm: tuple[str, ...] = ()


class Probe(Protocol):
    """How one engine's servers are asked. Nothing here raises besides what the client raises, and BadCounters."""

    hints: Hints

    def recognise(self, client: Client) -> Found | None:
        """Whether the server is one of this engine's; forks that carry their own name are not."""
        ...

    def reported(self, client: Client, found: Found) -> Sequence[str]:
        """The settings that the server reports, as the words of a launch; empty when it reports none."""
        ...

    def counters(self, client: Client, version: Version | None) -> Counters:
        """The server's totals now."""
        ...

    def request(self, ask: Ask) -> Request:
        """How a completion is asked for, so that the response tells as much as it can."""
        ...

    def sample(self, answer: Answer) -> Sample | None:
        """What a successful response tells; None when it is no response of this engine."""
        ...


@runtime_checkable
class LogReading(Protocol):
    """A probe that also understands the log of its servers, which a user may hand over."""

    def logged(self, text: str) -> Counters:
        """What a stretch of a log counts, from its first line to its last."""
        ...


@runtime_checkable
class Switching(Protocol):
    """A probe whose requests can be asked without drafts, which makes the server load the model once more.

    It is only used where a user allows it: whoever else uses the model waits for that.
    """

    def switches(self, client: Client, found: Found) -> bool:
        """Whether drafting can be switched off for the model that is asked for."""
        ...

    def without_drafts(self, request: Request) -> Request:
        """The same request, with drafting switched off for it."""
        ...
