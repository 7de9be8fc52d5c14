"""What must hold of every text: a carrier reads it in time, without an error, and says truly where words stand."""

from __future__ import annotations

import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from types import FrameType

from mtpconfig.carrier import NO_FILES, NOTHING, Opener
from mtpconfig.hooks import carriers
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment, Kind, Source

from . import edits
from .targets import Target

SLOW = 1.0
"""Seconds of CPU time that a reading may take."""

_HANGS = 5.0
_NOTICED = 0.5

HANG = "hang"
"""The place of a fault that is a reading without an end."""


class Hang(BaseException):
    """A reading that does not end; no handler of `Exception` swallows it."""


@dataclass(frozen=True)
class Fault:
    """What went wrong. `kind` is crash, slow, mapping or edit; faults with one `place` are taken as the same."""

    kind: str
    place: str
    detail: str


class Unsound(Exception):
    """A fragment that does not tell where its text was written."""


def read(target: Target, text: str) -> list[Launch]:
    """The launches that a target's carrier reads out of a text, whoever else would claim it.

    All carriers are asked whether they do, and texts inside the text go through the opener, as in a real run.
    """
    opener = Opener(carriers(), NO_FILES, depth=1)
    opener.carrier_for(target.file, text[:4096])
    return list(target.carrier.read(Fragment.of(Source(target.file, text)), opener, NOTHING))


def examine(target: Target, text: str, edit: Random | None = None) -> tuple[list[Launch], Fault | None]:
    """The launches, and the first fault found; with `edit`, a word is edited and the text is read again."""
    launches: list[Launch] = []
    start = time.process_time()
    try:
        with _limit():
            launches = read(target, text)
            seconds = time.process_time() - start
            if seconds > SLOW:
                return launches, Fault("slow", "slow", f"{seconds:.1f} s")
            _check_all(launches)
            if edit is not None and launches:
                change = edits.choose(launches, edit)
                wrong = change and edits.judge(change, launches, text, lambda changed: read(target, changed))
                if change and wrong:
                    return launches, Fault("edit", f"{change.action} {change.text!r}", f"{change}\n{wrong}")
    except Unsound as error:
        return launches, Fault("mapping", str(error).partition(":")[0], str(error))
    except Hang as error:
        return launches, Fault("slow", HANG, _where(error))
    except Exception as error:
        return launches, Fault("crash", _where(error), traceback.format_exc())
    return launches, None


def examine_growth(target: Target, short: str, long: str) -> Fault | None:
    """Whether reading a text of several times the length takes far longer than that."""
    first, second = _seconds(target, short), _seconds(target, long)
    excessive = second > _NOTICED and second / first > 3 * len(long) / len(short)
    return Fault("slow", "growth", f"{first:.2f} s, then {second:.2f} s") if excessive else None


def _seconds(target: Target, text: str) -> float:
    start = time.process_time()
    try:
        with _limit():
            read(target, text)
    except Hang:
        pass
    return time.process_time() - start


def _check_all(launches: list[Launch]) -> None:
    seen: set[int] = set()
    for launch in launches:
        _check_place(launch.fragment)
        for fragment in _fragments(launch):
            if id(fragment) not in seen:
                _check_character(fragment, len(fragment.text) // 2)
            node: Fragment | Source = fragment
            while isinstance(node, Fragment) and id(node) not in seen:
                seen.add(id(node))
                _check(node)
                node = node.parent


def _fragments(launch: Launch) -> Iterator[Fragment]:
    yield launch.fragment
    words = [*launch.argv, launch.image, launch.entrypoint]
    for given in launch.given:
        words += (given.name, given.value)
    yield from (word.fragment for word in words if word is not None)
    yield from (hint.fragment for hint in launch.hints)


def _check(fragment: Fragment) -> None:
    """Segments are in order and cover the text; origins lie in the parent; copies equal their origins."""
    text, parent, cursor = fragment.text, fragment.parent.text, 0
    for segment in fragment.segments:
        if segment.start != cursor or segment.end < cursor:
            raise Unsound(f"a gap or an overlap between segments: {segment} at {cursor} of {text!r}")
        cursor = segment.end
        if segment.origin is None:
            continue
        start, end = segment.origin
        if not 0 <= start <= end <= len(parent):
            raise Unsound(f"an origin out of bounds: {segment} of {text!r}")
        if segment.kind is Kind.COPY and parent[start:end] != text[segment.start : segment.end]:
            raise Unsound(f"a copy that differs: {segment} of {text!r}, there {parent[start:end]!r}")
    if cursor != len(text):
        raise Unsound(f"segments end early: at {cursor} of {text!r}")


def _check_place(fragment: Fragment) -> None:
    """The places in the source lie inside it."""
    size = len(fragment.source.text)
    for span in fragment.locate_all():
        if not 0 <= span.start <= span.end <= size:
            raise Unsound(f"a place out of bounds: {span} of {fragment.text!r}")


def _check_character(fragment: Fragment, at: int) -> None:
    """A character that is copied through all layers stands in the source."""
    if fragment.text and _is_copied(fragment, at):
        (place,) = fragment.locate(at, at + 1)
        if fragment.source.text[place.start : place.end] != fragment.text[at]:
            raise Unsound(f"a place that holds something else: {place}, offset {at} of {fragment.text!r}")


def _is_copied(node: Fragment | Source, at: int) -> bool:
    while isinstance(node, Fragment):
        segment = next(s for s in node.segments if s.start <= at < s.end)
        if segment.kind is not Kind.COPY or segment.origin is None:
            return False
        node, at = node.parent, segment.origin.start + at - segment.start
    return True


def _where(error: BaseException) -> str:
    """The kind of an error and the innermost line of the project's own that it passed."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "mtpconfig" in f.filename]
    last = frames[-1] if frames else None
    path = last.filename[last.filename.rindex("mtpconfig") :] if last else ""
    return f"{type(error).__name__} {path}:{last.name if last else ''}"


@contextmanager
def _limit() -> Iterator[None]:
    """Raise Hang inside after too much CPU time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, _HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
