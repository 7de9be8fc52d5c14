"""`$(NAME)` in Kubernetes: replaced by the container's environment before anything starts.

As the reference of the Container object says: `$$` stands for `$`, and a name that is not set stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from mtpconfig.launch import Known, Opaque, Word, texts_of
from mtpconfig.text import Builder, Codec, Kind, Span

_LONGEST = 20_000
_MARK = re.compile(r"\$(?:\$|\((?P<name>[^()]*)\))")
_SPECIAL = re.compile(r"\$(?=[$(]|\Z)")


class _Dollars:
    """Text in a command, an argument or a value."""

    def encode(self, text: str) -> str | None:
        return _SPECIAL.sub("$$$$", text)


DOLLARS: Codec = _Dollars()


def expanded(word: Word, known: Mapping[str, Word], uses: Mapping[str, int]) -> Word:
    """A word with its variables replaced; opaque where that would grow beyond all use.

    known  the variables of the container
    uses   how often each is used: the text of one that is used once, for a whole word, is edited where it is set
    """
    text = word.text
    marks = list(_MARK.finditer(text))
    if not marks:
        return word
    whole = known.get(marks[0]["name"] or "") if marks[0].span() == (0, len(text)) else None
    if whole is not None and uses.get(marks[0]["name"]) == 1:
        return replace(whole, guard=word.guard, site=word.site)
    builder, cursor, size, why = Builder(word.fragment), 0, 0, ""
    unknown: list[tuple[int, int]] = list(word.holes)
    for mark in marks:
        if mark.start() > cursor:
            builder.add(text[cursor : mark.start()], Span(cursor, mark.start()), Kind.COPY, DOLLARS)
        cursor, origin = mark.end(), Span(*mark.span())
        value = known.get(mark["name"] or "")
        if mark["name"] is None:
            builder.add("$", origin, Kind.ESCAPE, DOLLARS)
        elif value is None:
            # Shell text is full of these: `$(hostname)` is a command there.
            builder.add(mark[0], origin, Kind.SUBSTITUTED, DOLLARS)
            why = why or mark[0]
            unknown.append(origin)
        elif (size := size + len(value.text)) > _LONGEST:
            return replace(word, value=Opaque(mark[0]), holes=())
        else:
            builder.add(value.text, origin, Kind.SUBSTITUTED, DOLLARS)
            if not texts_of(value.value):
                why = why or mark[0]
                unknown.append(origin)
    if cursor < len(text):
        builder.add(text[cursor:], Span(cursor, len(text)), Kind.COPY, DOLLARS)
    fragment = builder.build()
    opaque = word.value if isinstance(word.value, Opaque) else Opaque(why) if why else None
    holes = sorted(shown for place in unknown if (shown := fragment.showing(*place)) is not None)
    return Word(fragment, opaque or Known(fragment.text), word.guard, word.site, holes=tuple(holes))


def uses_of(words: Sequence[Word]) -> dict[str, int]:
    """How often each variable is named in some words."""
    counts: dict[str, int] = {}
    for word in words:
        for mark in _MARK.finditer(word.text):
            if mark["name"] is not None:
                counts[mark["name"]] = counts.get(mark["name"], 0) + 1
    return counts
