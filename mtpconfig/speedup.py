"""Arithmetic of speculative decoding. Pure functions; gamma is the number of draft tokens proposed per step.

The model is that of Leviathan, Kalman and Matias, "Fast Inference from Transformers via Speculative Decoding" (ICML
2023, arXiv:2211.17192), section 3.1: each draft token is accepted with the same probability alpha, given that all
before it were, so that a step emits 1 + alpha + ... + alpha^gamma tokens (their equation 1).
"""

from __future__ import annotations

from collections.abc import Sequence


def expected_tokens(alpha: float, gamma: int) -> float:
    """E(alpha, gamma): tokens emitted per verification step, at least 1 and at most gamma + 1.

    alpha  probability (0..1) that a draft token is accepted, given that all before it in its step were
    gamma  draft tokens per step (>= 0)

    The closed form (1 - alpha^(gamma+1)) / (1 - alpha) has no value at 1 and loses digits near it; the sum has neither
    fault. Raises ValueError outside the ranges.
    """
    _check("alpha", alpha)
    if gamma < 0:
        raise ValueError(f"gamma must not be negative, not {gamma}")
    total = 1.0
    for _ in range(gamma):
        total = 1.0 + alpha * total
    return total


def acceptance_probability(ratio: float, gamma: int) -> float:
    """The alpha (0..1) at which counters show `ratio`: the solution of ratio = (E(alpha, gamma) - 1) / gamma.

    ratio  accepted / proposed draft tokens (0..1), which falls as gamma grows although alpha does not
    gamma  draft tokens per step (>= 1)

    Exact at 0 and 1 and for gamma 1; else to the last bits of a double. Raises ValueError outside the ranges.
    """
    _check("ratio", ratio)
    if gamma < 1:
        raise ValueError(f"gamma must be at least 1, not {gamma}")
    if ratio in (0.0, 1.0) or gamma == 1:
        return float(ratio)
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if expected_tokens(middle, gamma) - 1 < ratio * gamma:
            low = middle
        else:
            high = middle
    return high


def tokens_from_positions(rates: Sequence[float]) -> float:
    """E from measured acceptance: 1 + the sum of the shares of steps in which position 1, 2 ... was accepted (0..1).

    Needs no assumption about alpha, and is preferred where an engine counts positions.
    """
    for rate in rates:
        _check("a position's rate", rate)
    return 1.0 + sum(rates)


def _check(name: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} must lie between 0 and 1, not {value}")
