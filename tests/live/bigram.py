"""The language that the tiny models speak, and the oracle that knows what speculation must count on it.

The language is a bigram: the next token depends on the *class* of the last one and on nothing else. Classes
``0 .. WORDS-1`` are words and classes ``WORDS .. WIDTH-1`` are bytes, so a prompt's last byte decides where the text
starts; from there the words follow each other in one fixed cycle. A trunk that holds this table and an MTP head (or a
draft model) that holds a slightly wrong copy of it have an acceptance that is known before anything runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

WIDTH: Final = 128
"""Number of classes; also the models' embedding width, as every class is one one-hot direction."""
WORDS: Final = 96
"""Number of word classes. Only words are ever generated."""
NEVER: Final = -30.0
"""Log-probability of what the language never says."""

_STRIDE: Final = 41  # coprime to WORDS: stepping by it visits every word once before it comes back
_MISTAKE: Final = (0.55, 0.25, 0.20)  # a wrong head: first choice, second choice, what is left for the truth

Floats = npt.NDArray[np.float64]
Classes = npt.NDArray[np.int64]


def byte_class(byte: int) -> int:
    """The class of a byte token."""
    return WORDS + byte % (WIDTH - WORDS)


def byte_alphabet() -> list[str]:
    """The printable character that stands for each byte in byte-level BPE vocabularies."""
    plain = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(0x100, 0x200))
    return [chr(byte) if byte in plain else chr(next(spare)) for byte in range(256)]


def words() -> list[str]:
    """Distinct pronounceable words with a leading space (written as byte-level BPE writes it)."""
    consonants, vowels = "bdfgklmnprst", "aeiou"
    syllables = [c + v for c in consonants for v in vowels]
    return [f"\u0120{syllables[i % 60]}{syllables[(i * 7 + 13) % 59]}" for i in range(WORDS)]


@dataclass(frozen=True)
class Language:
    """Who follows whom. All arrays are indexed by the class of the last token.

    ``truth`` is the word the trunk prefers and ``guess`` the word the head prefers; ``trunk`` and ``head`` are the log
    probabilities of all words, of shape ``(WIDTH, WORDS)``.
    """

    truth: Classes
    guess: Classes
    trunk: Floats
    head: Floats

    @classmethod
    def build(cls, accept: float = 0.9, seed: int = 0) -> Language:
        """Make a language whose head is right about a share ``accept`` (0..1) of the words."""
        if not 0.0 <= accept <= 1.0:
            raise ValueError(f"accept must lie between 0 and 1, not {accept}")
        rng = np.random.default_rng(seed)
        index = np.arange(WIDTH)
        truth = np.where(index < WORDS, (index + _STRIDE) % WORDS, (index * 7) % WORDS)
        # The trunk is surer of some words than of others, so that temperature and p_min have something to act on.
        sureness = rng.choice([0.98, 0.90, 0.70], size=WIDTH, p=[0.5, 0.3, 0.2])
        mistaken = set(rng.permutation(WORDS)[: round((1.0 - accept) * WORDS)].tolist())
        guess = truth.copy()
        trunk = np.full((WIDTH, WORDS), NEVER)
        head = np.full((WIDTH, WORDS), NEVER)
        for here in range(WIDTH):
            right = int(truth[here])
            others = rng.choice(np.delete(np.arange(WORDS), right), size=5, replace=False)
            trunk[here, right] = np.log(sureness[here])
            trunk[here, others[:3]] = np.log((1.0 - sureness[here]) * np.array([0.5, 0.3, 0.2]))
            if here in mistaken:
                guess[here] = others[3]
                head[here, [others[3], others[4], right]] = np.log(_MISTAKE)
            else:
                head[here] = trunk[here]
        return cls(truth, guess, trunk, head)


class Counts(NamedTuple):
    """What a server must have counted: tokens drafted, tokens accepted, verification steps."""

    drafted: int
    accepted: int
    steps: int


def simulate(language: Language, prompt: str, n_predict: int, gamma: int) -> Counts:
    """Count speculation at temperature 0 as llama-server does, for one request of ``n_predict`` tokens.

    The first token comes from the prompt's own logits. Every later step drafts ``gamma`` tokens, but never more than
    could still be used (what remains, less the one token that verification itself yields).
    """
    last = int(language.truth[byte_class(prompt.encode()[-1])])
    produced, drafted, accepted, steps = 1, 0, 0, 0
    while produced < n_predict:
        size = min(gamma, n_predict - produced - 1)
        right, guess = 0, last
        for _ in range(size):
            guess = int(language.guess[guess])
            if guess != language.truth[last]:
                break
            last = guess
            right += 1
        last = int(language.truth[last])
        produced += right + 1
        drafted += size
        accepted += right
        steps += size > 0
    return Counts(drafted, accepted, steps)
