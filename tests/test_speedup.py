"""The formulas, at values that papers print or that follow by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtpconfig.speedup import acceptance_probability, expected_tokens, tokens_from_positions

ALPHAS = st.floats(0, 1)
GAMMAS = st.integers(1, 64)


def closed_form(alpha: Fraction, gamma: int) -> Fraction:
    """Equation 1 of Leviathan et al. (arXiv:2211.17192)."""
    return (1 - alpha ** (gamma + 1)) / (1 - alpha)


@pytest.mark.parametrize("alpha", ["0", "0.3", "0.5", "0.8", "0.9", "0.999999999"])
@pytest.mark.parametrize("gamma", [0, 1, 2, 5, 8, 64])
def test_the_sum_is_the_closed_form(alpha: str, gamma: int) -> None:
    assert expected_tokens(float(alpha), gamma) == pytest.approx(float(closed_form(Fraction(alpha), gamma)), rel=1e-12)


@pytest.mark.parametrize("gamma", [1, 2, 3, 8, 1000])
def test_the_edges_are_exact(gamma: int) -> None:
    assert expected_tokens(0.0, gamma) == 1.0
    assert expected_tokens(1.0, gamma) == gamma + 1
    assert acceptance_probability(0.0, gamma) == 0.0
    assert acceptance_probability(1.0, gamma) == 1.0
    assert expected_tokens(0.4, 0) == 1.0


def test_one_draft_token_is_its_own_acceptance() -> None:
    assert acceptance_probability(0.37, 1) == 0.37


@pytest.mark.parametrize(
    ("ratio", "gamma", "alpha", "length"), [(0.81, 2, 0.87, 2.62), (0.56, 5, 0.81, 3.80), (0.40, 8, 0.79, 4.20)]
)
def test_published_ratios_belong_to_nearly_one_alpha(ratio: float, gamma: int, alpha: float, length: float) -> None:
    """Acceptance ratios that fall with gamma, as engines report them: .81, .56 and .40 at 2, 5 and 8."""
    assert acceptance_probability(ratio, gamma) == pytest.approx(alpha, abs=0.01)
    assert 1 + ratio * gamma == pytest.approx(length, abs=0.01)


def test_alpha_for_two_is_the_root_of_a_quadratic() -> None:
    """R = (alpha + alpha^2) / 2."""
    assert acceptance_probability(0.6, 2) == pytest.approx((math.sqrt(1 + 8 * 0.6) - 1) / 2, abs=1e-15)


@given(ALPHAS, GAMMAS)
def test_solving_undoes_the_formula(alpha: float, gamma: int) -> None:
    ratio = min(1.0, (expected_tokens(alpha, gamma) - 1) / gamma)
    solved = acceptance_probability(ratio, gamma)
    assert expected_tokens(solved, gamma) == pytest.approx(expected_tokens(alpha, gamma), rel=1e-12)


@given(ALPHAS, GAMMAS)
def test_positions_of_equal_acceptance_give_the_same_length(alpha: float, gamma: int) -> None:
    rates = [alpha**place for place in range(1, gamma + 1)]
    assert tokens_from_positions(rates) == pytest.approx(expected_tokens(alpha, gamma), rel=1e-12)


@pytest.mark.parametrize("alpha", [-0.1, 1.1, math.nan, math.inf])
def test_values_outside_their_range_are_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        expected_tokens(alpha, 3)
    with pytest.raises(ValueError, match="between 0 and 1"):
        acceptance_probability(alpha, 3)
    with pytest.raises(ValueError, match="between 0 and 1"):
        tokens_from_positions([0.5, alpha])


def test_gammas_outside_their_range_are_refused() -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        expected_tokens(0.5, -1)
    with pytest.raises(ValueError, match="at least 1"):
        acceptance_probability(0.5, 0)
