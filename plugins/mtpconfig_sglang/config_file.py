"""The YAML file behind `--config`: each key is put on the command line behind two dashes, before the other words.

Facts (srt/server_args_config_parser.py): only the word `--config` itself is looked for; a key is not changed, so one
with `_` is refused as `--like_this`; `true` says a switch, `false` leaves it out; the command line has the last word.
"""

from __future__ import annotations

from msgspec.structs import replace

from mtpconfig.carriers.yaml_ import Entries, documents
from mtpconfig.carriers.yaml_.keys import givens
from mtpconfig.files import Files
from mtpconfig.launch import Known, Launch, Word
from mtpconfig.text import Fragment

OPTION = "--config"
SUFFIXES = (".yaml", ".yml")


def with_config(launch: Launch, files: Files) -> Launch:
    """The launch with what its file says; open where the file cannot be read here."""
    name = _named(launch)
    if name is None:
        return launch
    source = files.read(name.text) if isinstance(name.value, Known) and name.text.endswith(SUFFIXES) else None
    layer = Fragment.of(source) if source is not None else None
    root = next((document.root for document in documents(layer)), None) if layer is not None else None
    if layer is None or not isinstance(root, Entries):
        why = f"{OPTION} {name.text}"
        return replace(launch, closed=False, why_open=launch.why_open or why)
    why = launch.why_open or root.why_open
    return replace(launch, given=(*launch.given, *givens(root, layer, "config")), closed=not why, why_open=why)


def _named(launch: Launch) -> Word | None:
    words = launch.args
    place = next((n for n, word in enumerate(words) if word.text == OPTION), None)
    return words[place + 1] if place is not None and place + 1 < len(words) else None
