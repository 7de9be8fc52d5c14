"""One server, from its address to the word on it; and the exit code for several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from mtpconfig.engine import Engine
from mtpconfig.errors import Unreachable
from mtpconfig.evidence import Hints
from mtpconfig.hooks import engines
from mtpconfig.probe.address import Address, parse_address
from mtpconfig.probe.asked import Asked, Asking, differences
from mtpconfig.probe.client import HttpClient
from mtpconfig.probe.observation import Observation
from mtpconfig.probe.run import Plan, meet, observe
from mtpconfig.probe.verdict import Thresholds, Verdict, judge

ACTIVE, INACTIVE, UNREACHABLE, UNPROVEN = 0, 1, 2, 3
"""Exit codes."""

_GRAVEST_FIRST = (UNREACHABLE, INACTIVE, UNPROVEN, ACTIVE)


class Connection(Struct, frozen=True):
    """How servers are reached: seconds for each, headers for all, trusted certificates."""

    timeout: float = 60.0
    headers: Mapping[str, str] = field(default_factory=dict)
    ca_file: str | None = None


class Outcome(Struct, frozen=True):
    """What became of one server.

    error        why it could not be asked, one sentence; then there is no observation
    differences  between what was asked for and what runs, a sentence each
    """

    url: str
    observation: Observation | None = None
    verdict: Verdict | None = None
    hints: Hints = Hints()
    asked: Asked | None = None
    differences: tuple[str, ...] = ()
    error: str = ""

    @property
    def code(self) -> int:
        """The exit code: what is not as it was asked for counts as inactive."""
        if self.verdict is None:
            return UNREACHABLE
        code = {"active": ACTIVE, "inactive": INACTIVE, "unproven": UNPROVEN}[self.verdict.state]
        return INACTIVE if code == ACTIVE and self.differences else code


def verify(
    address: Address | str,
    plan: Plan | None = None,
    connection: Connection | None = None,
    thresholds: Thresholds | None = None,
    asking: Asking | None = None,
    known: Mapping[str, Engine] | None = None,
) -> Outcome:
    """Ask one server and judge it.

    address     where it is, e.g. `http://127.0.0.1:8080`
    asking      what to compare with, see `asked`
    known       engines by id whose servers are recognised; all installed ones if not given

    A server's failure is an outcome. Raises UsageError for what cannot be asked, such as an address that is none.
    """
    address = parse_address(address) if isinstance(address, str) else address
    plan, connection = plan or Plan(), connection or Connection()
    client = HttpClient(address, connection.timeout, connection.headers, connection.ca_file)
    try:
        met = meet(client, engines() if known is None else known, plan)
        asked = asking(met.engine, met.version) if asking is not None else None
        if asked is not None and asked.spec.temperature:
            plan = replace(plan, temperatures=tuple(dict.fromkeys((*plan.temperatures, asked.spec.temperature))))
        observation = observe(client, met, plan)
    except Unreachable as error:
        return Outcome(address.shown, error=str(error))
    finally:
        client.close()
    verdict = judge(observation, thresholds)
    found = differences(asked, observation, verdict, plan.max_tokens) if asked is not None else ()
    return Outcome(address.shown, observation, verdict, met.probe.hints, asked, found)


def exit_code(outcomes: Sequence[Outcome]) -> int:
    """The gravest of several: unreachable before inactive before unproven before active."""
    codes = {outcome.code for outcome in outcomes}
    return next(code for code in _GRAVEST_FIRST if code in codes)
