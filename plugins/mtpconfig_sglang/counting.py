"""From SGLang's own figures, which changed their names and their meaning, to counts that mean the same everywhere.

Of one request (`meta_info` of `/generate`):

- 0.4.2 to 0.5.5.post2: `spec_verify_ct`, the verification steps. From 0.5.3.post2 on there is a rate too, which stays 0
  with n-gram drafts, and at first with the overlapping worker: not read. Each step gives one token besides the
  accepted ones, and the first token of all comes from the prompt, so that `completion_tokens - 1 - steps` were
  accepted; an answer that is cut within a step makes it a few less.
- 0.5.5.post3 to 0.5.10.post1: `spec_accept_token_num` and `spec_draft_token_num`, without the token that each step
  gives anyway; not with n-gram drafts before 0.5.6. Drafted tokens are steps times `num_steps` in 0.5.5.post3, which
  counts a tree short, and times `num_draft_tokens - 1` from 0.5.6 on.
- 0.5.11: `spec_accepted_drafts` and `spec_proposed_drafts`; 0.5.12 on: `spec_num_correct_drafts` and
  `spec_num_proposed_drafts`.
- 0.5.9 to 0.5.20 `spec_accept_histogram`, 0.5.12 on `spec_correct_drafts_histogram`: place j holds the steps that
  accepted exactly j.
- to 0.5.6.post2 all of them are 0 while nothing was drafted; from 0.5.7 on they are absent then.

Of all requests (`/metrics`): `sglang:spec_accept_length` (0.4.1.post7 on) averages the last forty steps or so, the
token that each step gives anyway included; `sglang:spec_accept_rate` (0.5.3.post2 on) included it up to 0.5.10.post1
and does not from 0.5.11 on: not read. Both are 0 when speculation is off. From 0.5.13 on
`sglang:spec_verify_calls_total` counts the steps of finished requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mtpconfig.evidence import Counts
from mtpconfig.version import PEP440, Version
from mtpconfig_sglang.server_info import Setup, positive

_STEPS = "spec_verify_ct"
_ACCEPTED = ("spec_num_correct_drafts", "spec_accepted_drafts", "spec_accept_token_num")
_DRAFTED = ("spec_num_proposed_drafts", "spec_proposed_drafts", "spec_draft_token_num")
_HISTOGRAM = ("spec_correct_drafts_histogram", "spec_accept_histogram")
_ABSENT_WHEN_ZERO = PEP440.parse("0.5.7")
_FORCED = 100  # the token that takes every place where acceptance is simulated
_MANY = 16


def of_request(told: Mapping[str, Any], tokens: int, setup: Setup, version: Version | None) -> Counts | None:
    """What a response tells of its own speculation.

    told    `meta_info`, or the same names elsewhere in a response
    tokens  tokens generated

    None when it tells nothing, or too little for a count.
    """
    steps = told.get(_STEPS)
    if steps is None:
        silent = setup.algorithm and version is not None and version >= _ABSENT_WHEN_ZERO
        return Counts(0, 0, 0) if silent else None
    if steps == 0:
        return Counts(0, 0, 0)
    if positive(steps) is None:
        return None
    accepted = _first(told, _ACCEPTED)
    if accepted is None:
        return reckoned(steps, tokens, 1, setup.drafted)
    drafted = steps * setup.drafted if setup.drafted is not None else _first(told, _DRAFTED)
    if drafted is None:
        return None
    drafted = max(drafted, accepted) if setup.adaptive else drafted
    return Counts(drafted, accepted, steps, _positions(told, steps, setup.gamma))


def reckoned(steps: int, tokens: int, requests: int, each: int | None) -> Counts | None:
    """Counts from the number of steps, the tokens that requests got, and the draft tokens of each step."""
    if steps == 0:
        return Counts(0, 0, 0)
    if each is None:
        return None
    return Counts(steps * each, min(max(tokens - requests - steps, 0), steps * each), steps)


def simulated(output: object) -> bool:
    """Whether an answer's tokens are those of simulated acceptance: all but the first are number 100.

    So it is where SGLANG_SIMULATE_ACC_LEN is above 0 (SIMULATE_ACC_LEN from 0.4.4.post4 to 0.5.3rc0), unless
    SGLANG_SIMULATE_ACC_TOKEN_MODE (later ones) keeps the drafts' tokens, which cannot be told from real ones.
    """
    return isinstance(output, list) and len(output) > _MANY and all(token == _FORCED for token in output[1:])


def _first(told: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    """The first of several names that holds a count."""
    values = (told.get(name) for name in names)
    return next((value for value in values if value == 0 or positive(value) is not None), None)


def _positions(told: Mapping[str, Any], steps: int, gamma: int | None) -> tuple[int, ...]:
    """By position in how many steps it was accepted; empty where the histogram does not hold all steps."""
    histogram = next((rows for name in _HISTOGRAM if isinstance(rows := told.get(name), list)), [])
    if not all(isinstance(count, int) for count in histogram) or sum(histogram) != steps:
        return ()
    return tuple(sum(histogram[place:]) for place in range(1, max(len(histogram), (gamma or 0) + 1)))
