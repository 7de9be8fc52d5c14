"""One start of one engine, from anywhere: what a carrier reads out of a text.

A carrier knows a file format and no engine. It hands over words and assignments, with what is known of each value and
the branch that each stands in. An engine turns them into settings, for one version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct, field

from mtpconfig.text import Edit, Fragment, Span
from mtpconfig.version import VersionRange


class Known(Struct, frozen=True):
    """The value is this text."""

    text: str


class Default(Struct, frozen=True):
    """The value is this text unless `variable` is set where the file is used."""

    text: str
    variable: str


class OneOf(Struct, frozen=True):
    """The value is one of these texts, depending on a branch."""

    texts: tuple[str, ...]


class Opaque(Struct, frozen=True):
    """The value cannot be known from the text; `why` names what it depends on, e.g. `$1`."""

    why: str


Value = Known | Default | OneOf | Opaque


def texts_of(value: Value) -> tuple[str, ...]:
    """The texts that a value may be; none when it is opaque."""
    match value:
        case Known(text) | Default(text):
            return (text,)
        case OneOf(texts):
            return texts
        case Opaque():
            return ()


Guard = frozenset[tuple[int, int]]
"""The branch arms that must be taken: pairs of (branch, arm)."""

ALWAYS: Guard = frozenset()


def exclude(one: Guard, other: Guard) -> bool:
    """Whether two guards can never hold together, as they take different arms of one branch."""
    return any(branch == other_branch and arm != other_arm for branch, arm in one for other_branch, other_arm in other)


class Word(Struct, frozen=True, eq=False):
    """One word that a program receives.

    `fragment` is its decoded text; where part of it is opaque, that part stands in the text as it was written
    (`$DIR/model.gguf`), and `value` is Opaque; `many` if it may as well be several words or none.
    `site` is where the word stands in its container, quotes included.
    `holes` are the ranges of the text that are such placeholders, in order, where the carrier can tell them;
    `defaults` those that hold unless a variable is set.
    """

    fragment: Fragment
    value: Value
    guard: Guard = ALWAYS
    site: Span | None = None
    many: bool = False
    holes: tuple[tuple[int, int], ...] = ()
    defaults: tuple[tuple[int, int, str], ...] = ()

    @property
    def text(self) -> str:
        """The decoded text (with placeholders where it is opaque)."""
        return self.fragment.text

    def value_in(self, start: int, end: int, text: str) -> Value:
        """What is known of a part of the text, which is read as `text`.

        A part of a word of several texts, or of one whose placeholders cannot be told, is opaque.
        """
        if any(a < end and start < b for a, b in self.holes):
            return Opaque(next(self.text[a:b] for a, b in self.holes if a < end and start < b))
        if isinstance(self.value, OneOf) or (isinstance(self.value, Opaque) and not self.holes):
            return Opaque(self.value.why if isinstance(self.value, Opaque) else "which of several texts it is")
        variable = next((name for a, b, name in self.defaults if a < end and start < b), "")
        return Default(text, variable) if variable else Known(text)

    def part(self, start: int, end: int) -> Word:
        """A part of the word as a word of its own: what stands behind the `=` of `--name=value`."""
        return Word(
            self.fragment.slice(start, end),
            self.value_in(start, end, self.text[start:end]),
            self.guard,
            self.site,
            holes=tuple((max(a, start) - start, min(b, end) - start) for a, b in self.holes if a < end and start < b),
            defaults=tuple(
                (max(a, start) - start, min(b, end) - start, name)
                for a, b, name in self.defaults
                if a < end and start < b
            ),
        )


class Given(Struct, frozen=True, eq=False):
    """Something said by name on a surface other than the command line: an environment variable, an INI key ...

    nested  the value is a list or a map of the file itself; the word holds it as JSON
    """

    surface: str
    name: Word
    value: Word | None
    guard: Guard = ALWAYS
    site: Span | None = None
    nested: bool = False


class Container(Protocol):
    """The innermost thing that holds a launch's words and knows its own syntax: a command, a YAML list ..."""

    def is_item(self, word: Word) -> bool:
        """Whether a word is an item of a list (YAML, JSON), where a blank never parts two words."""
        ...

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """The edit that puts words right behind a word, or None when there is no safe way."""
        ...

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        """The edits that take words out, with the blanks and continuations that only they needed."""
        ...

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        """The edits that take an assignment out."""
        ...


