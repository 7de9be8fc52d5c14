"""Helpers for the tests of the systemd carrier."""

from collections.abc import Sequence

from mtpconfig.carrier import NO_FILES, Files, Opener
from mtpconfig.hooks import carriers
from mtpconfig.launch import Launch
from mtpconfig.text import Edit, Fragment, Source, apply_edits


def read(text: str, path: str = "srv.service", files: Files = NO_FILES) -> list[Launch]:
    """The launches in a text, by whatever carrier claims it."""
    return list(Opener(carriers(), files).open(Fragment.of(Source(path, text)), path.rsplit("/", 1)[-1]))


def only(text: str, path: str = "srv.service", files: Files = NO_FILES) -> Launch:
    """The one launch in a text."""
    (launch,) = read(text, path, files)
    return launch


def argv(launch: Launch) -> list[str]:
    return [word.text for word in launch.argv]


def env(launch: Launch) -> dict[str, str]:
    return {given.name.text: given.value.text if given.value else "" for given in launch.given}


def service(*lines: str) -> str:
    """A unit with these lines in its service section."""
    return "[Service]\n" + "".join(f"{line}\n" for line in lines)


def words(line: str, *before: str) -> list[str]:
    """The words that `ExecStart=` starts."""
    return argv(only(service(*before, f"ExecStart={line}")))


def place(launch: Launch, text: str) -> tuple[int, int]:
    """Line and column of the word with this text."""
    word = next(word for word in launch.argv if word.text == text)
    position = word.fragment.source.position(word.fragment.locate_all()[0].start)
    return position.line, position.column


def replaced(text: str, path: str, word: str, part: str, by: str) -> str | None:
    """The text after a part of a word is replaced."""
    for launch in read(text, path):
        for found in launch.argv:
            if found.text == word:
                start = found.text.index(part)
                edit = found.fragment.replace(start, start + len(part), by)
                return apply_edits(text, [edit]) if edit is not None else None
    raise AssertionError(f"no word {word!r}")


def inserted(text: str, path: str, after: str, new: Sequence[str]) -> str | None:
    """The text after words are put behind a word."""
    for launch in read(text, path):
        for found in launch.argv:
            if found.text == after and launch.container is not None:
                edit = launch.container.insert(found, new)
                return apply_edits(text, [edit]) if edit is not None else None
    raise AssertionError(f"no word {after!r}")


def removed(text: str, path: str, *gone: str) -> str | None:
    """The text after words are taken out."""
    launch = next(launch for launch in read(text, path) if set(gone) <= set(argv(launch)))
    assert launch.container is not None
    edits: tuple[Edit, ...] | None = launch.container.remove([word for word in launch.argv if word.text in gone])
    return apply_edits(text, edits) if edits is not None else None
