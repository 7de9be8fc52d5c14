"""Helpers for the tests of the carriers that stand on YAML: all installed carriers read, as in a real run."""

from collections.abc import Sequence

from mtpconfig.carrier import NO_FILES, Opener
from mtpconfig.hooks import carriers
from mtpconfig.launch import Launch, Opaque, Word
from mtpconfig.text import Fragment, Source, apply_edits


def read(text: str, name: str) -> list[Launch]:
    """The launches of a text, as the carrier reads it that claims its name and beginning."""
    return list(Opener(carriers(), NO_FILES).open(Fragment.of(Source(name, text)), name))


def named(text: str, name: str, program: str = "") -> Launch:
    """The one launch, or the one whose words or program hold a text."""
    found = [launch for launch in read(text, name) if not program or program in " ".join(said(launch))]
    assert len(found) == 1, [said(launch) for launch in found]
    return found[0]


def said(launch: Launch) -> list[str]:
    """What runs: the image in brackets, what replaces its entrypoint, the words; `?` behind what is not known."""
    image = [f"[{launch.image.text}]"] if launch.image is not None else []
    entry = [f"={launch.entrypoint.text}"] if launch.entrypoint is not None else []
    return [*image, *entry, *(_word(word) for word in launch.argv)]


def _word(word: Word) -> str:
    mark = "?" if isinstance(word.value, Opaque) else ""
    return word.text + mark + ("*" if word.many else "")


def env(launch: Launch) -> dict[str, str]:
    """The environment; `?` stands for what is not known."""
    return {
        given.name.text: "?" if given.value is None or isinstance(given.value.value, Opaque) else given.value.text
        for given in launch.given
    }


def word(launch: Launch, text: str) -> Word:
    """The word of a launch with this text."""
    (found,) = [each for each in launch.argv if each.text == text]
    return found


def at(launch: Launch, text: str) -> list[str]:
    """What stands in the source where a word is located."""
    fragment = word(launch, text).fragment
    return [fragment.source.text[slice(*span)] for span in fragment.locate_all()]


def replaced(text: str, name: str, old: str, new: str) -> str | None:
    """The text after a word of its launch became another one."""
    launch = named(text, name, old)
    edit = word(launch, old).fragment.replace(0, len(old), new)
    return None if edit is None else apply_edits(text, [edit])


def removed(text: str, name: str, words: Sequence[str]) -> str | None:
    """The text after words were taken out of its launch."""
    launch = named(text, name, words[0])
    assert launch.container is not None
    edits = launch.container.remove([each for each in launch.argv if each.text in words])
    return None if edits is None else apply_edits(text, edits)


def inserted(text: str, name: str, after: str, words: Sequence[str]) -> str | None:
    """The text after words were put behind a word of its launch."""
    launch = named(text, name, after)
    assert launch.container is not None
    edit = launch.container.insert(word(launch, after), words)
    return None if edit is None else apply_edits(text, [edit])
