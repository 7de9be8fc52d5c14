"""Podman's quadlets: `[Container]` sections, from which a `podman run` is made.

After podman-systemd.unit(5): `Exec=` holds the words behind the image, `PodmanArgs=` words in front of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.shell.listed import launches_of
from mtpconfig.carriers.systemd.commands import commands
from mtpconfig.carriers.systemd.container import UnitContainer
from mtpconfig.carriers.systemd.environment import environment_of
from mtpconfig.carriers.systemd.lines import Line, Unit
from mtpconfig.launch import Given, Hint, Known, Launch, Opaque, Word

SECTION = "Container"


def containers(
    unit: Unit, opener: Opener, around: Surroundings, hints: Callable[[Line], tuple[Hint, ...]]
) -> Iterator[Launch]:
    """The launch of a quadlet's container."""
    images = unit.values(SECTION, "Image")[-1:]
    if not images:
        return
    container = UnitContainer(around.container)
    run = unit.values(SECTION, "Exec")[-1:]
    environment = environment_of(unit, SECTION, opener.files, container, run[0].text if run else "")
    variables = environment_of(unit, "Service", opener.files, container, "")

    def words(line: Line) -> tuple[Word, ...]:
        return next((c.words for c in commands(line, variables.seen_from(line.layer), container, arguments=True)), ())

    image, options = words(images[0]), [word for line in unit.values(SECTION, "PodmanArgs") for word in words(line)]
    entrypoint = [word for line in unit.values(SECTION, "Entrypoint")[-1:] for word in words(line)]
    entrypoint += [value for name, value in _options(options) if name == "--entrypoint"]
    given = [entry for name, value in _options(options) if name in ("-e", "--env") for entry in _assignment(value)]
    if not image:
        return
    inside = replace(
        around,
        given=(*around.given, *environment.given, *given),
        image=image[0],
        entrypoint=entrypoint[-1] if entrypoint else None,
        hints=hints((run or images)[0]),
        container=container,
    )
    command = (
        next(commands(run[0], variables.seen_from(run[0].layer), container, arguments=True), None) if run else None
    )
    whole = command.whole if command is not None else image[0].fragment
    why_open = (command.why_open if command is not None else "") or environment.unseen
    yield from launches_of(command.words if command else (), whole, opener, inside, container, why_open)


def _options(words: list[Word]) -> Iterator[tuple[str, Word]]:
    """Options with a value, glued or not: (name, value)."""
    for word, following in zip(words, [*words[1:], None]):
        name, equals, _ = word.text.partition("=")
        if equals and name.startswith("--"):
            rest = word.fragment.slice(len(name) + 1, len(word.text))
            yield name, Word(rest, word.value if isinstance(word.value, Opaque) else Known(rest.text))
        elif following is not None:
            yield name, following


def _assignment(word: Word) -> Iterator[Given]:
    name, equals, text = word.text.partition("=")
    if equals:
        value = word.value if isinstance(word.value, Opaque) else Known(text)
        rest = word.fragment.slice(len(name) + 1, len(word.text))
        yield Given("env", Word(word.fragment.slice(0, len(name)), Known(name)), Word(rest, value))
