"""How Python's `argparse` takes a command line apart, over an option history.

Facts (Lib/argparse.py of Python 3.10 to 3.13, `_parse_optional`, `_get_option_tuples`, `_match_argument`): a word that
begins with `-` is an option, unless it is a negative number or no known name and has a blank in it; a whole name comes
first, then what stands before a `=`, then the beginning of a long name, which must be that of one name alone; a value
is no word that is an option itself; behind `--` there are no options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mtpconfig.history import OptionHistory, Period
from mtpconfig.launch import Opaque, Word
from mtpconfig.version import Version

_NEGATIVE = re.compile(r"-\d+|-\d*\.\d+")
_SHORTEST = 3

NOTHING = frozenset({"flag", "bool"})
"""Types of options that take no word."""
SEVERAL = "words"
"""The type of options that take all words up to the next option."""
OPTIONAL = "optional"
"""The type of options that take a word if there is one."""


class Spoken(Struct, frozen=True, eq=False):
    """One option as it stands among the words.

    spelling  the name as written, without a value behind `=`
    name      the whole name that it is, or was at another version; the spelling itself where there is none
    period    what it means at the version, if anything
    word      the word that holds the name
    values    the words of its value; the part of the word behind `=` is a word of its own
    words     all words that it takes
    rivals    the names that a beginning may stand for, where there are several: the program does not start
    """

    spelling: str
    name: str
    period: Period | None
    word: Word
    values: tuple[Word, ...]
    words: tuple[Word, ...]
    glued: bool = False
    rivals: tuple[str, ...] = ()


class ArgumentParser:
    """The parser of one version of a program."""

    def __init__(self, history: OptionHistory, version: Version, program: str) -> None:
        self._history = history
        self._version = version
        self._program = program

    def options(self, words: Sequence[Word]) -> Iterator[Spoken]:
        """The options among the words, in order."""
        place = 0
        while place < len(words):
            word = words[place]
            place += 1
            if word.text == "--":
                return
            if self._is_option(word):
                spoken = self._option(word, words[place:])
                place += len(spoken.words) - 1
                yield spoken

    def _is_option(self, word: Word) -> bool:
        text = word.text
        if not text.startswith("-") or text == "-" or _NEGATIVE.fullmatch(text):
            return False
        if any(start == 0 for start, _ in word.holes) or (isinstance(word.value, Opaque) and not word.holes):
            return False
        if " " not in text:
            return True
        name, rivals = self.resolve(text.partition("=")[0])
        return bool(rivals) or self._find(name) is not None

    def _option(self, word: Word, following: Sequence[Word]) -> Spoken:
        spelling, equals, _ = word.text.partition("=")
        name, rivals = self.resolve(spelling)
        period = self._find(name)
        if equals:
            value = word.part(len(spelling) + 1, len(word.text))
            return Spoken(spelling, name, period, word, (value,), (word,), True, rivals)
        values = tuple(self._values(name, period, following))
        return Spoken(spelling, name, period, word, values, (word, *values), False, rivals)

    def _values(self, name: str, period: Period | None, following: Sequence[Word]) -> Iterator[Word]:
        """The words that an option takes from those behind it."""
        kind = period.type if period is not None else self._borrowed(name)
        if kind in NOTHING:
            return
        for place, word in enumerate(following):
            if self._is_option(word) or word.text == "--" or (place and kind != SEVERAL):
                return
            yield word

    def _borrowed(self, name: str) -> str:
        """The type of a name that this version does not know: as at another one, else one value if a word follows."""
        periods = self._history.periods("flag", name)
        return periods[-1].type if periods else "string"

    def _find(self, name: str) -> Period | None:
        return self._history.find("flag", name, self._version, self._program)

    def resolve(self, spelling: str) -> tuple[str, tuple[str, ...]]:
        """The whole name of a spelling, and the names that it may stand for where it is ambiguous.

        A beginning that this version cannot complete, or not to one name, is what it was at the newest that could; one
        that is a whole name at another version is that name.
        """
        if self._find(spelling) is not None or not spelling.startswith("--") or len(spelling) < _SHORTEST:
            return spelling, ()
        ever = self._history.completions("flag", spelling)
        now = self._known(ever, self._version)
        if len(now) == 1:
            return now[0], ()
        if self._history.periods("flag", spelling):
            return spelling, ()
        for version in reversed(self._history.versions) if ever else ():
            if len(once := self._known(ever, version)) == 1:
                return once[0], now
        return spelling, now

    def _known(self, names: Sequence[str], version: Version) -> tuple[str, ...]:
        return tuple(sorted(n for n in names if self._history.find("flag", n, version, self._program) is not None))
