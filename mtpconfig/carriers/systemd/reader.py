"""A unit file from top to bottom: its environment, its commands, its containers."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator

from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.shell.listed import launches_of
from mtpconfig.carriers.systemd.commands import commands
from mtpconfig.carriers.systemd.container import UnitContainer
from mtpconfig.carriers.systemd.dropins import with_dropins
from mtpconfig.carriers.systemd.environment import Environment, environment_of
from mtpconfig.carriers.systemd.lines import Line, Unit, within
from mtpconfig.carriers.systemd.quadlet import containers
from mtpconfig.carriers.systemd.words import Runs
from mtpconfig.launch import Hint, Launch
from mtpconfig.text import Fragment

SERVICE = "Service"
_EXEC = (
    "ExecCondition", "ExecStartPre", "ExecStart", "ExecStartPost", "ExecReload", "ExecStop", "ExecStopPost"
)  # fmt: skip
_OPTION = re.compile(r"--?[A-Za-z]")
_MOST_HINTS = 40
_MOST_COMMANDS = 200


def read(layer: Fragment, opener: Opener, around: Surroundings, carrier: str) -> Iterator[Launch]:
    """The launches of a unit file, in the order in which they are written."""
    unit = with_dropins(layer, opener.files)
    if unit.unread is not None:
        opener.miss(layer, *unit.unread)
    base = replace(around, carrier=around.carrier or carrier)
    hints = Hints(unit, layer, around)
    yield from _services(unit, opener, base, hints)
    yield from containers(unit, opener, base, hints.up_to)


def _services(unit: Unit, opener: Opener, around: Surroundings, hints: Hints) -> Iterator[Launch]:
    wanted = unit.values(SERVICE, *_EXEC)
    lines = list(within(wanted))[:_MOST_COMMANDS]
    if not lines:
        return
    if len(lines) < len(wanted):
        opener.miss(wanted[len(lines)].layer, wanted[len(lines)].span.start, "it has more commands than are read")
    container = UnitContainer(around.container)
    uses = "\n".join(line.text for line in lines)
    environment = environment_of(unit, SERVICE, opener.files, container, uses)
    folders = tuple(line.text.removeprefix("-") for line in unit.values(SERVICE, "WorkingDirectory")[-1:])
    for line in lines:
        inside = replace(
            around,
            given=(*around.given, *environment.given),
            hints=hints.up_to(line),
            container=container,
        )
        for launch in _launches(line, opener, inside, environment, container):
            yield replace(launch, places=(*folders, *launch.places)) if folders else launch
        yield from _fallen_off(unit, line, around)


def _launches(
    line: Line,
    opener: Opener,
    around: Surroundings,
    environment: Environment,
    container: UnitContainer,
) -> Iterator[Launch]:
    for command in commands(line, environment.seen_from(line.layer), container):
        why_open = command.why_open or environment.unseen
        yield from launches_of(command.words, command.whole, opener, around, container, why_open)


def _fallen_off(unit: Unit, line: Line, around: Surroundings) -> Iterator[Launch]:
    """Lines of options right behind a command that does not go on: systemd reads none of them."""
    place = unit.lines.index(line) + 1
    layer = line.layer
    while place < len(unit.lines) and unit.lines[place].section == line.section and unit.lines[place].layer is layer:
        stray = unit.lines[place]
        text = layer.text[slice(*stray.span)].strip()
        if not _OPTION.match(text):
            return
        whole = layer.slice(stray.span.start, stray.span.start + len(text))
        found = list(commands(replace(stray, key=""), {}, UnitContainer(), arguments=True))
        for command in found[:1]:
            yield Launch(command.words, whole, carrier=around.carrier, label=around.label)
        place += 1


class Hints:
    """What may name the version of a command: the unit's description, and the comments up to the command's end."""

    def __init__(self, unit: Unit, layer: Fragment, around: Surroundings) -> None:
        titles = unit.values("Unit", "Description")[-1:]
        spans = [(line.layer, Runs(line.runs).span(0, len(line.text))) for line in titles]
        described = (Hint("comment", text.slice(*span)) for text, span in spans if span is not None)
        self._before = (*around.hints, *described)
        self._layer = layer
        self._comments = unit.comments

    def up_to(self, line: Line) -> tuple[Hint, ...]:
        """The hints of a command, the nearest last."""
        here = line.layer is self._layer
        end = bisect.bisect_left(self._comments, line.span.end, key=lambda span: span.start) if here else None
        end = len(self._comments) if end is None else end
        nearest = self._comments[max(end - _MOST_HINTS, 0) : end]
        return (*self._before[-_MOST_HINTS:], *(Hint("comment", self._layer.slice(*span)) for span in nearest))
