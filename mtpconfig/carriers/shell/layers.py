"""What is handed down when text is opened inside text."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.shell.codecs import BARE
from mtpconfig.carriers.shell.runs import Run
from mtpconfig.carriers.shell.scope import Choice, Scalar, Scope
from mtpconfig.launch import Container, Default, Given, Hint, Known, OneOf, Opaque, Word
from mtpconfig.text import Kind

DEEPEST = 8


def _seen(value: Word) -> tuple[Run, ...]:
    """The value of a variable that is set outside: to be used, not to be edited here."""
    match value.value:
        case Opaque(why):
            return (Run(value.text, None, Kind.SYNTHETIC, BARE, why=why),)
        case Default(text, variable):
            return (Run(text, None, Kind.SYNTHETIC, BARE, shared=True, variable=variable),)
        case OneOf(texts):
            return (Run(value.text, None, Kind.SYNTHETIC, BARE, texts=texts),)
        case Known(text):
            return (Run(text, None, Kind.SYNTHETIC, BARE, shared=True),)


class Branches:
    """Numbers for the branches of a whole stack of layers, and the arms of which each surely takes one."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._arms: dict[int, tuple[int, ...]] = {}

    def new(self, arms: Iterable[int] = ()) -> int:
        """A branch number that nothing else in the stack has."""
        branch = next(self._numbers)
        self.settle(branch, arms)
        return branch

    def settle(self, branch: int, arms: Iterable[int]) -> None:
        """Say which arms a branch may take; an `if` without `else` has one more, in which nothing happens."""
        self._arms[branch] = tuple(arms)

    def arms(self, branches: Iterable[int]) -> Mapping[int, tuple[int, ...]]:
        """The arms of some branches."""
        return {branch: self._arms[branch] for branch in branches if self._arms.get(branch)}


class Context(Struct, frozen=True):
    """What holds around a layer.

    opener     reads the texts that are no shell text
    given      the environment that its programs see
    container  holds the assignments among `given`
    image      the container image that it runs in, and the entrypoint put in the place of the image's own
    in_docker  it was started by a `docker run` line
    depth      how many layers lie below it
    splits     whether unquoted variables are split into words (they are not in zsh)
    branches   the branches of the whole stack
    """

    opener: Opener
    hints: tuple[Hint, ...] = ()
    given: tuple[Given, ...] = ()
    container: Container | None = None
    image: Word | None = None
    entrypoint: Word | None = None
    in_docker: bool = False
    depth: int = 0
    splits: bool = True
    branches: Branches = field(default_factory=Branches)

    @classmethod
    def within(cls, opener: Opener, around: Surroundings, *, splits: bool) -> Context:
        """The context of a text that another format holds."""
        return cls(
            opener,
            around.hints,
            around.given,
            around.container,
            around.image,
            around.entrypoint,
            depth=opener.depth,
            splits=splits,
        )

    def scope(self) -> Scope:
        """The variables that a text finds when it begins: its environment."""
        known = {entry.name.text: entry.value for entry in self.given if entry.value is not None}
        return Scope({name: Scalar((Choice(_seen(value)),)) for name, value in known.items()})

    def written(self, hints: tuple[Hint, ...]) -> Context:
        """The context of a file that the script writes: its programs start elsewhere."""
        return Context(self.opener, hints, depth=self.depth + 1, branches=self.branches)

    def started(
        self,
        hints: tuple[Hint, ...],
        given: tuple[Given, ...],
        container: Container,
        image: Word | None,
        entrypoint: Word | None,
        *,
        in_docker: bool,
    ) -> Context:
        """The context of shell text that a command starts."""
        return replace(
            self,
            hints=hints,
            given=given,
            container=container,
            image=image or self.image,
            entrypoint=entrypoint or self.entrypoint,
            in_docker=in_docker or self.in_docker,
            depth=self.depth + 1,
            splits=True,
        )
