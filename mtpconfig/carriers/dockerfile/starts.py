"""What a stage's containers start, and what is run while it is built."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.dockerfile.exec_form import exec_form
from mtpconfig.carriers.dockerfile.grammar import Heredoc, Instruction
from mtpconfig.carriers.dockerfile.lines import folded
from mtpconfig.carriers.dockerfile.stages import (
    MOST_VARIABLES,
    Assignment,
    Command,
    Stage,
    StageContainer,
    sealed,
    sealed_text,
)
from mtpconfig.carriers.dockerfile.words import Variable
from mtpconfig.carriers.shell.codecs import HEREDOC
from mtpconfig.carriers.shell.heredoc import decode
from mtpconfig.carriers.shell.listed import launches_of
from mtpconfig.carriers.shell.pieces import Parameter
from mtpconfig.carriers.shell.runs import Run
from mtpconfig.launch import Given, Hint, Launch, Word
from mtpconfig.text import Fragment, Kind

_SCRIPT = re.compile(r".*\.(?:sh|bash)|.*entrypoint[^/]*")
_RUN_ARGUMENTS = "the arguments of `docker run`"
_SHELLS = {"powershell": "command.ps1", "pwsh": "command.ps1", "cmd": "command.bat"}


class Starts:
    """Reads the launches of stages and instructions."""

    def __init__(self, layer: Fragment, opener: Opener, around: Surroundings, escape: str) -> None:
        self._layer = layer
        self._opener = opener
        self._around = around
        self._escape = escape
        self._shared = lru_cache(maxsize=2 * MOST_VARIABLES)(_shared)

    # Stages

    def of_stage(self, stage: Stage, hints: tuple[Hint, ...], uses: Mapping[object, int]) -> Iterator[Launch]:
        """What a container of a stage starts: ENTRYPOINT with the words of CMD, or one of them, or the image's own."""
        entrypoint, command = stage.entrypoint, stage.command
        forms = [c.form for c in (entrypoint, command) if c is not None and c.form is not None and uses[c] < 2]
        container = StageContainer(forms)
        around = replace(
            self._around,
            given=(*self._around.given, *self._given(stage, container, uses)),
            image=stage.image,
            hints=hints,
            label=stage.name,
            container=container,
        )

        def words_of(said: Command) -> list[Word]:
            words = said.form.words if said.form is not None else []
            return words if uses[said] < 2 else [sealed(word) for word in words]

        def opened(said: Command) -> Iterator[Launch]:
            line = said.line if uses[said] < 2 else sealed_text(said.line)
            return self._opener.open(line, _shell_name(stage.shell), around)

        def listed(words: Sequence[Word], said: Command, why: str = "") -> Iterator[Launch]:
            whole = said.form.whole if said.form is not None else said.line
            why = why or (words[0].text if words and words[0].text.endswith(".sh") else "")
            return launches_of(words, whole, self._opener, around, container, why)

        if entrypoint is None and command is None:
            yield from self._image_alone(around)
        elif entrypoint is None and command is not None:
            yield from listed(words_of(command), command) if command.form is not None else opened(command)
        elif entrypoint is not None and entrypoint.form is None:
            yield from opened(entrypoint)
        elif entrypoint is not None:
            words = words_of(entrypoint)
            script = words[0].text if len(words) == 1 and _SCRIPT.fullmatch(words[0].text) else ""
            if command is None:
                options = any(word.text.startswith("-") for word in words[1:])
                yield from listed(words, entrypoint, "" if options else _RUN_ARGUMENTS)
            elif command.form is None:
                yield from opened(command) if script else listed(words, entrypoint, _RUN_ARGUMENTS)
            elif script and not command.form.words[0].text.startswith("-"):
                yield from listed(words_of(command), command, script)
            else:
                yield from listed([*words, *words_of(command)], entrypoint)

    def _image_alone(self, around: Surroundings) -> Iterator[Launch]:
        if around.image is not None:
            yield Launch(
                argv=(),
                fragment=around.image.fragment,
                given=around.given,
                image=around.image,
                container=around.container,
                closed=False,
                why_open=_RUN_ARGUMENTS,
                hints=around.hints,
                carrier=around.carrier,
                label=around.label,
            )

    def _given(self, stage: Stage, container: StageContainer, uses: Mapping[object, int]) -> Iterator[Given]:
        for assignment in stage.environment.values():
            if uses[assignment] > 1:
                yield self._shared(assignment)
                continue
            given = assignment.given(shared=False)
            container.settle(given, assignment)
            yield given

    # Instructions

    def of_instruction(
        self,
        instruction: Instruction,
        environment: Sequence[Given],
        hints: tuple[Hint, ...],
        stage: Stage | None,
        variables: Mapping[str, Variable],
    ) -> Iterator[Launch]:
        """What RUN starts while the image is built, and what stands in files that COPY writes."""
        image = (Hint("image", stage.image.fragment),) if stage is not None and stage.image is not None else ()
        around = replace(self._around, hints=(*image, *hints))
        if instruction.keyword != "RUN":
            yield from self._written(instruction, around, variables)
            return
        around = replace(around, given=(*around.given, *environment))
        name = _shell_name(stage.shell if stage is not None else ())
        place = instruction.arguments
        line = folded(self._layer, place, self._escape)
        if (form := exec_form(line)) is not None:
            container = StageContainer([form])
            yield from launches_of(form.words, form.whole, self._opener, around, container)
        elif not instruction.heredocs:
            yield from self._opener.open(line, name, around)
        elif place == instruction.heredocs[0].marker:
            body = self._body(instruction.heredocs[0], {}, raw=True)
            yield from self._opener.open(body, "command.py" if _is_python(body.text) else name, around)
        else:
            yield from self._opener.open(self._layer.slice(place.start, instruction.whole.end), name, around)

    def _written(
        self, instruction: Instruction, around: Surroundings, variables: Mapping[str, Variable]
    ) -> Iterator[Launch]:
        text = self._layer.text
        words = text[slice(*instruction.arguments)].split()
        target = words[-1].strip("\"'") if words else ""
        for heredoc in instruction.heredocs:
            folder = target.endswith("/") or len(instruction.heredocs) > 1
            name = text[slice(*heredoc.marker)].lstrip("<-").strip("\"'") if folder else target.rsplit("/", 1)[-1]
            yield from self._opener.open(self._body(heredoc, variables, raw=False), name, around)

    def _body(self, heredoc: Heredoc, variables: Mapping[str, Variable], *, raw: bool) -> Fragment:
        """The text of a here-document; what Docker hands to a shell is raw, in a file it replaces variables."""

        def resolve(parameter: Parameter) -> tuple[Run, ...]:
            known = variables.get(parameter.name)
            why = f"${parameter.name}" if known is None else known.why
            text = known.text if known is not None else ""
            return (Run(text, known.span if known else None, Kind.SUBSTITUTED, HEREDOC, why=why),)

        return decode(self._layer, heredoc.body, quoted=heredoc.quoted or raw, tabs=heredoc.tabs, resolve=resolve)


def _shared(assignment: Assignment) -> Given:
    return assignment.given(shared=True)


def _shell_name(shell: Sequence[str]) -> str:
    """The name of a file in the language of the shell that SHELL names."""
    program = re.split(r"[/\\]", shell[0])[-1].lower().removesuffix(".exe") if shell else ""
    return _SHELLS.get(program, "command.sh")


def _is_python(text: str) -> bool:
    first = text.lstrip().split("\n", 1)[0]
    return first.startswith("#!") and "python" in first
