"""How vLLM takes a command line apart: `argparse`, and what FlexibleArgumentParser does before it.

Facts (vllm/utils/argparse_utils.py, before 0.11.1 vllm/utils): in words that begin with `--`, each `_` before the first
dot becomes `-` (before 0.9.1 behind the dot too); `--name=value` and unique beginnings of long names are taken; from
0.9.0 on `--name.key value` are gathered into one JSON object, put at the end of the words as `--name {...}`; a short
name may stand before the dot from 0.9.2 on. An option takes no word that looks like an option itself; a word with a
blank in it does not, and no negative number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from mtpconfig.history import USABLE, OptionHistory, Period
from mtpconfig.launch import Opaque, Word
from mtpconfig.version import PEP440, Version
from mtpconfig_vllm.configuration import said_apart

DOTTED_SINCE = PEP440.parse("0.9.0")
SHORT_DOTTED_SINCE = PEP440.parse("0.9.2")

_NEGATIVE = re.compile(r"-\d+|-\d*\.\d+")
_BLANK = re.compile(r"\s")
_NAME = re.compile(r"[^.=]*")
_TRUTH = frozenset(("true", "false", "1", "0", "yes", "no"))


class Spoken(Struct, frozen=True, eq=False):
    """One option as it stands among the words.

    spelling  the name as written, without value and keys
    name      as it is looked up: normalised, and a beginning completed where it is unique
    period    what it means at the version, if anything
    keys      what stands behind the dots
    untaken   keys stand behind dots that this release does not understand: it knows no such name
    values    the words of its value; the part of the word behind `=` is a word of its own
    words     all words that it takes
    """

    spelling: str
    name: str
    period: Period | None
    word: Word
    values: tuple[Word, ...]
    words: tuple[Word, ...]
    glued: bool = False
    keys: tuple[Word, ...] = ()
    untaken: bool = False


def normal(spelling: str) -> str:
    """A flag as the parser looks it up, without a value behind `=` or keys behind a dot."""
    if not spelling.startswith("-"):
        return spelling.replace("_", "-")
    name = _NAME.match(spelling)
    assert name is not None
    return name[0].replace("_", "-") if spelling.startswith("--") else name[0]


class Parser:
    """The parser of one release."""

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
            if not self._is_option(word):
                continue
            if word.text == "--":
                return
            spoken = self._option(word, words[place:])
            place += len(spoken.words) - 1
            yield spoken

    def positionals(self, words: Sequence[Word]) -> list[Word]:
        """The words that no option takes."""
        taken = {id(word) for spoken in self.options(words) for word in spoken.words}
        return [word for word in words if id(word) not in taken and word.text != "--"]

    def _is_option(self, word: Word) -> bool:
        text = word.text
        if not text.startswith("-") or text == "-" or _NEGATIVE.fullmatch(text):
            return False
        if any(start == 0 for start, _ in word.holes) or (isinstance(word.value, Opaque) and not word.holes):
            return False
        return not _BLANK.search(text.partition("=")[0]) or self._is_glued(text)

    def _is_glued(self, text: str) -> bool:
        """Whether a word is an option and its value in one, which argparse takes for a value of some other."""
        return text.startswith("--") and bool(self._history.periods("flag", normal(text.split()[0])))

    def _option(self, word: Word, following: Sequence[Word]) -> Spoken:
        head = _NAME.match(word.text)
        assert head is not None
        spelling = head[0]
        if _BLANK.search(spelling):
            return Spoken(word.text, word.text, None, word, (), (word,))
        behind, dots, equals = word.text[len(spelling) :], False, -1
        equals = word.text.find("=", len(spelling))
        dots = behind.startswith(".") and self.takes_keys(spelling)
        if behind.startswith(".") and not dots:
            spelling = word.text if equals < 0 else word.text[:equals]
        name, period = self.resolve(spelling)
        if behind.startswith(".") and not dots and period is not None:
            taken = (word, *following[:1]) if equals < 0 else (word,)
            return Spoken(spelling, name, period, word, (), taken, untaken=True)
        keys = said_apart(word, len(spelling) + 1, equals if equals >= 0 else len(word.text)) if dots else ()
        if equals >= 0:
            value = word.part(equals + 1, len(word.text))
            return Spoken(spelling, name, period, word, (value,), (word,), True, keys)
        values = tuple(following[:1]) if dots else tuple(self._values(name, period, following))
        return Spoken(spelling, name, period, word, values, (word, *values), False, keys)

    def takes_keys(self, spelling: str) -> bool:
        """Whether keys may stand behind a dot after a long or a short name."""
        return self._version >= (DOTTED_SINCE if spelling.startswith("--") else SHORT_DOTTED_SINCE)

    def _values(self, name: str, period: Period | None, following: Sequence[Word]) -> Iterator[Word]:
        """The words that an option takes from those behind it."""
        kind = period.type if period is not None else self._borrowed(name)
        if kind == "flag":
            return
        for place, word in enumerate(following):
            if self._is_option(word) or (place and kind != "list"):
                return
            if kind == "bool" and word.text.lower() not in _TRUTH:
                return  # a switch takes no word; those of old releases take such a one
            yield word

    def _borrowed(self, name: str) -> str:
        """The type of a name that this release does not know: as at another one, else one value if a word follows."""
        periods = self._history.periods("flag", name)
        return periods[-1].type if periods else "string"

    # Names

    def find(self, name: str) -> Period | None:
        """What a whole name means."""
        return self._history.find("flag", name, self._version, self._program)

    def resolve(self, spelling: str) -> tuple[str, Period | None]:
        """A name and what it means; a beginning of one long name alone stands for it."""
        name = normal(spelling)
        period = self.find(name)
        if period is not None or not name.startswith("--") or self._history.periods("flag", name):
            return name, period
        candidates = self.candidates(name)
        if len(candidates) == 1:
            return candidates[0], self.find(candidates[0])
        return name, None

    def candidates(self, beginning: str) -> list[str]:
        """The names of this release with a beginning."""
        if len(beginning) < 3:
            return []
        named = (name for name in self._history.names("flag") if name.startswith(beginning))
        return [name for name in named if (period := self.find(name)) is not None and period.status in USABLE]
