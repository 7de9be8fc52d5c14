"""The conditions of rule files: a small three-valued vocabulary over a reading.

    {set = "OPTION"}                     the option is given
    {unset = "OPTION"}                   it is surely not given (never true of a launch that is not closed)
    {option = "X", eq = 0}               its value (the default counts) equals; also in, lt, gt, matches, contains
    {option = "X", gt = {option = "Y"}}  compared with another option's value
    {model = "PATTERN"}                  the name of the model that is served matches
    {all = [...]}  {any = [...]}  {not = {...}}

True, False or None (unknown). Unknown stays unknown through `not`; a rule fires on True alone. Names are checked when
the rule is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mtpconfig.engine import Reading
from mtpconfig.errors import KnowledgeError
from mtpconfig.history import OptionHistory
from mtpconfig.meaning import values_of

Truth = bool | None
Predicate = Callable[[Reading, OptionHistory], Truth]

_COMPARE = ("eq", "in", "lt", "gt", "matches", "contains", "lacks")


def build(data: Mapping[str, Any], history: OptionHistory | None, where: str) -> Predicate:
    """Compile a condition. Raises KnowledgeError when a word or an option's name is unknown."""
    words = set(data)
    if words == {"all"}:
        return _all([build(item, history, where) for item in data["all"]])
    if words == {"any"}:
        return _any([build(item, history, where) for item in data["any"]])
    if words == {"not"}:
        return _not(build(data["not"], history, where))
    if words == {"model"}:
        return _model(re.compile(data["model"]))
    if words in ({"set"}, {"unset"}):
        (word,) = words
        option = _known(data[word], history, where)
        return _set(option) if word == "set" else _not(_set(option))
    if "option" in words and len(words) == 2:
        (word,) = words - {"option"}
        if word in _COMPARE:
            if word == "matches":
                re.compile(data[word])
            return _compare(_known(data["option"], history, where), word, data[word], history, where)
    raise KnowledgeError(f"{where}: not a condition: {dict(data)!r}")


def _known(option: str, history: OptionHistory | None, where: str) -> str:
    if history is None or option not in history.options:
        raise KnowledgeError(f"{where}: unknown option {option!r}")
    return option


def _all(parts: Sequence[Predicate]) -> Predicate:
    def test(reading: Reading, history: OptionHistory) -> Truth:
        truths = [part(reading, history) for part in parts]
        return False if False in truths else None if None in truths else True

    return test


def _any(parts: Sequence[Predicate]) -> Predicate:
    def test(reading: Reading, history: OptionHistory) -> Truth:
        truths = [part(reading, history) for part in parts]
        return True if True in truths else None if None in truths else False

    return test


def _not(part: Predicate) -> Predicate:
    def test(reading: Reading, history: OptionHistory) -> Truth:
        truth = part(reading, history)
        return None if truth is None else not truth

    return test


def _model(pattern: re.Pattern[str]) -> Predicate:
    def test(reading: Reading, history: OptionHistory) -> Truth:
        name = reading.spec.model
        return None if name is None else pattern.search(name) is not None

    return test


def _set(option: str) -> Predicate:
    def test(reading: Reading, history: OptionHistory) -> Truth:
        if option in reading.by_option:
            return True
        return False if reading.closed else None

    return test


def _compare(option: str, word: str, operand: Any, history: OptionHistory | None, where: str) -> Predicate:
    if isinstance(operand, Mapping):
        other = _known(operand.get("option", ""), history, where)

        def operands(reading: Reading, history: OptionHistory) -> Sequence[Any] | None:
            return values_of(other, reading, history)
    else:

        def operands(reading: Reading, history: OptionHistory) -> Sequence[Any] | None:
            return [operand]

    def test(reading: Reading, history: OptionHistory) -> Truth:
        values, others = values_of(option, reading, history), operands(reading, history)
        if values is None or others is None:
            return None
        if word in ("contains", "lacks"):
            items = [item for value in values for item in value.split(",")]
            return (others[0] in items) is (word == "contains")
        if not values or not others:
            return False
        truths = {_RELATIONS[word](value, other) for value in values for other in others}
        return truths.pop() if len(truths) == 1 else None

    return test


def _numbers(value: str, operand: Any) -> tuple[float, float] | None:
    try:
        return float(value), float(operand)
    except ValueError:
        return None


def _eq(value: str, operand: Any) -> Truth:
    numbers = _numbers(value, operand)
    return numbers[0] == numbers[1] if numbers else value == str(operand)


def _lt(value: str, operand: Any) -> Truth:
    numbers = _numbers(value, operand)
    return numbers[0] < numbers[1] if numbers else None


def _gt(value: str, operand: Any) -> Truth:
    numbers = _numbers(value, operand)
    return numbers[0] > numbers[1] if numbers else None


_RELATIONS: dict[str, Callable[[str, Any], Truth]] = {
    "eq": _eq,
    "lt": _lt,
    "gt": _gt,
    "in": lambda value, operand: any(_eq(value, item) for item in operand),
    "matches": lambda value, operand: re.search(operand, value) is not None,
}
