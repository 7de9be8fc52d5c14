"""Launches of words that are already apart: `["numactl", "prog", "--a"]` in YAML, JSON or a unit file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.shell.codecs import BARE
from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.carriers.shell.unwrap import Start, unwrap
from mtpconfig.launch import Container, Given, Known, Launch, Opaque, Word
from mtpconfig.text import Fragment, Kind, Span


def launches_of(
    words: Sequence[Word],
    whole: Fragment,
    opener: Opener,
    around: Surroundings,
    container: Container | None = None,
    why_open: str = "",
) -> Iterator[Launch]:
    """The launch of a list of words, with everything in front of the program taken off; or those in `sh -c TEXT`.

    `whole` is the launch's own text, for its place; `why_open` says what may add words that cannot be seen.
    """
    if around.entrypoint is not None or (around.image is not None and words and words[0].text.startswith("-")):
        yield _launch(list(words), whole, around, around.given, container, why_open)
        return
    start = unwrap([_item(word, place) for place, word in enumerate(words)])
    inherited = () if start.outside else around.given
    given = (*(entry for entry in inherited if entry.name.text not in start.unset), *_assignments(start, words))
    if start.script:
        inside = Surroundings(
            given, around.image, around.entrypoint, around.hints, around.label, around.carrier, around.container
        )
        for item in start.script:
            yield from opener.open(_word(item, words).fragment, "command.sh", inside)
        return
    found = [_word(item, words) for item in (*start.items, *start.passed)]
    image = _word(start.image, words) if start.image is not None else None
    if start.entrypoint is not None:
        around = replace(around, entrypoint=_word(start.entrypoint, words))
    if found or image is not None or around.image is not None:
        yield _launch(found, whole, around, given, container, why_open, image)


def _launch(
    words: list[Word],
    whole: Fragment,
    around: Surroundings,
    given: tuple[Given, ...],
    container: Container | None,
    why_open: str,
    image: Word | None = None,
) -> Launch:
    return Launch(
        argv=tuple(words),
        fragment=whole,
        given=given,
        image=image or around.image,
        entrypoint=around.entrypoint,
        container=container,
        closed=not why_open,
        why_open=why_open,
        hints=around.hints,
        carrier=around.carrier,
        label=around.label,
    )


def _item(word: Word, place: int) -> Item:
    why = word.value.why if isinstance(word.value, Opaque) else ""
    run = Run(word.text, None, Kind.SYNTHETIC, BARE, why=why)
    return Item((run,), word.guard, site=Span(place, place + 1), many=word.many)


def _word(item: Item, words: Sequence[Word]) -> Word:
    assert item.site is not None
    return words[item.site.start]


def _assignments(start: Start, words: Sequence[Word]) -> Iterator[Given]:
    for item in start.given:
        word = _word(item, words)
        name, equals, _ = word.text.partition("=")
        if equals:
            spelled, rest = word.fragment.slice(0, len(name)), word.fragment.slice(len(name) + 1, len(word.text))
            value = word.value if isinstance(word.value, Opaque) else Known(rest.text)
            yield Given("env", Word(spelled, Known(name)), Word(rest, value, word.guard), word.guard)