class Member(Protocol):
    """A setting that stands inside the value of another: an entry of a JSON object."""

    def remove(self) -> tuple[Edit, ...] | None:
        """The edits that take it out, or None when there is no safe way."""
        ...

    def insert(self, name: str, value: str) -> Edit | None:
        """The edit that puts another one right behind it; `value` as JSON."""
        ...


HintKind = Literal["image", "pin", "path", "comment"]


class Hint(Struct, frozen=True, eq=False):
    """A text beside a launch that may name its version: a comment, a package pin.

    chosen  the carrier knows that it speaks of the launch (the heading above a fence), wherever it stands
    """

    kind: HintKind
    fragment: Fragment
    chosen: bool = False


class Target(Struct, frozen=True, eq=False):
    """The versions that a launch will run on, and why we think so.

    assumed     nothing says it
    unreleased  what runs is no released version: it is read as the newest, and its names are not judged
    embeds      the target of another engine's program that the launch starts in turn
    """

    engine: str
    range: VersionRange
    source: str
    span: Span | None = None
    assumed: bool = False
    unreleased: bool = False
    embeds: Target | None = None


class Launch(Struct, frozen=True, eq=False):
    """One start of one program.

    argv         the words, the program first; for a container image whose entrypoint runs, only its arguments
    given        what is said on other surfaces: environment variables, keys
    fragment     the whole launch, for its place and its line
    image        the container image, when the launch goes through one
    entrypoint   what replaces the image's own entrypoint, when that is said
    closed       whether these are all the words: if not, nothing follows from an absence
    why_open     what may add words: `"$@"`, a template ...
    hints        texts that may name the version, nearest last
    label        how people call this launch in its file: a service name; empty if there is none
    exhaustive   branches that surely take one of these arms; any other may take none
    places       folders that the launch runs in, e.g. after `cd`
    engine       the engine's id, once identified or where the carrier is that engine's own; a fork's own name
    program      the engine's name for the program, e.g. `llama-server`
    args_at      index in argv of the first argument
    """

    argv: tuple[Word, ...]
    fragment: Fragment
    given: tuple[Given, ...] = ()
    image: Word | None = None
    entrypoint: Word | None = None
    container: Container | None = None
    closed: bool = True
    why_open: str = ""
    hints: tuple[Hint, ...] = ()
    carrier: str = ""
    label: str = ""
    exhaustive: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    places: tuple[str, ...] = ()
    engine: str = ""
    program: str = ""
    args_at: int = 1
    ours: bool = True
    target: Target | None = None

    @property
    def args(self) -> tuple[Word, ...]:
        """The words after the program."""
        return self.argv[self.args_at :]


Form = Literal["spaced", "glued", "dotted", "bare", "assigned"]


class Setting(Struct, frozen=True, eq=False):
    """One option given once: which one, how it was spelled, where, and with which value.

    option     the option's id, or None when this version's engine does not know the spelling
    surface    flag | env | json | ini | config | kwarg | param | instruction | request | server
    name       the word that holds the spelling; `span` covers it
    value      what is known of the value; None for a bare switch
    words      all words that the setting takes, for removal
    order      place in effect order: a later one overrides an earlier one where the option says so
    key        the spelling as the engine's parser looks it up; empty where `Engine.lookup` says it
    member     the setting's place inside the value of another one
    word       the word that holds the value, where it is one of the launch's
    """

    option: str | None
    surface: str
    spelling: str
    form: Form
    value: Value | None
    name: Fragment
    value_fragment: Fragment | None
    words: tuple[Word, ...]
    guard: Guard
    order: int
    given: Given | None = None
    negated: bool = False
    key: str = ""
    member: Member | None = None
    word: Word | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that the value may be."""
        return texts_of(self.value) if self.value is not None else ()

    @property
    def text(self) -> str | None:
        """The value's text, when there is exactly one candidate."""
        return self.texts[0] if len(self.texts) == 1 else None


def removal(setting: Setting, container: Container | None) -> tuple[Edit, ...] | None:
    """The edits that take a setting out of what holds it, or None when there is no safe way."""
    if setting.member is not None:
        return setting.member.remove()
    if container is None:
        return None
    return container.remove_given(setting.given) if setting.given is not None else container.remove(setting.words)
