"""What an engine plugin provides: the knowledge and the code that one engine needs, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from msgspec import Struct, field

from mtpconfig.files import Files
from mtpconfig.history import OptionHistory, Stretch
from mtpconfig.launch import Guard, HintKind, Launch, Setting, Target, Word
from mtpconfig.match import Match
from mtpconfig.spec import MTPSpec
from mtpconfig.version import Scheme, Version, VersionRange

if TYPE_CHECKING:
    from mtpconfig.evidence import Probe

_MOST_CONDITIONS = 6


class Identity(Struct, frozen=True):
    """Which program of which engine a launch starts.

    engine   the engine's id, or a fork's own name when `ours` is False
    program  the engine's name for the program
    args_at  index in the launch's argv of the first argument
    ours     False for forks and look-alikes: such a launch is left alone
    markers  what told it: words, an image name
    """

    engine: str
    program: str
    args_at: int = 1
    ours: bool = True
    markers: tuple[str, ...] = ()


class Reading(Struct, frozen=True, eq=False):
    """A launch as one version of its engine understands it.

    settings    all settings in the order in which they take effect (a later surface or a later word overrides)
    by_option   the same by option id; spellings that mean nothing at this version are not in it
    spec        the canonical settings
    unread      settings that nobody reads at this version
    why_open    what may add words that cannot be seen; empty if these are all, and absences mean something
    operands    words that the program takes without an option: the model of `vllm serve MODEL`
    why         one sentence for each field of the spec whose origin is not a setting, e.g. a default
    """

    launch: Launch
    version: Version
    program: str
    settings: tuple[Setting, ...]
    by_option: Mapping[str, tuple[Setting, ...]]
    spec: MTPSpec
    unread: tuple[Setting, ...] = ()
    why_open: str = ""
    operands: tuple[Word, ...] = ()
    why: Mapping[str, str] = field(default_factory=dict)

    @property
    def closed(self) -> bool:
        """Whether these are all the words that the engine receives."""
        return not self.why_open

    def effective(self, option: str) -> tuple[Setting, ...]:
        """The settings of an option that may have the last word: the last one, and those that its guard excludes."""
        lasting: list[Setting] = []
        later: set[Guard] = set()
        for setting in reversed(self.by_option.get(option, ())):
            if not any(part in later for part in _parts_of(setting.guard, later)):
                lasting.append(setting)
            later.add(setting.guard)
        return tuple(reversed(lasting))


def _parts_of(guard: Guard, known: Iterable[Guard]) -> Iterable[Guard]:
    """The guards that hold wherever this one does: all of its parts, or those of the known ones, if that is less."""
    if len(guard) > _MOST_CONDITIONS:
        return [other for other in known if other <= guard]
    return (frozenset(part) for size in range(len(guard) + 1) for part in combinations(guard, size))


class Rendering(Struct, frozen=True, eq=False):
    """A spec as one version of an engine spells it.

    argv     the program and its words
    env      environment variables that the launch needs
    files    files that it reads, by name, with their text: they stand beside it
    kept     names of the spec's fields that the launch says
    dropped  the other fields that were asked for, each with the reason
    notes    how a field became what it is, a sentence each
    live     words that hold variables, each as a shell reads it with them; other words are taken as they are
    """

    engine: str
    version: Version
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    dropped: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    live: Mapping[str, str] = field(default_factory=dict)


class VersionHint(Struct, frozen=True):
    """A version found in a text: the range, and where in the text it stands.

    released  False where the text says that a pull request, a branch or the newest sources are built: no known version
              is just like it. A range that begins at the newest version says that it is no older
    """

    range: VersionRange
    start: int
    end: int
    released: bool = True


Check = Callable[[Reading], Sequence[Match]]
"""A rule condition that needs code: quoting, abbreviations, auto-chosen values."""


class Engine(Protocol):
    """One inference engine. Implementations hold no state besides lazily loaded knowledge."""

    id: str
    title: str
    scheme: Scheme
    words: tuple[str, ...]

    def options(self) -> OptionHistory:
        """The history of the engine's options over all versions that were examined."""
        ...

    def identify(self, launch: Launch) -> Identity | None:
        """Which of the engine's programs a launch starts, if any."""
        ...

    def with_files(self, launch: Launch, files: Files) -> Launch:
        """The launch with what the files say that its words name, e.g. by `--config`; else the launch as it is."""
        ...

    def version_in(self, kind: HintKind, text: str) -> VersionHint | None:
        """The version that a text of the given kind names: an image, a package pin, a path, a comment."""
        ...

    def lookup(self, surface: str, spelling: str) -> str:
        """A spelling as the engine's parser looks it up, e.g. with `_` turned into `-`."""
        ...

    def numeral(self, text: str, kind: str, setting: Setting) -> float | None:
        """What the engine's parser makes of a setting's text as `int` or `float`; None when it refuses it."""
        ...

    def program_at(self, program: str, version: Version) -> str:
        """The name under which the option history knows a program at a version."""
        ...

    def read(self, launch: Launch, version: Version) -> Reading:
        """What the engine at `version` makes of an identified launch."""
        ...

    def render(self, spec: MTPSpec, version: Version) -> Rendering:
        """Spell a spec for `version`. Raises CannotRender when the version has no way to do what was asked."""
        ...

    def checks(self) -> Mapping[str, Check]:
        """Named rule conditions for this engine's rule files."""
        ...

    def models(self) -> Mapping[str, Stretch]:
        """The versions at which the engine drafts with a family's own head, by the family's id."""
        ...

    def probe(self) -> Probe | None:
        """How a running server is asked what it really does; None for an engine whose servers cannot be asked."""
        ...


@runtime_checkable
class Embedding(Protocol):
    """An engine that starts another engine's program: what it hands on is judged as that engine's too."""

    def embedded(self, launch: Launch, target: Target) -> Launch | None:
        """The start that an identified launch leads to, with engine, program and target of its own.

        None where it leads to none that speaks of anything, or where nobody knows the version.
        """
        ...


def key_of(setting: Setting, engine: Engine) -> str:
    """A setting's spelling as the engine's parser looks it up."""
    return setting.key or engine.lookup(setting.surface, setting.spelling)
