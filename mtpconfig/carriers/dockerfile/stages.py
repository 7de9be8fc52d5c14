"""What the instructions of a Dockerfile add up to: stages, each with an image, an environment and a command."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from mtpconfig.carriers.dockerfile.exec_form import ExecForm
from mtpconfig.carriers.dockerfile.words import Variable
from mtpconfig.carriers.shell.rows import Row
from mtpconfig.launch import Given, Word
from mtpconfig.text import Edit, Fragment, Kind, Segment, Span

MOST_VARIABLES = 400


class Command(Struct, frozen=True, eq=False):
    """The argument of ENTRYPOINT or CMD: a list, or one line of shell text."""

    line: Fragment
    form: ExecForm | None


class Statement(Struct, frozen=True, eq=False):
    """One ENV instruction: its lines, and the places of its assignments."""

    layer: Fragment
    whole: Span
    row: Row

    def without(self, index: int) -> Edit | None:
        """The edit that takes an assignment out, with the whole instruction if it holds no other."""
        text = self.layer.text
        if len(self.row.tokens) > 1:
            span = self.row.without(text, index, index)
        else:
            newline = text.find("\n", self.whole.end)
            span = Span(text.rfind("\n", 0, self.whole.start) + 1, newline + 1 if newline >= 0 else len(text))
        return self.layer.replace(*span, "") if span is not None else None


class Assignment(Struct, frozen=True, eq=False):
    """`NAME=value` of an ENV instruction."""

    name: Word
    value: Word
    statement: Statement
    index: int

    def given(self, *, shared: bool) -> Given:
        """The assignment as a program sees it; a shared one is not to be edited."""
        value = sealed(self.value) if shared else self.value
        return Given("env", self.name, value, site=self.statement.row.tokens[self.index])


class Stage(Struct, eq=False):
    """One stage of a build, as far as it has been read.

    image     the image that it starts from, through all stages below; None for an unknown one
    below     the stage that it starts from
    variables what `$NAME` is replaced by: build arguments and, before them, the environment
    inherited whether nothing has been said of ENTRYPOINT and CMD here
    begin     where its FROM stands
    """

    name: str
    image: Word | None
    below: Stage | None = None
    environment: dict[str, Assignment] = field(default_factory=dict)
    arguments: dict[str, Variable] = field(default_factory=dict)
    exported: dict[str, Variable] = field(default_factory=dict)
    entrypoint: Command | None = None
    command: Command | None = None
    shell: tuple[str, ...] = ()
    says_command: bool = False
    inherited: bool = True
    begin: int = 0
    _given: tuple[Given, ...] | None = None

    @classmethod
    def on(cls, below: Stage, name: str) -> Stage:
        """A stage that starts from another one."""
        return cls(
            name,
            below.image,
            below,
            dict(below.environment),
            exported=dict(below.exported),
            entrypoint=below.entrypoint,
            command=below.command,
            shell=below.shell,
        )

    def export(self, said: Assignment, variable: Variable) -> None:
        """ENV."""
        name = said.name.text
        self.environment.pop(name, None)
        self.environment[name] = said
        self.exported[name] = variable
        self._given = None

    def given(self) -> tuple[Given, ...]:
        """What the commands of RUN instructions see here."""
        if self._given is None:
            self._given = tuple(said.given(shared=False) for said in self.environment.values())
        return self._given

    def set_entrypoint(self, command: Command | None) -> None:
        """ENTRYPOINT; what a stage below gave as CMD no longer holds."""
        self.entrypoint, self.inherited = command, False
        if not self.says_command:
            self.command = None

    def set_command(self, command: Command | None) -> None:
        """CMD."""
        self.command, self.says_command, self.inherited = command, True, False


class StageContainer:
    """Edits of what one stage starts: the elements of its lists and its environment."""

    def __init__(self, forms: Sequence[ExecForm]) -> None:
        self._forms = forms
        self._given: dict[Given, Assignment] = {}

    def settle(self, given: Given, assignment: Assignment) -> None:
        """Note where an assignment stands."""
        self._given[given] = assignment

    def is_item(self, word: Word) -> bool:
        """Whether a word is an element of an exec form: its own container reads no other."""
        return True

    def insert(self, after: Word, words: Sequence[str]) -> Edit | None:
        """Put elements right behind one, in its own list."""
        form = next((form for form in self._forms if after in form), None)
        return form.insert(after, words) if form is not None else None

    def remove(self, words: Sequence[Word]) -> tuple[Edit, ...] | None:
        """Take elements out of their lists."""
        edits: list[Edit] = []
        for form in self._forms:
            removed = form.remove([word for word in words if word in form])
            if removed is None:
                return None
            edits += removed
        return tuple(edits) if all(any(word in form for form in self._forms) for word in words) else None

    def remove_given(self, given: Given) -> tuple[Edit, ...] | None:
        """Take an assignment out of its ENV instruction."""
        assignment = self._given.get(given)
        edit = assignment.statement.without(assignment.index) if assignment is not None else None
        return (edit,) if edit is not None else None


def sealed(word: Word) -> Word:
    """The same word, located but not to be edited."""
    return replace(word, fragment=sealed_text(word.fragment))


def sealed_text(fragment: Fragment) -> Fragment:
    """The same text, located but not to be edited."""
    segments = tuple(Segment(s.start, s.end, s.origin, Kind.SUBSTITUTED, s.codec) for s in fragment.segments)
    return Fragment(fragment.text, segments, fragment.parent)
