"""Words that the checks share."""

from __future__ import annotations

from collections.abc import Sequence

from mtpconfig.launch import Setting
from mtpconfig.version import Version


def quoted(setting: Setting) -> str:
    """A setting's spelling as it is written."""
    return f"`{setting.spelling}`"


def adjacent(low: Version, first: Version) -> bool:
    """Whether no version lies between two. Where versions are releases, each is read: a change is the later one's."""
    return not isinstance(low.key, int) or first.key - low.key == 1


def between(last: Version | None, first: Version | None, verb: str) -> str:
    """When something happened, as exactly as it is known: `removed in b9113`, `removed between b9105 and b9113`."""
    if last is None or first is None:
        return verb
    return f"{verb} in {first}" if adjacent(last, first) else f"{verb} between {last} and {first}"


def since(last: Version | None, first: Version | None, state: str) -> str:
    """Since when something is so: `ignored since 0.8.2`, `unread since a version between b8953 and b8962`."""
    if last is None or first is None:
        return state
    return f"{state} since {first}" if adjacent(last, first) else f"{state} since a version between {last} and {first}"


def coming(low: Version | None, first: Version | None) -> str:
    """Since when something is known, as exactly as it is known."""
    if low is None or first is None or adjacent(low, first):
        return f"first in {first}"
    return f"came between {low} and {first}"


def either(names: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
