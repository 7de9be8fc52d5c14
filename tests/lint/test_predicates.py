"""The three-valued conditions: True, False, or None where it cannot be known."""

from __future__ import annotations

from typing import Any

import pytest

from mtpconfig.errors import KnowledgeError
from mtpconfig.lint.predicates import Truth, build
from mtpconfig.meaning import values_of

from ..support import llamacpp, read

OPEN = 'llama-server -m q.gguf {} "$@"'
N, TYPE = "spec-draft-n-max", "spec-type"


def truth(condition: dict[str, Any], words: str, version: str = "b11549", *, closed: bool = True) -> Truth:
    text = f"llama-server -m q.gguf {words}" if closed else OPEN.format(words)
    history = llamacpp().options()
    return build(condition, history, "test")(read(text, version), history)


@pytest.mark.parametrize(
    ("condition", "words", "expected"),
    [
        ({"set": N}, f"--{N} 3", True),
        ({"set": N}, "", False),
        ({"unset": N}, "", True),
        ({"unset": N}, f"--{N} 3", False),
        ({"set": N}, "--draft-max 3", True),  # it stops the start, and is taken as what it was meant to say
        ({"set": "spec-draft-ctx-size"}, "--ctx-size-draft 4096", False),  # gone, and nothing took its place
        ({"option": N, "eq": 3}, f"--{N} 3", True),
        ({"option": N, "eq": 3}, f"--{N} 4", False),
        ({"option": N, "eq": 3}, "", True),  # the default counts
        ({"option": N, "eq": 3}, f"--{N} $1", None),
        ({"option": N, "eq": 3}, f"--{N} 2 --{N} 3", True),  # the last one counts
        ({"option": N, "lt": 0}, f"--{N} -1", True),
        ({"option": N, "lt": 4}, f"--{N} 4", False),
        ({"option": N, "gt": 8}, f"--{N} 9", True),
        ({"option": N, "gt": 8}, f"--{N} nine", None),
        ({"option": N, "in": [2, 3]}, f"--{N} 3", True),
        ({"option": N, "in": [2, 3]}, f"--{N} 4", False),
        ({"option": "spec-draft-n-min", "gt": {"option": N}}, f"--spec-draft-n-min 4 --{N} 3", True),
        ({"option": "spec-draft-n-min", "gt": {"option": N}}, f"--{N} 3", False),
        ({"option": "spec-draft-n-min", "gt": {"option": N}}, f"--spec-draft-n-min 4 --{N} $N", None),
        ({"option": TYPE, "contains": "draft-mtp"}, "--spec-type draft-mtp,ngram-mod", True),
        ({"option": TYPE, "contains": "draft-mtp"}, "--spec-type ngram-mod --spec-type draft-mtp", True),
        ({"option": TYPE, "contains": "draft-mtp"}, "--spec-type ngram-mod", False),
        ({"option": TYPE, "lacks": "draft-mtp"}, "--spec-type ngram-mod", True),
        ({"option": TYPE, "contains": "draft-mtp"}, "--spec-type $TYPE", None),
        ({"option": TYPE, "matches": "^none$"}, "", True),
        ({"option": TYPE, "matches": "^(draft|ngram)-"}, "--spec-type draft-mtp", True),
        ({"option": "spec-draft-model", "matches": "mtp"}, "", False),
        ({"option": "spec-draft-model", "matches": "mtp"}, '-md "$1"', None),
        ({"option": "spec-draft-model", "matches": "(?i)MTP"}, "-md q-mtp.gguf", True),
    ],
)
def test_conditions_over_a_launch(condition: dict[str, Any], words: str, expected: Truth) -> None:
    assert truth(condition, words) is expected


@pytest.mark.parametrize(
    ("condition", "words", "expected"),
    [
        ({"set": N}, f"--{N} 3", True),
        ({"set": N}, "", None),
        ({"unset": N}, "", None),
        ({"unset": N}, f"--{N} 3", False),
        ({"option": N, "eq": 3}, "", None),
        ({"option": TYPE, "contains": "draft-mtp"}, "", None),
    ],
)
def test_nothing_follows_from_an_absence_when_words_may_come(
    condition: dict[str, Any], words: str, expected: Truth
) -> None:
    assert truth(condition, words, closed=False) is expected


T, F, U = {"set": "spec-type"}, {"unset": "spec-type"}, {"option": N, "eq": 3}
"""True, False and unknown for the launch below."""
LAUNCH = f"--spec-type draft-mtp --{N} $N"


@pytest.mark.parametrize(
    ("parts", "all_", "any_"),
    [
        ([T, T], True, True),
        ([T, F], False, True),
        ([F, F], False, False),
        ([T, U], None, True),
        ([F, U], False, None),
        ([U, U], None, None),
        ([U, F, T], False, True),
        ([], True, False),
    ],
)
def test_all_and_any(parts: list[dict[str, Any]], all_: Truth, any_: Truth) -> None:
    assert truth({"all": parts}, LAUNCH) is all_
    assert truth({"any": parts}, LAUNCH) is any_


@pytest.mark.parametrize(("part", "expected"), [(T, False), (F, True), (U, None)])
def test_unknown_stays_unknown_through_not(part: dict[str, Any], expected: Truth) -> None:
    assert truth({"not": part}, LAUNCH) is expected
    assert truth({"not": {"not": part}}, LAUNCH) is (None if expected is None else not expected)


@pytest.mark.parametrize(
    "condition",
    [
        {},
        {"set": "nothing"},
        {"sets": "spec-type"},
        {"option": "spec-type"},
        {"option": "spec-type", "like": "x"},
        {"option": "nothing", "eq": 1},
        {"set": "spec-type", "unset": "spec-type"},
        {"all": [{"set": "nothing"}]},
        {"not": {"any": [{"sett": "x"}]}},
        {"option": "spec-type", "eq": {"option": "nothing"}},
        {"option": "spec-type", "eq": {}},
    ],
)
def test_names_are_checked_when_a_condition_is_built(condition: dict[str, Any]) -> None:
    with pytest.raises(KnowledgeError, match="here: "):
        build(condition, llamacpp().options(), "here")


@pytest.mark.parametrize(
    ("words", "version", "values"),
    [
        ("", "b9093", ["16"]),
        ("", "b11549", ["3"]),
        (f"--{N} 5", "b11549", ["5"]),
        (f"--{N} 5 --{N} 6", "b11549", ["6"]),
        (f"--{N} $N", "b11549", None),
    ],
)
def test_the_values_of_an_option(words: str, version: str, values: list[str] | None) -> None:
    assert values_of(N, read(f"llama-server -m q.gguf {words}", version), llamacpp().options()) == values


def test_appended_values_are_all_there() -> None:
    reading = read("LLAMA_ARG_SPEC_TYPE=ngram-mod llama-server --spec-type draft-mtp --spec-type none", "b11549")
    assert values_of(TYPE, reading, llamacpp().options()) == ["ngram-mod", "draft-mtp", "none"]
