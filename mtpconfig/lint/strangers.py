"""Engines that are seen and named, and not read: so that nothing of theirs is taken for another's."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from mtpconfig.knowledge import knowledge_root, load_toml
from mtpconfig.launch import Launch, texts_of


class _Stranger(NamedTuple):
    engine: str
    word: str
    start: re.Pattern[str]
    image: re.Pattern[str]


@lru_cache(maxsize=1)
def _strangers() -> tuple[_Stranger, ...]:
    rows = load_toml(knowledge_root() / "common" / "strangers.toml")["stranger"]
    return tuple(
        _Stranger(row["engine"], row["word"], re.compile(row["start"]), re.compile(row["image"])) for row in rows
    )


def words() -> tuple[str, ...]:
    """Texts that hold none of these hold no launch of a stranger."""
    return tuple(stranger.word for stranger in _strangers())


def stranger(launch: Launch, known: frozenset[str]) -> str | None:
    """The engine that a launch starts, if it is one that no plugin in `known` reads."""
    texts = [next(iter(texts_of(word.value)), word.text) for word in launch.argv[:4]]
    start = " ".join([re.split(r"[/\\]", texts[0])[-1].removesuffix(".exe"), *texts[1:]]) if texts else ""
    image = launch.image.text if launch.image is not None else ""
    for row in _strangers():
        if row.engine not in known and (row.start.match(start) or row.image.search(image)):
            return row.engine
    return None
