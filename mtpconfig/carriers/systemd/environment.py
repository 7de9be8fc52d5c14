"""The environment that a unit sets: `Environment=`, `EnvironmentFile=`, `UnsetEnvironment=`."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from mtpconfig.carrier import Files
from mtpconfig.carriers.shell.runs import Item, Run
from mtpconfig.carriers.systemd.codecs import BARE
from mtpconfig.carriers.systemd.container import Row, UnitContainer
from mtpconfig.carriers.systemd.envfile import parse
from mtpconfig.carriers.systemd.expand import specifiers
from mtpconfig.carriers.systemd.lines import Line, Unit, within
from mtpconfig.carriers.systemd.words import split
from mtpconfig.launch import Given, Known, Word
from mtpconfig.text import Fragment, Kind, Segment, Source, Span

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_USE = re.compile(r"\$\{?([A-Za-z_]\w*)", re.ASCII)
_MOST = 2000


class Environment(Struct, frozen=True, eq=False):
    """What a unit's programs find in their environment, as far as it can be seen.

    given     the assignments in force, one for each name
    values    the text of each, for `$X` and `${X}`
    homes     the text that the runs of a value stand in
    unseen    what may set more: a file that cannot be read, `PassEnvironment=`; empty if nothing does
    """

    given: tuple[Given, ...] = ()
    values: dict[str, tuple[Run, ...]] = field(default_factory=dict)
    homes: dict[str, Fragment] = field(default_factory=dict)
    unseen: str = ""

    def seen_from(self, layer: Fragment) -> dict[str, tuple[Run, ...]]:
        """The values as a line of one text uses them: what stands in another text is known, and located at its use."""
        return {
            name: runs
            if self.homes.get(name, layer) is layer
            else tuple(replace(run, origin=None, kind=Kind.SUBSTITUTED, codec=BARE) for run in runs)
            for name, runs in self.values.items()
        }


def environment_of(unit: Unit, section: str, files: Files, container: UnitContainer, uses: str) -> Environment:
    """Read the environment of a unit's section; `uses` is the text in which its variables are used."""
    given: dict[str, Given] = {}
    values: dict[str, tuple[Run, ...]] = {}
    homes: dict[str, Fragment] = {}
    unseen = ""
    used = Counter(_USE.findall(uses))
    for line in within(unit.values(section, "Environment")):
        for name, entry, runs in _assignments(line, container):
            given[name] = entry
            values[name] = tuple(replace(run, shared=used[name] > 1) for run in runs)
            homes[name] = line.layer
    for line in unit.values(section, "EnvironmentFile"):
        path = line.text.removeprefix("-").strip("\"'")
        source = files.read(path) if "%" not in path else None
        if source is None:
            unseen = unseen or f"EnvironmentFile={line.text}"
            continue
        for name, entry, text in _foreign(source):
            given[name] = entry
            values[name] = (Run(text, None, Kind.SUBSTITUTED, BARE),)
            homes.pop(name, None)
    for line in unit.values(section, "PassEnvironment"):
        unseen = unseen or f"PassEnvironment={line.text}"
    for line in unit.values(section, "UnsetEnvironment"):
        for word in split(line.runs, variables=False):
            given.pop(word.text, None)
            values.pop(word.text, None)
    if unseen:
        values = {name: tuple(replace(run, variable=name) for run in runs) for name, runs in values.items()}
    return Environment(tuple(given.values()), values, homes, unseen)


def _assignments(line: Line, container: UnitContainer) -> Iterator[tuple[str, Given, tuple[Run, ...]]]:
    row = Row(line)
    for word in split(line.runs, variables=False):
        cut = Item(specifiers(word).runs, site=word.site).after("=")
        if cut is None or not _NAME.fullmatch(cut[0].text):
            continue
        name, value = cut
        given = Given("env", name.word(line.layer), value.word(line.layer), site=word.site)
        container.settle_given(given, row, word.site)
        yield name.text, given, value.runs


def _foreign(source: Source) -> Iterator[tuple[str, Given, str]]:
    """The assignments of another file: located there, and not edited."""
    for entry in itertools.islice(parse(source.text), _MOST):
        name = source.text[slice(*entry.name)]
        value = Word(_elsewhere(source, entry.text, entry.value), Known(entry.text))
        yield name, Given("env", Word(_elsewhere(source, name, entry.name), Known(name)), value), entry.text


def _elsewhere(source: Source, text: str, span: Span) -> Fragment:
    return Fragment(text, (Segment(0, len(text), span, Kind.SUBSTITUTED),), source)
