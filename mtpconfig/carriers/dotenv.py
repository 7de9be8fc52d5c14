"""Files of variables, as Docker Compose reads them: `.env`, and what `env_file` names.

`NAME=value` or `NAME: value`, an `export` in front, single quotes that keep everything, double quotes with escapes,
comments, and `$X` references outside of single quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import ALWAYS, Given, Hint, Known, Launch, Word, texts_of
from mtpconfig.text import Builder, Codec, Edit, Fragment, Kind, Span

_FILE = re.compile(r"(?:.*\.)?env(?:[._-][\w.-]+)?")
_NOT = re.compile(r".*\.(?:sh|py|js|ts|ya?ml|json|toml|rb|md|txt|nix|fish|ps1|rc)")
_LINE = re.compile(
    r"[ \t]*(?:(?P<comment>#[^\r\n]*)|(?:export[ \t]+)?(?P<name>[A-Za-z_][\w.-]*)[ \t]*(?P<mark>[=:][ \t]*)?)?"
)
_DOUBLE = re.compile(r'"(?P<inside>(?:[^"\\]|\\.)*)"', re.DOTALL)
_SINGLE = re.compile(r"'(?P<inside>[^']*)'", re.DOTALL)
_BARE = re.compile(r"[^\r\n]*")
_COMMENT = re.compile(r"(?<=\s)#")
_REST = re.compile(r"[^\r\n]*(?:\r\n|[\r\n]|\Z)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_MOST = 5000


class _Bare:
    """Without quotes: what quotes or comments would be is refused."""

    def encode(self, text: str) -> str | None:
        return None if re.search(r"[\r\n\0'\"\\#]|^\s|\s$", text) else text


class _Single:
    """Inside `'...'`."""

    def encode(self, text: str) -> str | None:
        return None if re.search(r"['\0]", text) else text


class _Double:
    """Inside `"..."`."""

    def encode(self, text: str) -> str | None:
        return None if "\0" in text else re.sub(r'([\\"])', r"\\\1", text).replace("\n", r"\n").replace("\r", r"\r")


_BARE_CODEC: Codec = _Bare()
_SINGLE_CODEC: Codec = _Single()
_DOUBLE_CODEC: Codec = _Double()


def variables(fragment: Fragment, cut_off: Callable[[int, str], None] | None = None) -> tuple[Given, ...]:
    """The variables that a file sets, in order; references to earlier ones are resolved.

    `cut_off` is told where the lines begin that are too many to be read, and why.
    """
    found: list[Given] = []
    known: dict[str, str] = {}
    for name, value, line in _lines(fragment, cut_off):
        word = Word(fragment.slice(*name), Known(fragment.text[slice(*name)]))
        text = _value(fragment, value, known)
        known |= {word.text: texts_of(text.value)[0]} if texts_of(text.value) else {}
        found.append(Given("env", word, text, site=line))
    return tuple(found)


def values_of(given: Iterable[Given]) -> dict[str, str]:
    """What is known of some variables; the last one wins."""
    return {g.name.text: texts_of(g.value.value)[0] for g in given if g.value and texts_of(g.value.value)}


def _lines(fragment: Fragment, cut_off: Callable[[int, str], None] | None) -> Iterator[tuple[Span, Span, Span]]:
    """The name, the value with its quotes, and the whole lines of each assignment."""
    text, at = fragment.text, 0
    if text.startswith("\ufeff"):
        at = 1
    for _ in range(_MOST):
        if at >= len(text):
            return
        line = _LINE.match(text, at)
        end = line.end() if line else at
        start = at
        if line and line["name"] and line["mark"]:
            quoted = (_DOUBLE if text[end : end + 1] == '"' else _SINGLE).match(text, end)
            end = quoted.end() if quoted else _bare_end(text, end)
            at = _next(text, end)
            yield Span(*line.span("name")), Span(line.end(), end), Span(start, at)
        else:
            at = _next(text, end)
    if at < len(text) and cut_off is not None:
        cut_off(at, f"it has more than {_MOST} assignments and comments")


def _bare_end(text: str, start: int) -> int:
    """Where a value without quotes ends: at the end of the line, or before a comment behind a blank."""
    line = _BARE.match(text, start)
    end = line.end() if line else start
    comment = _COMMENT.search(text, start, end)
    end = comment.start() if comment else end
    return start + len(text[start:end].rstrip())


def _next(text: str, at: int) -> int:
    rest = _REST.match(text, at)
    return max(rest.end() if rest else at, at)


def _value(fragment: Fragment, written: Span, known: dict[str, str]) -> Word:
    """The value without its quotes, and with its references resolved."""
    from mtpconfig.carriers.compose.interpolation import interpolate

    text = fragment.text[slice(*written)]
    builder = Builder(fragment)
    if len(text) > 1 and text[0] == text[-1] == "'":
        builder.add(text[1:-1], Span(written.start + 1, written.end - 1), Kind.COPY, _SINGLE_CODEC)
        quoted = builder.build()
        return Word(quoted, Known(quoted.text), site=written)
    if len(text) > 1 and text[0] == text[-1] == '"':
        _unescape(builder, fragment.text, Span(written.start + 1, written.end - 1))
    else:
        builder.add(text, written, Kind.COPY, _BARE_CODEC)
    read = interpolate(builder.build(), known.get)
    return read.word(read.fragment, 0, len(read.text), ALWAYS, written)


def _unescape(builder: Builder, text: str, inside: Span) -> None:
    cursor = inside.start
    for match in _ESCAPE.finditer(text, *inside):
        builder.add(text[cursor : match.start()], Span(cursor, match.start()), Kind.COPY, _DOUBLE_CODEC)
        letter = "$$" if match[1] == "$" else _LETTERS.get(match[1], match[1])
        builder.add(letter, Span(*match.span()), Kind.ESCAPE, _DOUBLE_CODEC)
        cursor = match.end()
    builder.add(text[cursor : inside.end], Span(cursor, inside.end), Kind.COPY, _DOUBLE_CODEC)


class _Lines(Struct, frozen=True, eq=False):
    """Takes assignments out, line by line."""

    layer: Fragment

    def is_item(self, word: Word) -> bool:
        """There is no list here."""
        return False

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """There are no words here."""
        return None

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        """There are no words here."""
        return None

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        """The lines of an assignment."""
        edit = self.layer.replace(given.site.start, given.site.end, "") if given.site else None
        return (edit,) if edit is not None else None


class DotenvCarrier:
    """Reads a file of variables: no command, only what is given to one that is started elsewhere."""

    name = "dotenv file"

    def claims(self, name: str, head: str) -> bool:
        """Whether a file holds variables, by its name."""
        base = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
        return bool(_FILE.fullmatch(base)) and not _NOT.fullmatch(base)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """One launch without words that is given the variables; none where there are no variables."""
        latest = {given.name.text: given for given in variables(fragment, partial(opener.miss, fragment))}
        given = tuple(sorted(latest.values(), key=lambda entry: entry.site or Span(0, 0)))
        if not given or given[0].site is None or given[-1].site is None:
            return
        yield Launch(
            argv=(),
            fragment=fragment.slice(given[0].site.start, given[-1].site.end),
            given=(*around.given, *given),
            image=around.image,
            container=_Lines(fragment),
            closed=False,
            why_open="the command that these variables are given to",
            hints=(*around.hints, *_comments(fragment), *_images(given)),
            carrier=self.name,
            label=around.label,
        )


def _images(given: Sequence[Given]) -> Iterator[Hint]:
    """Values that may name an image: the one that the command will run in, often."""
    for entry in given:
        if entry.value is not None and ":" in entry.value.text:
            yield Hint("image", entry.value.fragment)


def _comments(fragment: Fragment) -> Iterator[Hint]:
    for match in re.finditer(r"^[ \t]*(#[^\r\n]*)", fragment.text[:20_000], re.MULTILINE):
        yield Hint("comment", fragment.slice(*match.span(1)))
