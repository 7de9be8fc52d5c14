"""Which words of a wrapper's command line are its own: a small reader of POSIX and GNU option syntax."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from mtpconfig.carriers.shell.runs import Item


class Taken(NamedTuple):
    """One option of a wrapper: its name, its value's item if it has one, and how many words it took."""

    name: str
    value: Item | None
    words: int


def take_option(items: Sequence[Item], at: int, valued: Collection[str]) -> Taken | None:
    """The option at a place, or None if the word there is no option.

    `valued` holds the names, dashes included, of options that take a value, in whichever form: `-u root`, `-uroot`,
    `--user root`, `--user=root`.
    """
    text = items[at].text
    if not text.startswith(("-", "+")) or text in ("-", "--"):
        return None
    following = items[at + 1] if at + 1 < len(items) else None
    if "=" in text and text.startswith("--"):
        cut = items[at].after("=")
        return Taken(cut[0].text, cut[1], 1) if cut else Taken(text, None, 1)
    if text in valued:
        return Taken(text, following, 2)
    if text.startswith("--"):
        return Taken(text, None, 1)
    for place, letter in enumerate(text[1:], start=1):
        if "-" + letter in valued:
            if place == len(text) - 1:
                return Taken("-" + letter, following, 2)
            cut = items[at].after(text[: place + 1])
            return Taken("-" + letter, cut[1] if cut else None, 1)
    return Taken(text, None, 1)


def take_options(items: Sequence[Item], at: int, valued: Collection[str]) -> Iterator[tuple[int, Taken]]:
    """The options from a place on, each with its index; a `--` ends them."""
    while at < len(items) and (taken := take_option(items, at, valued)) is not None:
        yield at, taken
        at += taken.words
