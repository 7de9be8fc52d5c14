"""The same completions with drafts and without, where a server counts nothing: is it faster with them?"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from msgspec import Struct

LEAST_GAIN = 1.15
"""How many times as fast a completion must be with drafts: less may be chance, or another user."""


class Comparison(Struct, frozen=True):
    """Tokens per second of pairs of completions that differ in nothing else.

    failed  why it could not be finished, a sentence; then nothing follows from it
    """

    drafting: tuple[float, ...] = ()
    plain: tuple[float, ...] = ()
    failed: str = ""

    @property
    def gain(self) -> float | None:
        """The median of how many times as fast a completion is with drafts; None without a pair."""
        ratios = list(self._ratios())
        return median(ratios) if ratios else None

    @property
    def proves(self) -> bool:
        """Whether every single completion is faster with drafts, and most by far."""
        gain = self.gain
        return not self.failed and gain is not None and gain >= LEAST_GAIN and min(self._ratios()) > 1

    def reason(self) -> str:
        """What it shows, a clause."""
        gain = self.gain
        if self.failed or gain is None:
            return f"the comparison without drafts came to no end: {self.failed or 'no answer told its time'}"
        rates = f"{median(self.drafting):.3g} tok/s with drafts, {median(self.plain):.3g} without"
        pairs = f"{len(self.plain)} pair{'s' * (len(self.plain) != 1)} of completions"
        if self.proves:
            return f"completions are {gain:.2f} times as fast with drafts as without: {rates} ({pairs})"
        return (
            f"completions are {gain:.2f} times as fast with drafts as without, which proves nothing: {rates} ({pairs})"
        )

    def _ratios(self) -> Iterator[float]:
        return (fast / slow for fast, slow in zip(self.drafting, self.plain) if slow > 0)
