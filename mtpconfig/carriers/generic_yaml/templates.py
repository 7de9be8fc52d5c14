"""Text with template tags, read as something else.

Nobody knows here what a tag becomes. Before a text is read as shell text, each value is hidden behind one character to
which no format gives a meaning; in the launches found, the tags stand as they were written, as opaque values. What
stands between `if` and `end` gets a guard.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from mtpconfig.carriers.generic_yaml.tags import Tag, branches, tags_of, whole_values
from mtpconfig.carriers.yaml_ import ListContainer
from mtpconfig.launch import ALWAYS, Container, Given, Guard, Launch, Opaque, Word
from mtpconfig.text import Builder, Edit, Fragment, Kind, Span

_PRIVATE = range(0xE001, 0xF8FF)


class Templates:
    """Hides the tags of texts and shows them again in the launches that were read; one for a whole file."""

    def __init__(self, text: str) -> None:
        used = set(text) if max(text, default="") >= "\ue000" else set()
        self._free = (character for code in _PRIVATE if (character := chr(code)) not in used)
        self._hidden: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        self._numbers = itertools.count(-1, -1)  # a shell's own branches are numbered upward
        self._guards: list[tuple[int, Guard]] = []
        self._exhaustive: dict[int, tuple[int, ...]] = {}
        self._controls: list[tuple[int, str]] = []

    def hide(self, fragment: Fragment) -> Fragment:
        """A layer in which each value tag is one character and other tags are nothing but a blank."""
        tags = whole_values(fragment.text, tags_of(fragment.text))
        if not tags:
            return fragment
        builder, cursor, text = Builder(fragment), 0, fragment.text
        for tag in tags:
            hidden = self._blank(text, tag) if tag.verb else self._character(tag.text)
            if hidden is None:
                break
            if tag.span.start > cursor:
                builder.add(text[cursor : tag.span.start], Span(cursor, tag.span.start))
            builder.add(hidden, tag.span, Kind.SUBSTITUTED)
            cursor = tag.span.end
            if tag.verb and tag.verb != "comment" and (spans := fragment.locate(*tag.span)):
                self._controls.append((spans[0].start, tag.text))
        if cursor < len(text):
            builder.add(text[cursor:], Span(cursor, len(text)))
        guards, exhaustive = branches(tags, self._numbers)
        self._exhaustive |= exhaustive
        for place, guard in guards:
            spans = fragment.locate(max(place - 1, 0), place)
            self._guards += [(spans[-1].end, guard)] if spans else []
        if guards and (spans := fragment.locate_all()):
            self._guards.append((spans[-1].end, ALWAYS))
        self._guards.sort(key=_place)
        self._controls.sort(key=_place)
        return builder.build()

    @staticmethod
    def _blank(text: str, tag: Tag) -> str:
        """What stands for a control tag: a blank where it parts two words."""
        before, after = text[max(tag.span.start - 1, 0) : tag.span.start], text[tag.span.end : tag.span.end + 1]
        return " " if before.strip() and after.strip() else ""

    def _character(self, tag: str) -> str | None:
        if tag not in self._hidden:
            character = next(self._free, None)
            if character is None:
                return None
            self._hidden[tag], self._shown[character] = character, tag
        return self._hidden[tag]

    def revealed(self, launches: Iterable[Launch]) -> Iterator[Launch]:
        """The launches with the tags as they were written; open where a control tag stands among a launch's words."""
        for launch in launches:
            yield self._launch(launch) if self._hidden or self._controls else launch

    def _launch(self, launch: Launch) -> Launch:
        argv = [self._word(word) for word in launch.argv]
        given = [self._given(entry) for entry in launch.given]
        why = launch.why_open or self._control(launch.fragment)
        branches = {branch for word in argv for branch, _ in word.guard} & self._exhaustive.keys()
        return replace(
            launch,
            argv=tuple(argv),
            given=tuple(given),
            image=self._word(launch.image) if launch.image is not None else None,
            entrypoint=self._word(launch.entrypoint) if launch.entrypoint is not None else None,
            container=self._container(launch, argv, given),
            closed=not why,
            why_open=why,
            exhaustive={**launch.exhaustive, **{branch: self._exhaustive[branch] for branch in branches}},
        )

    @staticmethod
    def _container(launch: Launch, argv: list[Word], given: list[Given]) -> Container | None:
        if launch.container is None or isinstance(launch.container, ListContainer):
            return launch.container
        words = {new: old for new, old in zip(argv, launch.argv) if new is not old}
        entries = {new: old for new, old in zip(given, launch.given) if new is not old}
        return _Shown(launch.container, words, entries) if words or entries else launch.container

    def _word(self, word: Word) -> Word:
        guard = word.guard | self._guard(word.fragment)
        hidden = [place for place, character in enumerate(word.text) if character in self._shown]
        if not hidden:
            return replace(word, guard=guard) if guard != word.guard else word
        builder, cursor, text, grown = Builder(word.fragment), 0, word.text, 0
        holes = []
        for place in hidden:
            if place > cursor:
                builder.add(text[cursor:place], Span(cursor, place))
            tag = self._shown[text[place]]
            builder.add(tag, Span(place, place + 1), Kind.SUBSTITUTED)
            holes.append((place + grown, place + grown + len(tag)))
            cursor, grown = place + 1, grown + len(tag) - 1
        if cursor < len(text):
            builder.add(text[cursor:], Span(cursor, len(text)))
        many = word.many or (len(text) == 1 and _split_off(word.fragment))
        fragment, why = builder.build(), Opaque(self._shown[text[hidden[0]]])
        holes = sorted([*holes, *(shown for hole in word.holes if (shown := fragment.showing(*hole)) is not None)])
        return Word(fragment, why, guard, word.site, many, tuple(holes))

    def _given(self, entry: Given) -> Given:
        name = self._word(entry.name)
        value = self._word(entry.value) if entry.value is not None else None
        if name is entry.name and value is entry.value:
            return entry
        return Given(entry.surface, name, value, entry.guard | name.guard, entry.site, entry.nested)

    def _guard(self, fragment: Fragment) -> Guard:
        spans = fragment.locate_all() if self._guards else ()
        at = bisect.bisect_right(self._guards, spans[0].start, key=_place) if spans else 0
        return self._guards[at - 1][1] if at else ALWAYS

    def _control(self, fragment: Fragment) -> str:
        spans = fragment.locate_all() if self._controls else ()
        at = bisect.bisect_left(self._controls, spans[0].start, key=_place) if spans else len(self._controls)
        return self._controls[at][1] if at < len(self._controls) and self._controls[at][0] < spans[-1].end else ""


def _place(entry: tuple[int, object]) -> int:
    return entry[0]


class _Shown:
    """The container of a launch of which some words were replaced to show their tags."""

    def __init__(self, inner: Container, words: dict[Word, Word], given: dict[Given, Given]) -> None:
        self._inner, self._words, self._entries = inner, words, given

    def is_item(self, word: Word) -> bool:
        """As the container within."""
        return self._inner.is_item(self._words.get(word, word))

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """As the container within."""
        return self._inner.insert(self._words.get(after, after), words)

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        """As the container within."""
        return self._inner.remove([self._words.get(word, word) for word in words])

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        """As the container within."""
        return self._inner.remove_given(self._entries.get(given, given))


def _split_off(fragment: Fragment) -> bool:
    """Whether a hidden tag is a word because blanks stand around it, so that what it becomes is split at blanks too."""
    parent, origin = fragment.parent, fragment.segments[0].origin
    if not isinstance(parent, Fragment) or origin is None:
        return False
    quote = parent.text[max(origin.start - 1, 0) : origin.start]
    return parent.text[slice(*origin)] == fragment.text and quote not in ("'", '"')
