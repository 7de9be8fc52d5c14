"""What `printf` and `echo` print, as far as their words are known: the text of a file that a script writes.

After bash(1): `printf` goes over its format again while words are left; `%b` and `echo -e` know escapes of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from msgspec.structs import replace

from mtpconfig.carriers.shell.codecs import BARE, ansi_c_escape
from mtpconfig.carriers.shell.content import Alternatives, Part
from mtpconfig.carriers.shell.runs import Cutter, Item, Run
from mtpconfig.launch import exclude
from mtpconfig.text import Codec, Kind, Span

_Word = Item | Alternatives

_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0']*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?[hlLjzt]*(?P<kind>[a-zA-Z%])"
)
_ECHO_OPTIONS = re.compile(r"-[neE]+")
_END = re.compile(r"(?<!\\)(?:\\\\)*\\c")
_OCTAL_OF_B = re.compile(r"\\0([0-7]{1,3})")
_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9A-Fa-f]+|\d+)")
_KINDS = frozenset("sbqcdiouxXeEfFgGaA")
_NUMERIC = frozenset("diouxXeEfFgGaA")
_SPECIAL = re.compile(r"[ \"'\\|&;()<>`$!*?\[\]^{},]|\A[~#]|(?<=[:=])~")
_MOST_ROUNDS = 500


def printed(name: str, items: Sequence[Item], layer: str) -> list[Part] | None:
    """What `echo` or `printf` prints of some words of a layer; None where that cannot be told."""
    words = _grouped(items, layer)
    return _echo(words) if name == "echo" else _printf(words) if name == "printf" else None


def _echo(words: Sequence[_Word]) -> list[Part]:
    escapes, ends = False, True
    options = list(takewhile(lambda word: isinstance(word, Item) and _ECHO_OPTIONS.fullmatch(word.text), words))
    for letter in "".join(option.text[1:] for option in options if isinstance(option, Item)):
        ends &= letter != "n"
        escapes = letter == "e" if letter in "eE" else escapes
    parts: list[Part] = []
    for number, word in enumerate(words[len(options) :]):
        if number:
            parts.append(_made(" "))
        parts += _unescaped(word) if escapes and isinstance(word, Item) else _whole(word)
    return [*parts, _made("\n")] if ends else parts


def _printf(words: Sequence[_Word]) -> list[Part] | None:
    words = words[1:] if words and isinstance(words[0], Item) and words[0].text == "--" else words
    pattern = words[0] if words else None
    if not isinstance(pattern, Item) or pattern.known is None or pattern.text.startswith("-"):
        return None
    words = words[1:]
    pieces = list(_format(pattern.runs))
    if any(not isinstance(piece, Run) and piece["kind"] not in _KINDS for piece in pieces):
        return None
    if len(words) > sum(_takes(piece) for piece in pieces if not isinstance(piece, Run)):
        pieces = [replace(piece, shared=True) if isinstance(piece, Run) else piece for piece in pieces]
    parts: list[Part] = []
    place = 0
    for _ in range(_MOST_ROUNDS):
        begun = place
        for piece in pieces:
            if isinstance(piece, Run):
                parts.append(piece)
                continue
            if piece["kind"] == "b" and place < len(words) and _stops(words[place]):
                return [*parts, *_directive(piece, words[place], plain=True)]
            taken = _takes(piece)
            word = words[place + taken - 1] if place + taken <= len(words) else None
            place += taken
            parts += _directive(piece, word, plain=taken == 1)
        if place >= len(words) or place == begun:
            return parts
    return None


def _stops(word: _Word) -> bool:
    """Whether a word of `%b` ends all output, with a `\\c`."""
    return isinstance(word, Item) and bool(_END.search(word.text))


def _takes(directive: re.Match[str]) -> int:
    """How many words a directive takes."""
    return 1 + (directive["width"] == "*") + (directive["precision"] == "*")


def _grouped(items: Sequence[Item], layer: str) -> list[_Word]:
    """The words that arrive: what one written word becomes in several branches is one word in alternatives."""
    words: list[_Word] = []
    place = 0
    while place < len(items):
        first, end = items[place], place + 1
        while (
            end < len(items)
            and items[end].site == first.site
            and all(exclude(items[end].guard, item.guard) for item in items[place:end])
        ):
            end += 1
        if first.guard:
            written = layer[slice(*first.site)] if first.site else first.text
            words.append(Alternatives(tuple((item.guard, item.runs) for item in items[place:end]), written))
        else:
            words.append(first)
        place = end
    return words


def _whole(word: _Word) -> list[Part]:
    return [word] if isinstance(word, Alternatives) else list(word.runs)


def _directive(directive: re.Match[str], word: _Word | None, *, plain: bool) -> list[Part]:
    """What one `%...` makes of the word that it takes."""
    kind = directive["kind"]
    plain = plain and not directive["width"] and directive["precision"] is None
    if word is None:
        return [_made("0" if kind in _NUMERIC else "''" if kind == "q" else "")]
    if isinstance(word, Alternatives):
        return [word] if kind == "s" and plain else [_unknown(directive[0])]
    if word.known is None:
        return _whole(word) if plain and kind in "sbqdiu" else [_unknown(word.text or directive[0])]
    text = word.text
    if plain and kind == "s":
        return list(word.runs)
    if plain and kind in "diu" and _NUMBER.fullmatch(text):
        return _seen(word.runs)
    if plain and kind == "b":
        return _unescaped(word)
    if plain and kind == "q" and text.isprintable():
        quoted = _SPECIAL.sub(r"\\\g<0>", text) or "''"
        return _seen(word.runs) if quoted == text else [_made(quoted)]
    if kind == "s" and directive["precision"] is None and (directive["width"] or "0").isdigit():
        return [_made(f"{text:{'<' if '-' in directive['flags'] else '>'}{min(int(directive['width'] or 0), 999)}}")]
    return [_unknown(directive[0])]


def _format(runs: Sequence[Run]) -> Iterator[Run | re.Match[str]]:
    """A format taken apart: text as it is printed, and directives."""
    text, cutter = "".join(run.text for run in runs), Cutter(runs)
    cursor = place = 0
    while place < len(text):
        directive = _DIRECTIVE.match(text, place) if text[place] == "%" else None
        if directive is None and text[place] != "\\":
            place += 1
            continue
        yield from _plain(cutter, cursor, place, _FORMAT)
        if directive is not None:
            cursor = place = directive.end()
            if directive["kind"] == "%":
                yield _joined(cutter, directive.start(), place, "%", _FORMAT)
            else:
                yield directive
        else:
            meaning, cursor = ansi_c_escape(text, place)
            if text.startswith("\\c", place):
                return
            yield _joined(cutter, place, cursor, meaning, _FORMAT)
            place = cursor
    yield from _plain(cutter, cursor, len(text), _FORMAT)


def _unescaped(word: Item) -> list[Part]:
    """The text of a word whose escapes are carried out, as `%b` and `echo -e` do."""
    text, cutter = word.text, Cutter(word.runs)
    parts: list[Part] = []
    cursor = 0
    place = text.find("\\")
    while place >= 0:
        parts += _plain(cutter, cursor, place, _ESCAPED)
        if text.startswith("\\c", place):
            return parts
        octal = _OCTAL_OF_B.match(text, place)
        if octal is not None:
            meaning, cursor = chr(int(octal[1], 8) & 0xFF), octal.end()
        elif text[place + 1 : place + 2] in ("'", '"', "?"):
            meaning, cursor = text[place : place + 2], place + 2
        else:
            meaning, cursor = ansi_c_escape(text, place)
        parts.append(_joined(cutter, place, cursor, meaning, _ESCAPED))
        place = text.find("\\", cursor)
    return [*parts, *_plain(cutter, cursor, len(text), _ESCAPED)]


def _plain(cutter: Cutter, start: int, end: int, codec: Codec) -> list[Run]:
    return [replace(run, codec=_through(codec, run.codec)) for run in cutter(start, end)] if start < end else []


def _joined(cutter: Cutter, start: int, end: int, meaning: str, codec: Codec) -> Run:
    """A stretch of text that stands for another text, written where its runs are."""
    touched = cutter(start, end)
    first, last = touched[0], touched[-1]
    neighbours = all(
        one.origin is not None and other.origin is not None and one.origin.end == other.origin.start
        for one, other in pairwise(touched)
    )
    if (
        first.origin is None
        or last.origin is None
        or not neighbours
        or any(run.codec is not first.codec for run in touched)
    ):
        return replace(first, text=meaning, origin=first.origin, kind=Kind.SUBSTITUTED)
    origin = Span(first.origin.start, last.origin.end)
    return replace(first, text=meaning, origin=origin, kind=Kind.ESCAPE, codec=_through(codec, first.codec))


def _seen(runs: Sequence[Run]) -> list[Part]:
    """Text that stands where it is written, but is not written as it is printed: not edited."""
    return [replace(run, shared=True) for run in runs]


def _made(text: str) -> Run:
    return Run(text, None, Kind.SYNTHETIC, BARE)


def _unknown(written: str) -> Run:
    return Run(written, None, Kind.SYNTHETIC, BARE, why=written)


class _Format:
    """Inside a `printf` format."""

    def encode(self, text: str) -> str | None:
        return text.replace("\\", "\\\\").replace("%", "%%").replace("\n", "\\n")


class _Escaped:
    """Inside a word whose escapes are carried out."""

    def encode(self, text: str) -> str | None:
        return text.replace("\\", "\\\\").replace("\n", "\\n")


class _Through:
    """One layer's writing, written by the layer around it."""

    def __init__(self, inner: Codec, outer: Codec) -> None:
        self._inner, self._outer = inner, outer

    def encode(self, text: str) -> str | None:
        written = self._inner.encode(text)
        return self._outer.encode(written) if written is not None else None


def _through(inner: Codec, outer: Codec) -> Codec:
    """The same object for the same layers: text with one codec is one stretch."""
    return _composed.setdefault((id(inner), id(outer)), _Through(inner, outer))


_composed: dict[tuple[int, int], Codec] = {}
_FORMAT: Codec = _Format()
_ESCAPED: Codec = _Escaped()
