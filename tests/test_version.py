from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtpconfig.errors import UsageError
from mtpconfig.version import BUILD, PEP440, SCHEMES, Version, VersionRange, sample


@pytest.mark.parametrize(
    ("text", "spelt"), [("b11434", "b11434"), ("11434", "b11434"), (" b9180 ", "b9180"), ("b0", "b0")]
)
def test_builds(text: str, spelt: str) -> None:
    assert str(BUILD.parse(text)) == spelt


@pytest.mark.parametrize("text", ["", "b", "latest", "b12345678", "b-1", "bb1", "b1.0", "0.33.0", "b11434-cuda", "B"])
def test_what_is_no_build_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not a version here .*b11434"):
        BUILD.parse(text)


@pytest.mark.parametrize(
    ("text", "spelt"),
    [("0.33.0", "0.33.0"), ("v0.33.0", "0.33.0"), ("0.5.12.post1", "0.5.12.post1"), ("1.0rc1", "1.0rc1")],
)
def test_pep_440(text: str, spelt: str) -> None:
    assert str(PEP440.parse(text)) == spelt


@pytest.mark.parametrize("text", ["", "latest", "nightly-abc", "0.33.x"])
def test_what_is_no_release_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"0\.33\.0"):
        PEP440.parse(text)


def test_versions_are_ordered_by_number_not_by_text() -> None:
    assert BUILD.parse("b9999") < BUILD.parse("b10000")
    assert PEP440.parse("0.9.2") < PEP440.parse("0.10.0rc1") < PEP440.parse("0.10.0") < PEP440.parse("0.10.0.post1")
    assert BUILD.parse("b9180") == BUILD.parse("9180")
    assert len({BUILD.parse("b9180"), BUILD.parse("9180")}) == 1


def test_a_version_can_stand_for_its_neighbour() -> None:
    known, asked = BUILD.parse("b8953"), BUILD.parse("b8957")
    assert str(known.standing_for(asked)) == "b8957" and known.standing_for(asked) == known


@pytest.mark.parametrize(
    ("text", "shown", "inside", "outside"),
    [
        ("b9180", "b9180", ["b9180"], ["b9179", "b9181"]),
        ("b9180..b9200", "b9180..b9200", ["b9180", "b9190", "b9200"], ["b9179", "b9201"]),
        ("b9180..", "b9180..", ["b9180", "b99999"], ["b9179"]),
        ("..b9180", "..b9180", ["b1", "b9180"], ["b9181"]),
        ("..", "..", ["b1"], []),
    ],
)
def test_ranges_hold_both_ends(text: str, shown: str, inside: list[str], outside: list[str]) -> None:
    found = BUILD.range(text)
    assert str(found) == shown
    assert all(BUILD.parse(version) in found for version in inside)
    assert not any(BUILD.parse(version) in found for version in outside)


def test_a_range_of_one_version_is_exact() -> None:
    assert BUILD.range("b9180").exact == BUILD.parse("b9180") == BUILD.range("b9180..b9180").exact
    assert BUILD.range("b9180..").exact is None and VersionRange().exact is None


@pytest.mark.parametrize("text", ["b9180..x", "x..b9180", "b9180...b9200", ""])
def test_a_broken_range_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        BUILD.range(text)


def test_a_range_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(UsageError):
        BUILD.range("b9200..b9180")


def test_the_schemes_have_names() -> None:
    assert set(SCHEMES) == {"build", "pep440"}


KNOWN = [BUILD.parse(f"b{number}") for number in (100, 200, 300, 400)]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("b200", [200]),
        ("b250", [200, 300]),
        ("b150..b350", [100, 200, 300, 400]),
        ("b200..b300", [200, 300]),
        ("b50", [100]),
        ("b999", [400]),
        ("b300..", [300, 400]),
        ("b350..", [300, 400]),
        ("..b150", [100, 200]),
        ("..", [100, 200, 300, 400]),
        ("b450..b500", [400]),
        ("b1..b2", [100]),
    ],
)
def test_a_sample_stands_for_a_range_with_the_known_neighbours_of_its_ends(wanted: str, expected: list[int]) -> None:
    assert [version.key for version in sample(KNOWN, BUILD.range(wanted))] == expected


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_sample_is_never_empty_and_ascends(one: int, other: int) -> None:
    low, high = sorted((one, other))
    got = sample(KNOWN, VersionRange(Version(f"b{low}", low), Version(f"b{high}", high)))
    assert got and all(a < b for a, b in itertools.pairwise(got))
    assert {version for version in KNOWN if low <= version.key <= high} <= set(got)
