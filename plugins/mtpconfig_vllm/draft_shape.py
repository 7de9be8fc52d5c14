"""Numbers of a draft that must fit together: the room for it in a batch, the rates of synthetic acceptance.

Facts: config/vllm.py, `_set_max_num_scheduled_tokens` (0.20.0 on); config/speculative.py,
`max_num_new_slots_for_drafting` and `_resolve_synthetic_acceptance_rates`; engine/arg_utils.py, `get_batch_defaults`.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence

from mtpconfig.engine import Check, Reading
from mtpconfig.launch import Setting
from mtpconfig.match import Match
from mtpconfig.version import PEP440

_PARALLEL = {"dflash": PEP440.parse("0.20.0"), "dspark": PEP440.parse("0.25.0")}
"""Methods that draft all tokens at once, and since when they take room for them in the batch."""

_ONE_DRAFT_SINCE = PEP440.parse("0.28.0")
"""The first release that wants room for one draft, and no longer for a draft of each request at once."""
_RATES_SINCE = PEP440.parse("0.20.0")

_DEFAULTS = {
    "vllm serve": ((1024, 8192), (256, 2048)),
    "api_server": ((1024, 8192), (256, 2048)),
    "LLM": ((1024, 16384), (256, 8192)),
}
"""Requests at once and tokens of a batch: on GPUs of 70 GB and more, and on others. Other devices have their own."""

_OTHER_DEVICES = re.compile(r"cpu|tpu|xpu|neuron|hpu|ascend|rocm")
_TOKENS, _METHOD = "spec.num_speculative_tokens", "spec.method"
_SEQS, _BATCH = "max-num-seqs", "max-num-batched-tokens"


def draft_slots(reading: Reading) -> Sequence[Match]:
    """A draft of parallel tokens that leaves no token to schedule (MTP205), whatever GPU it is."""
    tokens, method = _only(reading, _TOKENS), _only(reading, _METHOD)
    since = _PARALLEL.get((method.text or "") if method is not None else "")
    if tokens is None or since is None or reading.version < since or not reading.closed:
        return ()
    draft = _integer(tokens)
    if draft is None:
        return ()
    slots = draft - 1  # from 0.28 on one or two more for some
    if reading.version >= _ONE_DRAFT_SINCE:
        return _one_draft(reading, tokens, slots)
    if "max-num-scheduled-tokens" in reading.by_option or "enable-chunked-prefill" in reading.by_option:
        return ()
    room = _room(reading)
    if not room:
        return ()
    if any(batch - slots * seqs > 0 for seqs, batch in room):
        return ()
    seqs, batch = room[-1]
    return (
        Match(
            anchor=tokens.value_fragment or tokens.name,
            message=f"vLLM {reading.version} does not start: {seqs} drafts of {draft} parallel tokens leave no room "
            f"in a batch of {batch}",
            setting=tokens,
            detail=f"{slots} x {seqs} of {batch} tokens",
            help=f"lower num_speculative_tokens or `--{_SEQS}`, or raise `--{_BATCH}`",
            about_value=True,
        ),
    )


def _one_draft(reading: Reading, tokens: Setting, slots: int) -> Sequence[Match]:
    """A batch that is said to be smaller than what one draft takes; the batch of no GPU is by itself."""
    batch = _given(reading, _BATCH)
    if not batch or batch > slots:
        return ()
    return (
        Match(
            anchor=tokens.value_fragment or tokens.name,
            message=f"vLLM {reading.version} does not start: one draft of {slots + 1} parallel tokens leaves no room "
            f"in a batch of {batch}",
            setting=tokens,
            detail=f"{slots} of {batch} tokens",
            help=f"lower num_speculative_tokens, or raise `--{_BATCH}`",
            about_value=True,
        ),
    )


def _room(reading: Reading) -> Sequence[tuple[int, int]]:
    """The pairs of requests and batch that may be in force; none where that cannot be told."""
    seqs, batch = _given(reading, _SEQS), _given(reading, _BATCH)
    if seqs is None or batch is None:
        return ()
    if seqs and batch:
        return ((seqs, batch),)
    image = reading.launch.image
    if image is not None and _OTHER_DEVICES.search(image.text):
        return ()
    return tuple((seqs or usual, batch or size) for usual, size in _DEFAULTS.get(reading.program, ()))


def _given(reading: Reading, option: str) -> int | None:
    """The number that an option is given, 0 if it is not given, None if it cannot be told."""
    if option not in reading.by_option:
        return 0
    setting = _only(reading, option)
    return _integer(setting) if setting is not None else None


def synthetic_rates(reading: Reading) -> Sequence[Match]:
    """Synthetic rates that do not fit the number of draft tokens (MTP205)."""
    method, tokens = _only(reading, "spec.rejection_sample_method"), _only(reading, _TOKENS)
    if reading.version < _RATES_SINCE or method is None or method.text != "synthetic":
        return ()
    draft = _integer(tokens) if tokens is not None else None
    rates = _only(reading, "spec.synthetic_acceptance_rates")
    length = _only(reading, "spec.synthetic_acceptance_length")
    if rates is not None and length is not None:
        return (_mismatch(reading, rates, "synthetic_acceptance_rates and _length exclude each other", "say one"),)
    if draft is None:
        return ()
    if rates is not None and (values := _numbers(rates)) is not None:
        falling = all(later <= earlier for earlier, later in itertools.pairwise(values))
        if len(values) != draft or not falling or not all(0 <= value <= 1 for value in values):
            said = f"synthetic_acceptance_rates must be {draft} numbers from 0 to 1, none above the one before"
            return (_mismatch(reading, rates, said, f"give {draft} rates that do not rise"),)
    if length is not None and (value := _number(length)) is not None and not 1 <= value <= draft + 1:
        said = f"synthetic_acceptance_length must lie between 1 and {draft + 1}"
        return (_mismatch(reading, length, said, f"write a length between 1 and {draft + 1}"),)
    return ()


def _mismatch(reading: Reading, setting: Setting, said: str, help_: str) -> Match:
    return Match(
        anchor=setting.value_fragment or setting.name,
        message=f"vLLM {reading.version} does not start: {said}",
        setting=setting,
        detail="does not fit",
        help=help_,
        about_value=True,
    )


def _only(reading: Reading, option: str) -> Setting | None:
    found = reading.effective(option)
    return found[0] if len(found) == 1 else None


def _integer(setting: Setting) -> int | None:
    text = setting.text or ""
    return int(text) if re.fullmatch(r"\d{1,9}", text) else None


def _number(setting: Setting) -> float | None:
    try:
        return float(setting.text or "")
    except ValueError:
        return None


def _numbers(setting: Setting) -> list[float] | None:
    try:
        found = json.loads(setting.text or "")
    except (ValueError, RecursionError):
        return None
    plain = isinstance(found, list) and all(isinstance(n, int | float) and not isinstance(n, bool) for n in found)
    return [float(number) for number in found] if plain else None


CHECKS: Mapping[str, Check] = {"draft-slots": draft_slots, "synthetic-rates": synthetic_rates}
