"""The way through a Dockerfile: stages are put together, then what they start is read."""

from __future__ import annotations

import re
from collections import ChainMap, Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.dockerfile.exec_form import exec_form
from mtpconfig.carriers.dockerfile.grammar import Comment, Instruction, escape_character, read_instructions
from mtpconfig.carriers.dockerfile.lines import folded
from mtpconfig.carriers.dockerfile.stages import MOST_VARIABLES, Assignment, Command, Stage, Statement
from mtpconfig.carriers.dockerfile.starts import Starts
from mtpconfig.carriers.dockerfile.versions import version_texts
from mtpconfig.carriers.dockerfile.words import Reader, Variable, variable_of
from mtpconfig.carriers.shell.rows import Row
from mtpconfig.launch import Given, Hint, Known, Launch, Word
from mtpconfig.text import Fragment, Span

_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_MOST_HINTS = 40
_MOST_STARTING = 64


class Step(Struct, frozen=True, eq=False):
    """Something that starts programs: a RUN, COPY or ADD instruction, or (without one) a stage at its end."""

    stage: Stage | None
    hints: tuple[Hint, ...]
    instruction: Instruction | None = None
    environment: tuple[Given, ...] = ()
    variables: Mapping[str, Variable] | None = None


class Walker:
    """Walks the instructions of one Dockerfile."""

    def __init__(self, layer: Fragment, opener: Opener, around: Surroundings, carrier: str) -> None:
        self._layer = layer
        self._escape = escape_character(layer.text)
        self._reader = Reader(layer, self._escape)
        around = replace(around, carrier=around.carrier or carrier)
        self._opener = opener
        self._starts = Starts(layer, opener, around, self._escape)
        self._globals: dict[str, Variable] = {}
        self._stages: dict[str, Stage] = {}
        self._stage: Stage | None = None
        self._hints: list[Hint] = list(around.hints)
        self._steps: list[Step] = []

    def launches(self) -> Iterator[Launch]:
        """All launches, in the order of what starts them."""
        for item in read_instructions(self._layer.text):
            if isinstance(item, Comment):
                self._note(Hint("comment", self._layer.slice(*item.span)))
            else:
                self._take(item)
        self._end_stage()
        stages = [step.stage for step in self._steps if step.instruction is None and step.stage is not None]
        starting = _starting(stages)
        uses: Counter[object] = Counter()
        for stage in starting:
            uses.update((stage.entrypoint, stage.command, *stage.environment.values()))
        read = set(starting[-_MOST_STARTING:])
        for stage in starting[: -_MOST_STARTING or None][:1]:
            why = f"of the stages that start a program the last {_MOST_STARTING}"
            self._opener.miss(self._layer, stage.begin, why, partly=True)
        for step in self._steps:
            if step.instruction is not None:
                yield from self._starts.of_instruction(
                    step.instruction, step.environment, step.hints, step.stage, step.variables or {}
                )
            elif step.stage in read and step.stage is not None:
                yield from self._starts.of_stage(step.stage, step.hints, uses)

    def _note(self, hint: Hint) -> None:
        self._hints.append(hint)
        del self._hints[:-_MOST_HINTS]

    def _variables(self) -> Mapping[str, Variable]:
        if self._stage is None:
            return self._globals
        return ChainMap(self._stage.exported, self._stage.arguments)

    def _take(self, instruction: Instruction) -> None:
        stage = self._stage
        match instruction.keyword:
            case "FROM":
                self._from(instruction)
            case "ARG":
                self._arg(instruction)
            case "ENV" if stage is not None:
                self._env(instruction, stage)
            case "SHELL" if stage is not None:
                form = exec_form(folded(self._layer, instruction.arguments, self._escape))
                stage.shell = tuple(word.text for word in form.words) if form is not None else ()
            case "ENTRYPOINT" if stage is not None:
                stage.set_entrypoint(self._command(instruction))
            case "CMD" if stage is not None:
                stage.set_command(self._command(instruction))
            case "RUN" | "COPY" | "ADD":
                self._run(instruction)

    def _command(self, instruction: Instruction) -> Command | None:
        line = folded(self._layer, instruction.arguments, self._escape)
        form = exec_form(line)
        return Command(line, form) if line.text and (form is None or form.words) else None

    def _run(self, instruction: Instruction) -> None:
        environment = self._stage.given() if self._stage is not None else ()
        if instruction.keyword == "RUN" or instruction.heredocs:
            variables = dict(self._variables()) if instruction.heredocs else None
            self._steps.append(Step(self._stage, tuple(self._hints), instruction, environment, variables))
        if instruction.keyword != "COPY":
            for hint in version_texts(instruction, self._layer.text, self._reader, self._variables()):
                self._note(hint)

    def _from(self, instruction: Instruction) -> None:
        self._end_stage()
        places = self._reader.split(instruction.arguments)
        if not places:
            return
        image = self._reader.word(places[0], self._globals)
        texts = [self._layer.text[slice(*place)] for place in places]
        name = texts[2] if len(texts) > 2 and texts[1].lower() == "as" else ""
        below = self._stages.get(image.text.lower()) if isinstance(image.value, Known) else None
        self._stage = Stage.on(below, name) if below is not None else Stage(name, image)
        self._stage.begin = instruction.whole.start
        if name:
            self._stages[name.lower()] = self._stage

    def _end_stage(self) -> None:
        if self._stage is not None:
            self._steps.append(Step(self._stage, tuple(self._hints)))
        self._stage = None

    def _arg(self, instruction: Instruction) -> None:
        known = self._globals if self._stage is None else self._stage.arguments
        for place in self._reader.split(instruction.arguments):
            name, equals, _ = self._layer.text[slice(*place)].partition("=")
            if not _NAME.fullmatch(name) or len(known) >= MOST_VARIABLES:
                continue
            if equals:
                value = Span(place.start + len(name) + 1, place.end)
                said = variable_of(self._reader.word(value, self._variables()), value)
                known[name] = replace(said, variable=name) if not said.why else said
            else:
                known[name] = self._globals.get(name) or Variable("", None, why=f"${name}")

    def _env(self, instruction: Instruction, stage: Stage) -> None:
        places = self._reader.split(instruction.arguments)
        text = self._layer.text
        if places and "=" in text[slice(*places[0])]:
            pairs = [(place, text.index("=", place.start, place.end)) for place in places if "=" in text[slice(*place)]]
            named = [(Span(place.start, at), Span(at + 1, place.end), place) for place, at in pairs]
        elif len(places) > 1:
            whole = Span(places[0].start, instruction.arguments.end)
            named = [(places[0], Span(places[1].start, whole.end), whole)]
        else:
            return
        statement = Statement(self._layer, instruction.whole, Row(tuple(whole for _, _, whole in named)))
        before = {**stage.arguments, **stage.exported}
        for index, (name, value, _) in enumerate(named):
            spelled = text[slice(*name)]
            if not _NAME.fullmatch(spelled) or len(stage.environment) >= MOST_VARIABLES:
                continue
            word = self._reader.word(value, before)
            said = Assignment(Word(self._layer.slice(*name), Known(spelled)), word, statement, index)
            stage.export(said, variable_of(word, value))


def _starting(stages: Sequence[Stage]) -> list[Stage]:
    """The stages from which containers are started."""
    above: defaultdict[Stage, list[Stage]] = defaultdict(list)
    for stage in stages:
        if stage.below is not None:
            above[stage.below].append(stage)
    return [stage for stage in stages if _starts(stage, above[stage])]


def _starts(stage: Stage, above: Sequence[Stage]) -> bool:
    """Whether containers are started from a stage as it is, not only from stages on top that start the same."""
    says = stage.entrypoint is not None or stage.command is not None or bool(stage.environment)
    return says and not any(other.inherited for other in above) and not (above and stage.inherited)
