"""From drafts to launches: words, what is given by name, and the texts that are opened in other formats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.python_.codecs import NAME, REFUSED
from mtpconfig.carriers.python_.container import PythonContainer
from mtpconfig.carriers.python_.drafts import Draft
from mtpconfig.carriers.python_.hints import Comments
from mtpconfig.carriers.python_.holes import Holes
from mtpconfig.carriers.python_.json_text import guards_in, json_runs, variants
from mtpconfig.carriers.python_.scope import Branches
from mtpconfig.carriers.python_.values import Items, Pair, Place, Table, Text, Value, opaque, options_of
from mtpconfig.carriers.shell.listed import launches_of
from mtpconfig.carriers.shell.runs import Run, value_of
from mtpconfig.launch import ALWAYS, Given, Guard, Hint, Launch, Word, exclude
from mtpconfig.text import Builder, Fragment, Kind, Span

NAME_OF_CARRIER = "python"
_BLANK = re.compile(r"\s")


class Launches:
    """Makes the launches of one text."""

    def __init__(
        self,
        layer: Fragment,
        opener: Opener,
        around: Surroundings,
        branches: Branches,
        comments: Comments,
        hints: Sequence[Hint],
    ) -> None:
        self._layer = layer
        self._opener = opener
        self._around = around
        self._branches = branches
        self._comments = comments
        self._hints = tuple(hints)
        self._uses: Counter[Span] = Counter()
        self._holes = Holes(layer.text)

    def of(self, drafts: Sequence[Draft]) -> Iterator[Launch]:
        """The launches of all drafts; what two of them share is not edited for one."""
        for draft in drafts:
            self._uses.update({run.origin for text in draft.texts() for run in text.runs if run.origin is not None})
        for draft in drafts:
            for launch in self._launches(draft):
                guards = [*(word.guard for word in launch.argv), *(given.guard for given in launch.given)]
                yield replace(launch, exhaustive={**launch.exhaustive, **self._branches.arms(guards)})

    def _launches(self, draft: Draft) -> Iterator[Launch]:
        container = PythonContainer(self._layer, self._around.container)
        around = Surroundings(
            given=self._environment(draft, container),
            image=self._word(draft.image.runs, ALWAYS, draft.image.site) if draft.image else self._around.image,
            entrypoint=self._around.entrypoint,
            hints=(*self._around.hints, *self._hints, *self._comments.before(draft.whole.end), *draft.hints),
            label=self._around.label,
            carrier=self._around.carrier or NAME_OF_CARRIER,
            container=container,
        )
        if draft.script is not None:
            word = self._word(draft.script.runs, ALWAYS, None)
            hidden = self._holes.hidden(word.fragment, word.holes)
            yield from self._holes.revealed(self._opener.open(hidden, draft.name, around))
        elif draft.call is not None:
            yield self._call(draft, around, container)
        elif draft.words is not None:
            words = [self._readable(word) for word in self._words(draft, container)]
            whole = self._layer.slice(*draft.whole)
            found = launches_of(words, whole, self._opener, around, container, draft.words.open)
            for launch in self._holes.revealed(found):
                yield replace(launch, places=(draft.place,)) if draft.place and not launch.places else launch

    def _words(self, draft: Draft, container: PythonContainer) -> Iterator[Word]:
        for entry in draft.words.entries if draft.words else ():
            for guard, value in options_of(entry.value, entry.guard):
                text = value if isinstance(value, Text) else self._shown(value, entry.place)
                word = self._word(text.runs, guard, text.site if isinstance(value, Text) else None)
                container.settle(word, entry.place)
                yield word

    def _readable(self, word: Word) -> Word:
        """A word that a shell may read on (`sh -c TEXT`), with its holes hidden."""
        if not word.holes or not _BLANK.search(word.text):
            return word
        return replace(word, fragment=self._holes.hidden(word.fragment, word.holes))

    def _shown(self, value: Value, place: Place | None) -> Text:
        """What is no text, as it is written."""
        span = getattr(value, "span", None)
        if span is None and place is not None and place.row is not None:
            span = place.row.elements[place.index]
        return opaque(self._layer.text[slice(*span)] if span is not None else "?", span)

    def _call(self, draft: Draft, around: Surroundings, container: PythonContainer) -> Launch:
        assert draft.call is not None and draft.arguments is not None
        argv = [self._word(draft.call.runs, ALWAYS, draft.call.site)]
        argv += [
            self._word(runs, guard, None)
            for entry in draft.arguments.items.entries
            for guard, runs, _ in self._said(entry.value, entry.guard, entry.place)
        ]
        named = [given for pair in draft.arguments.keywords.pairs for given in self._named("kwarg", pair, container)]
        return Launch(
            argv=tuple(argv),
            fragment=self._layer.slice(*draft.whole),
            given=(*around.given, *named),
            container=container,
            closed=not draft.arguments.open,
            why_open=draft.arguments.open,
            hints=around.hints,
            carrier=around.carrier,
            label=around.label,
            image=around.image,
        )

    def _environment(self, draft: Draft, container: PythonContainer) -> tuple[Given, ...]:
        own = [given for pair in draft.given for given in self._named("env", pair, container)]
        names = {given.name.text for given in own if not given.guard}
        return (*(given for given in self._around.given if given.name.text not in names), *own)

    def _named(self, surface: str, pair: Pair, container: PythonContainer) -> Iterator[Given]:
        name = self._word(pair.key.runs, pair.guard, pair.key.site)
        for guard, runs, nested in self._said(pair.value, pair.guard, pair.place):
            site = pair.place.row.elements[pair.place.index] if pair.place and pair.place.row else None
            given = Given(surface, name, self._word(runs, guard, site), guard, site, nested)
            container.settle_given(given, pair.place)
            yield given

    def _said(self, value: Value, guard: Guard, place: Place | None) -> Iterator[tuple[Guard, tuple[Run, ...], bool]]:
        """A value as the text that stands for it, in each of its ways: lists and dicts as JSON, which is told."""
        for own, option in options_of(value, guard):
            if isinstance(option, Text):
                yield own, option.runs, False
                continue
            is_data = isinstance(option, (Items, Table))
            ways = variants(option, self._branches.arms(list(guards_in(option)))) if is_data else []
            for world, settled in ways:
                if not exclude(own, world):
                    yield own | world, json_runs(settled, self._layer.text), True
            if not ways:
                yield own, self._shown(option, place).runs, is_data

    # Words

    def _word(self, runs: Sequence[Run], guard: Guard, site: Span | None) -> Word:
        holes, at = [], 0
        for run in runs:
            if not run.certain:
                holes.append((at, at + len(run.text)))
            at += len(run.text)
        return Word(self._fragment(runs), value_of(runs), guard, site, holes=tuple(holes))

    def _fragment(self, runs: Sequence[Run]) -> Fragment:
        builder = Builder(self._layer)
        for run in runs:
            shared = run.shared or (run.origin is not None and self._uses[run.origin] > 1)
            kind = Kind.SUBSTITUTED if shared and run.origin is not None else run.kind
            builder.add(run.text, run.origin, kind, run.codec)
        return builder.build()


def name_text(layer: Fragment, name: str, span: Span) -> Text:
    """The name of a keyword; one that is written in another normal form is not edited."""
    same = layer.text[slice(*span)] == name
    return Text((Run(name, span, Kind.COPY if same else Kind.SUBSTITUTED, NAME if same else REFUSED),), site=span)


def called_text(dotted: str, span: Span) -> Text:
    """The dotted name of what is called, at the place where it is called."""
    return Text((Run(dotted, span, Kind.SUBSTITUTED, REFUSED),), site=span)
