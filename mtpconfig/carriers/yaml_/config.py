"""A YAML map of options: the file behind an engine's `--config FILE`, beside its command line and by itself.

Engines with a parser of Python's argparse put each key on the command line behind two dashes, before the other words,
and look for the word `--config` alone: `--config=FILE` reads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.yaml_.comments import comments
from mtpconfig.carriers.yaml_.keys import givens
from mtpconfig.carriers.yaml_.nodes import Entries
from mtpconfig.carriers.yaml_.parse import documents, report_faults
from mtpconfig.carriers.yaml_.rows import ListContainer
from mtpconfig.files import Files
from mtpconfig.launch import Known, Launch, Word
from mtpconfig.text import Fragment

_OPTION = "--config"
_SUFFIXES = (".yaml", ".yml")


def with_config(launch: Launch, files: Files) -> Launch:
    """The launch with what the file says that it names; open where that file cannot be read here."""
    name = _named(launch)
    if name is None:
        return launch
    source = files.read(name.text) if isinstance(name.value, Known) and name.text.endswith(_SUFFIXES) else None
    layer = Fragment.of(source) if source is not None else None
    root = next((document.root for document in documents(layer)), None) if layer is not None else None
    if layer is None or not isinstance(root, Entries):
        why = f"{_OPTION} {name.text}"
        return replace(launch, closed=False, why_open=launch.why_open or why)
    why = launch.why_open or root.why_open
    return replace(launch, given=(*launch.given, *givens(root, layer, "config")), closed=not why, why_open=why)


def _named(launch: Launch) -> Word | None:
    words = launch.args
    place = next((n for n, word in enumerate(words) if word.text == _OPTION), None)
    return words[place + 1] if place is not None and place + 1 < len(words) else None


def config_root(fragment: Fragment, opener: Opener) -> Entries | None:
    """The map that a file of options is; None when it is none, or an empty one."""
    found = documents(fragment)
    report_faults(found, fragment, opener)
    root = next((document.root for document in found), None)
    return root if isinstance(root, Entries) and root.entries else None


def config_launches(
    maps: list[tuple[str, Entries]], fragment: Fragment, around: Surroundings, carrier: str, engine: str
) -> Iterator[Launch]:
    """A launch of an engine for each map, with its label; the command line beside it is not known."""
    for label, entries in maps:
        yield Launch(
            argv=(),
            fragment=fragment.slice(*entries.span),
            given=tuple(givens(entries, fragment, "config")),
            container=ListContainer(fragment, (), [entries], around.container),
            closed=False,
            why_open=entries.why_open or "the command line",
            hints=(*around.hints, *comments(fragment, entries.entries[0][0].span.start)),
            carrier=carrier,
            label=label,
            engine=engine,
        )
