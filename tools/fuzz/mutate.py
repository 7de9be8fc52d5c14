"""Mutations: a text and the tokens of its format in, a text that is a little broken out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

MOST_CHARACTERS = 2500


@dataclass(frozen=True)
class Mutator:
    """Mutates the texts of one format; `tokens` are its own marks, and those of many formats."""

    tokens: tuple[Sequence[str], Sequence[str]]

    def mutated(self, text: str, others: Sequence[str], rng: Random, most: int) -> str:
        """A text after one to `most` mutations, rather few; `others` are texts to splice in."""
        for _ in range(min(1 + int(rng.expovariate(0.6)), most)):
            text = rng.choice(_MUTATIONS)(self, text, others, rng)
        return text[:MOST_CHARACTERS]

    def flooded(self, text: str, rng: Random, sizes: Sequence[int]) -> tuple[str, list[str]]:
        """A token, and a text with so many characters of repetitions of it at one place."""
        at, token = rng.randint(0, len(text)), self._token(rng)
        return token, [text[:at] + token * (size // len(token)) + text[at:] for size in sizes]

    def _flip(self, text: str, others: Sequence[str], rng: Random) -> str:
        if not text:
            return text
        at = rng.randrange(len(text))
        return text[:at] + chr(ord(text[at]) ^ (1 << rng.randrange(7))) + text[at + 1 :]

    def _delete(self, text: str, others: Sequence[str], rng: Random) -> str:
        start, end = _range(text, rng)
        return text[:start] + text[end:]

    def _duplicate(self, text: str, others: Sequence[str], rng: Random) -> str:
        start, end = _range(text, rng)
        at = rng.choice((end, rng.randint(0, len(text))))
        return text[:at] + text[start:end] + text[at:]

    def _splice(self, text: str, others: Sequence[str], rng: Random) -> str:
        other = rng.choice(others)
        start, end = _range(other, rng, longest=400)
        at = rng.randint(0, len(text))
        return text[:at] + (other[start:end] + text[at:] if rng.random() < 0.7 else other[start:])

    def _insert(self, text: str, others: Sequence[str], rng: Random) -> str:
        at = rng.randint(0, len(text))
        return text[:at] + self._token(rng) + text[at:]

    def _overwrite(self, text: str, others: Sequence[str], rng: Random) -> str:
        start, end = _range(text, rng, longest=12)
        return text[:start] + self._token(rng) + text[end:]

    def _repeat(self, text: str, others: Sequence[str], rng: Random) -> str:
        at = rng.randint(0, len(text))
        return text[:at] + self._token(rng) * rng.choice((2, 2, 3, 3, 9, 9, 40, 250)) + text[at:]

    def _lines(self, text: str, others: Sequence[str], rng: Random) -> str:
        """Lines moved, taken out, said twice, or indented."""
        lines = text.splitlines(keepends=True) or [""]
        first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(4):
            case 0:
                lines[first], lines[second] = lines[second], lines[first]
            case 1:
                del lines[first]
            case 2:
                lines.insert(second, lines[first])
            case _:
                lines[first] = rng.choice(("  ", "\t", " ")) + lines[first]
        return "".join(lines)

    def _line_ends(self, text: str, others: Sequence[str], rng: Random) -> str:
        return text.replace("\r\n", "\n").replace("\n", rng.choice(("\r\n", "\r\n", "\r", "\n")))

    def _mark(self, text: str, others: Sequence[str], rng: Random) -> str:
        return "\ufeff" + text

    def _token(self, rng: Random) -> str:
        own, general = self.tokens
        tokens: Sequence[str] = own if rng.random() < 0.5 else general
        return rng.choice(tokens)


_Mutation = Callable[[Mutator, str, Sequence[str], Random], str]
_MUTATIONS: tuple[_Mutation, ...] = (
    *(Mutator._insert, Mutator._insert, Mutator._insert, Mutator._overwrite, Mutator._overwrite),
    *(Mutator._delete, Mutator._delete, Mutator._flip, Mutator._flip, Mutator._duplicate, Mutator._splice),
    *(Mutator._lines, Mutator._lines, Mutator._line_ends, Mutator._repeat, Mutator._mark),
)


def _range(text: str, rng: Random, longest: int = 60) -> tuple[int, int]:
    start = rng.randint(0, len(text))
    return start, min(len(text), start + int(rng.expovariate(4 / longest)) + 1)
