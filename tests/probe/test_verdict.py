"""From counts to figures, and from figures to a word: by hand, and for whatever counts there may be."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtpconfig.evidence import BadCounters, Counters, Counts, Hints, Sample
from mtpconfig.probe.address import parse_address
from mtpconfig.probe.metrics import read_metrics
from mtpconfig.probe.observation import Observation, Round, evidence_of, figures
from mtpconfig.probe.report import json_, text
from mtpconfig.probe.verdict import LEAST_TOKENS, Thresholds, judge
from mtpconfig.probe.verify import Outcome, exit_code
from mtpconfig.spec import MTPSpec

NONE = Counters(why="nothing counts")


def seen(*rounds: Round, **fields: Any) -> Observation:
    return Observation("http://127.0.0.1:1", "x", "X", None, rounds, **fields)


def told(drafted: int, accepted: int, steps: int | None, tokens: int = 128, **fields: Any) -> Round:
    """A round whose one response tells everything."""
    return Round(0.0, NONE, NONE, (Sample(tokens, Counts(drafted, accepted, steps), **fields),))


def test_figures_by_hand() -> None:
    """133 drafted and 93 accepted in 34 steps of four."""
    counts = Counts(133, 93, 34, (30, 25, 19, 19))
    found = figures(evidence_of(Round(0.0, NONE, NONE, (Sample(128, counts, 4, 0.1),))))
    assert found.ratio == pytest.approx(0.699, abs=5e-4)
    assert found.length == pytest.approx(3.735, abs=5e-4)
    assert found.positions == pytest.approx((0.88, 0.74, 0.56, 0.56), abs=5e-3)
    assert found.alpha == pytest.approx(0.862, abs=5e-4)
    assert found.speed == pytest.approx(1270)


@pytest.mark.parametrize(
    ("drafted", "accepted", "steps", "state", "kind"),
    [
        (0, 0, 0, "inactive", "idle"),
        (19, 19, 7, "unproven", ""),
        (20, 19, 7, "active", ""),
        (300, 0, 100, "inactive", "rejecting"),
        (300, 4, 100, "inactive", "rejecting"),
        (300, 5, 100, "active", ""),
        (300, 301, 100, "unproven", ""),
        (30, 10, 31, "unproven", ""),
    ],
)
def test_the_borders(drafted: int, accepted: int, steps: int, state: str, kind: str) -> None:
    """Twenty draft tokens, and 1.05 tokens per step."""
    found = judge(seen(told(drafted, accepted, steps)))
    assert (found.state, found.kind) == (state, kind)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (Counts(20, 500, 10, (10, 10)), "500 accepted of 20 drafted"),
        (Counts(0, 3, 0), "3 accepted of 0 drafted"),
        (Counts(30, 10, 31), "31 steps with 30 drafted"),
    ],
)
@pytest.mark.parametrize("by_counters", [False, True])
def test_counts_that_cannot_be_become_a_reason_and_no_number(counts: Counts, said: str, by_counters: bool) -> None:
    zero = Counters(Counts(0, 0, 0), requests=0, tokens=0)
    after = Counters(counts, loaded=True, gamma=2, requests=1, tokens=128)
    counted = Round(0.0, zero, after, (Sample(128),))
    observation = seen(counted if by_counters else Round(0.0, NONE, NONE, (Sample(128, counts, 2),)))
    found = judge(observation)
    shown = text([Outcome("http://127.0.0.1:1", observation, found)])
    assert found.state == "unproven" and said in found.reasons[0]
    assert not any(mark in shown for mark in (" r ", " E ", "position", "γ"))


def test_positions_that_cannot_be_are_left_out_alone() -> None:
    one = Round(0.0, NONE, NONE, (Sample(128, Counts(100, 60, 50, (300, 20)), 2),))
    found = judge(seen(one))
    assert found.state == "active" and found.decisive.figures.positions == ()
    assert found.decisive.figures.length == pytest.approx(2.2)
    assert "by position" in text([Outcome("http://127.0.0.1:1", seen(one), found)])


def test_causes_of_drafts_in_vain_are_not_named_for_a_ratio_that_is_only_too_low() -> None:
    hints = Hints(rejecting=("the head does not belong to it",))
    for accepted, likely in ((231, False), (3, True), (0, True)):
        observation = seen(told(300, accepted, 100))
        found = judge(observation, Thresholds(min_acceptance=0.9))
        shown = text([Outcome("http://127.0.0.1:1", observation, found, hints)])
        assert found.kind == "rejecting" and ("likely" in shown) is likely


def test_few_tokens_without_a_draft_prove_nothing() -> None:
    assert judge(seen(told(0, 0, 0, LEAST_TOKENS - 1))).state == "unproven"
    assert judge(seen(told(0, 0, 0, LEAST_TOKENS))).state == "inactive"


def test_the_graver_temperature_decides() -> None:
    greedy, warm = told(300, 200, 100), Round(0.7, NONE, NONE, (Sample(128, Counts(300, 1, 100)),))
    found = judge(seen(greedy, warm))
    assert (found.state, found.kind) == ("inactive", "rejecting") and found.reasons[0].startswith("at temperature 0.7")
    cold = Round(0.7, NONE, NONE, (Sample(3, Counts(0, 0, 0)),))
    assert judge(seen(greedy, cold)).state == judge(seen(cold, greedy)).state == "active"


def test_what_the_server_reports_tells_off_from_idle() -> None:
    quiet = Round(0.0, NONE, NONE, (Sample(128),))
    assert judge(seen(quiet)).state == "unproven"
    off = judge(seen(quiet, spec=MTPSpec(state="off")))
    assert (off.state, off.kind) == ("inactive", "off")
    on = judge(seen(told(0, 0, 0), spec=MTPSpec(state="on")))
    assert (on.kind, on.decisive.evidence.loaded) == ("idle", True)


COUNTS = st.one_of(
    st.none(),
    st.builds(
        Counts,
        st.integers(0, 500),
        st.integers(0, 500),
        st.one_of(st.none(), st.integers(0, 300)),
        st.lists(st.integers(0, 300), max_size=5).map(tuple),
    ),
)
NUMBERS = st.one_of(st.none(), st.integers(0, 2000))
COUNTERS = st.builds(
    Counters,
    COUNTS,
    loaded=st.sampled_from([None, True, False]),
    gamma=st.one_of(st.none(), st.integers(1, 20)),
    requests=NUMBERS,
    tokens=NUMBERS,
    seconds=st.one_of(st.none(), st.floats(0, 100)),
    exact=st.booleans(),
)
SAMPLES = st.lists(
    st.builds(
        Sample,
        st.integers(0, 300),
        COUNTS,
        st.one_of(st.none(), st.integers(1, 20)),
        st.one_of(st.none(), st.floats(0.001, 100)),
    ),
    max_size=3,
).map(tuple)
ROUNDS = st.builds(
    Round, st.sampled_from([None, 0.0, 0.7]), COUNTERS, COUNTERS, SAMPLES, st.sampled_from(["", "refused"])
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(ROUNDS, min_size=1, max_size=2), st.floats(0, 1), st.integers(1, 50))
def test_whatever_was_seen_is_judged_and_told(rounds: list[Round], least: float, drafts: int) -> None:
    observation = seen(*rounds)
    found = judge(observation, Thresholds(least, drafts))
    decisive = found.decisive
    if found.state == "active":
        counts = decisive.evidence.counts
        assert counts is not None and counts.accepted > 0 and counts.drafted >= drafts
        assert decisive.figures.ratio is not None and decisive.figures.ratio >= least
    else:
        assert found.reasons
    for one in found.rounds:
        numbers = [one.figures.ratio, one.figures.alpha, one.figures.length, one.figures.speed]
        assert all(number is None or math.isfinite(number) for number in numbers)
    outcome = Outcome("http://127.0.0.1:1", observation, found)
    assert text([outcome]).startswith(found.state.upper()) and json_([outcome])
    assert outcome.code == {"active": 0, "inactive": 1, "unproven": 3}[found.state]


def test_the_gravest_code_of_several() -> None:
    active, unproven = (Outcome("a", seen(one), judge(seen(one))) for one in (told(300, 200, 100), told(0, 0, 0, 3)))
    inactive = Outcome("b", seen(told(0, 0, 0)), judge(seen(told(0, 0, 0))))
    gone = Outcome("c", error="gone")
    assert exit_code([active]) == 0
    assert exit_code([active, unproven]) == 3
    assert exit_code([unproven, inactive, active]) == 1
    assert exit_code([inactive, gone, unproven]) == 2
    assert Outcome("d", active.observation, active.verdict, differences=("it differs",)).code == 1


@pytest.mark.parametrize(
    ("given", "base", "shown"),
    [
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://x:8000/v1/", "http://x:8000", "http://x:8000"),
        ("https://me:pass@x/upstream/qwen", "https://me:pass@x/upstream/qwen", "https://x/upstream/qwen"),
        ("http://[::1]:8080", "http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_addresses(given: str, base: str, shown: str) -> None:
    address = parse_address(given)
    assert (address.base, address.shown) == (base, shown)


def test_one_server_is_scheme_host_and_port() -> None:
    address = parse_address("http://x/a")
    assert address.same_server("http://x:80/b?c") and not address.same_server("https://x/a")
    assert not address.same_server("http://x:8080/a") and not address.same_server("http://y/a")


METRICS = """# HELP x:drafts_total Drafts.
# TYPE x:drafts_total counter
x:drafts_total{engine="0",model="a \\"b\\" {c}"} 5
x:drafts_total{engine="1"} 7.0
x:per_pos_total{engine="0",position="0"} 4
x:per_pos_total{engine="1",position="0"} 3
x:per_pos_total{engine="0",position="1"} 2
x:per_pos_total{engine="0",position="3"} 1
# TYPE x:declared gauge
y:drafts_total 100
x:seconds_sum 1.25
x:bad NaN
"""


def test_samples_are_summed_over_labels() -> None:
    metrics = read_metrics(METRICS, "x:")
    assert metrics.count("x:drafts_total") == 12 and metrics.count("x:drafts") is None
    assert metrics.positions("x:per_pos_total") == (7, 2)  # position 2 is missing, so nothing follows it
    assert {"x:drafts", "x:declared"} <= metrics.families and "y:drafts" not in metrics.families
    assert metrics.number("x:seconds_sum") == 1.25 and metrics.number("x:bad") is None
    with pytest.raises(BadCounters, match="x:bad is nan"):
        metrics.count("x:bad")


@settings(deadline=None)  # the first one imports the parser
@given(st.text(max_size=200))
def test_any_text_is_metrics_or_malformed(noise: str) -> None:
    try:
        read_metrics(f"x:{noise}\n# TYPE x:a {noise}\n{noise}", "x:")
    except BadCounters as error:
        assert "malformed" in str(error)
