"""Helpers for the tests of the shell carrier."""

from collections.abc import Iterable

from mtpconfig.carrier import NO_FILES, NOTHING, Opener
from mtpconfig.carriers.shell import ShellCarrier
from mtpconfig.launch import Launch
from mtpconfig.text import Edit, Fragment, Kind, Source, apply_edits


def read(text: str, path: str = "run.sh") -> list[Launch]:
    """The launches in a text."""
    carrier = ShellCarrier()
    return list(carrier.read(Fragment.of(Source(path, text)), Opener([carrier], NO_FILES), NOTHING))


def only(text: str) -> Launch:
    """The one launch in a text."""
    (launch,) = read(text)
    return launch


def argv(launch: Launch) -> list[str]:
    """The words of a launch."""
    return [word.text for word in launch.argv]


def argvs(text: str) -> list[list[str]]:
    """The words of all launches in a text."""
    return [argv(launch) for launch in read(text)]


def env(launch: Launch) -> dict[str, str]:
    """The environment of a launch."""
    return {given.name.text: given.value.text if given.value else "" for given in launch.given}


def applied(text: str, edits: Edit | Iterable[Edit] | None) -> str:
    """A text with edits."""
    assert edits is not None
    return apply_edits(text, [edits] if isinstance(edits, Edit) else edits)


def check_segments(fragment: Fragment) -> None:
    """Segments are in order and cover the text; copies equal their origin; locations lie inside the source."""
    cursor = 0
    for segment in fragment.segments:
        assert segment.start == cursor
        cursor = segment.end
        if segment.kind is Kind.COPY and segment.origin is not None:
            parent = fragment.parent.text
            assert parent[slice(*segment.origin)] == fragment.text[segment.start : segment.end]
    assert cursor == len(fragment.text)
    for start in range(len(fragment.text)):
        for span in fragment.locate(start, start + 1):
            assert 0 <= span.start < span.end <= len(fragment.source.text)
