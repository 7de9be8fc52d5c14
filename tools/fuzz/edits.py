"""Edits of one word, judged by reading the text again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from mtpconfig.launch import Known, Launch, Opaque, Word
from mtpconfig.text import Edit, apply_edits

_TEXTS = (
    *("x", "draft-mtp", "a b", "", "it's", 'say "hi"', "$HOME", '{"k": 1}', "back\\slash", "é😀", "#no", "100%"),
    *("-", "*", "yes", "3", "a\tb", "a: b", "a,b", "~", "end\\", " led", "x;y", "(z)"),
)


@dataclass(frozen=True)
class Change:
    """An edit of the word at `[launch][word]`: `[start, end)` of it replaced, words put behind it, or it taken out."""

    action: str
    launch: int
    word: int
    start: int
    end: int
    text: str


def choose(launches: Sequence[Launch], rng: Random) -> Change | None:
    """A change of some known word behind the first; None when there is none."""
    at = int(rng.random() * len(launches))
    launch = launches[at]
    if len(launch.argv) < 2:
        return None
    word = 1 + int(rng.random() * (len(launch.argv) - 1))
    if not isinstance(launch.argv[word].value, Known):
        return None
    size = len(launch.argv[word].text)
    start, end = (0, size) if rng.random() < 0.7 else sorted((rng.randint(0, size), rng.randint(0, size)))
    return Change(rng.choice(("replace", "insert", "remove")), at, word, start, end, rng.choice(_TEXTS))


def judge(change: Change, launches: Sequence[Launch], text: str, read: Callable[[str], list[Launch]]) -> str:
    """What is wrong with the text after a change; empty when all is as intended, or the change was refused."""
    edits = _edits(change, launches[change.launch])
    if not edits:
        return ""
    changed = apply_edits(text, edits)
    after = read(changed)
    if len(after) != len(launches):
        return f"{len(launches)} launches became {len(after)}\n{changed}"
    word = launches[change.launch].argv[change.word]
    for number, (old, new) in enumerate(zip(launches, after)):
        wanted = _intended(change, old, word)
        same = _said(old.argv)
        got = _said(new.argv)
        if got != wanted and (got != same or number == change.launch):
            return f"{wanted} became {got}\n{changed}"
    return ""


def _edits(change: Change, launch: Launch) -> Sequence[Edit]:
    word = launch.argv[change.word]
    if change.action == "replace":
        edit = word.fragment.replace(change.start, change.end, change.text)
    elif launch.container is None:
        return ()
    elif change.action == "remove":
        return launch.container.remove([word]) or ()
    else:
        edit = launch.container.insert(word, ["--new", change.text])
    return (edit,) if edit is not None else ()


def _said(words: Sequence[Word]) -> list[tuple[str, bool]]:
    """The texts of words, each with whether it is opaque."""
    return [(word.text, isinstance(word.value, Opaque)) for word in words]


def _intended(change: Change, launch: Launch, word: Word) -> list[tuple[str, bool]]:
    """The words of a launch after a change of all words that stand where this one stands."""
    place = word.fragment.locate_all()
    intended: list[tuple[str, bool]] = []
    for each, (text, opaque) in zip(launch.argv, _said(launch.argv)):
        if each is not word and (not place or each.fragment.locate_all() != place):
            intended.append((text, opaque))
        elif change.action == "replace":
            intended.append((text[: change.start] + change.text + text[change.end :], opaque))
        elif change.action == "insert":
            intended += ((text, opaque), ("--new", False), (change.text, False))
    return intended
