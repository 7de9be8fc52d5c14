"""The Prometheus text format, read with its own library, down to what counters need."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec import Struct

from mtpconfig.evidence import BadCounters

_MOST_LINES = 100_000


class Metrics(Struct, frozen=True):
    """The samples of one scrape by full name, `_total` included, each with its labels.

    families  names that are declared or have samples, without `_total`
    """

    samples: Mapping[str, tuple[tuple[Mapping[str, str], float], ...]]
    families: frozenset[str]

    def count(self, name: str) -> int | None:
        """The sum over all labels; None when there is no such sample. Raises BadCounters when it is no count."""
        rows = self.samples.get(name)
        return None if rows is None else _count(name, sum(value for _, value in rows))

    def number(self, name: str) -> float | None:
        """The sum over all labels, e.g. of seconds; None when there is no such sample, or when it is not finite."""
        rows = self.samples.get(name)
        total = None if rows is None else sum(value for _, value in rows)
        return total if total is not None and math.isfinite(total) else None

    def by_label(self, name: str, label: str) -> dict[str, int]:
        """The sums for each value of a label. Raises BadCounters."""
        sums: dict[str, float] = {}
        for labels, value in self.samples.get(name, ()):
            if (key := labels.get(label)) is not None:
                sums[key] = sums.get(key, 0.0) + value
        return {key: _count(name, value) for key, value in sums.items()}

    def positions(self, name: str, label: str = "position") -> tuple[int, ...]:
        """Counts by position 0, 1 ... as far as they are told without a gap. Raises BadCounters."""
        rows = self.by_label(name, label)
        length = next(place for place in range(len(rows) + 1) if str(place) not in rows)
        return tuple(rows[str(place)] for place in range(length))


def _count(name: str, value: float) -> int:
    if not math.isfinite(value):
        raise BadCounters(f"{name} is {value}")
    if value < 0:
        raise BadCounters(f"{name} is negative")
    return round(value)


def read_metrics(text: str, prefix: str) -> Metrics:
    """The metrics whose names begin with `prefix`. Raises BadCounters when their lines are malformed."""
    from prometheus_client.parser import text_string_to_metric_families

    lines = [line for line in text.split("\n") if _name_in(line).startswith(prefix)]
    if len(lines) > _MOST_LINES:
        raise BadCounters(f"there are more than {_MOST_LINES} lines of {prefix}*")
    samples: dict[str, list[tuple[Mapping[str, str], float]]] = {}
    families: set[str] = set()
    try:
        for family in text_string_to_metric_families("\n".join(lines) + "\n"):
            families.add(family.name.removesuffix("_total"))
            for sample in family.samples:
                samples.setdefault(sample.name, []).append((sample.labels, sample.value))
    except (ValueError, IndexError, KeyError, AttributeError):  # the parser raises whatever it stumbles over
        raise BadCounters(f"the lines of {prefix}* are malformed") from None
    return Metrics({name: tuple(rows) for name, rows in samples.items()}, frozenset(families))


def _name_in(line: str) -> str:
    """The metric's name that a line, be it a comment, speaks of."""
    words = line.split(None, 3)
    return words[2] if len(words) > 2 and words[0] == "#" else line.lstrip()
