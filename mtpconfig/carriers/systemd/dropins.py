"""A unit together with its drop-ins: files of its folders `NAME.d`, read behind it in the order of their names.

After systemd.unit(5): a file of the same name in a more specific folder takes the place of the others; an empty
assignment takes back what the files before it said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mtpconfig.carrier import Files
from mtpconfig.carriers.systemd.lines import Unit, parse
from mtpconfig.text import Codec, Fragment, Kind, Segment, Source, Span

_MOST = 50
_UNIT = re.compile(r"(?P<name>[^/@]+)(?P<instance>@[^/]*)?(?P<suffix>\.(?:service|container))")


def with_dropins(layer: Fragment, files: Files) -> Unit:
    """The unit of a text: with its drop-ins if it is a unit's own file, with its unit if it is a drop-in."""
    own = parse(layer)
    if not isinstance(layer.parent, Source):
        return own
    path = layer.parent.path.replace("\\", "/").split("/")
    if _UNIT.fullmatch(path[-1]):
        texts = [layer, *(_foreign(files, name) for name in _names(files, path[-1], "."))]
    elif len(path) > 1 and path[-2].endswith(".d") and (unit := _unit_of(files, path[-2][:-2])) is not None:
        beside = [unit, *_names(files, path[-2][:-2], "..")]
        texts = [layer if name == f"../{path[-2]}/{path[-1]}" else _foreign(files, name) for name in beside]
    else:
        return own
    parsed = [own if text is layer else parse(text) for text in texts if text is not None]
    if own not in parsed:
        return own
    return Unit(tuple(line for unit in parsed for line in unit.lines), own.comments, own.unread)


def _names(files: Files, unit: str, folder: str) -> Iterator[str]:
    """The drop-ins of a unit, in the order in which they are read."""
    found: dict[str, str] = {}
    for name in _folders(unit):
        for file in files.names(f"{folder}/{name}"):
            if file.endswith(".conf"):
                found.setdefault(file, f"{folder}/{name}/{file}")
    return (found[file] for file in sorted(found)[:_MOST])


def _folders(unit: str) -> Iterator[str]:
    """The folders of a unit's drop-ins, the most specific first."""
    match = _UNIT.fullmatch(unit)
    if match is None:
        return
    name, instance, suffix = match["name"], match["instance"] or "", match["suffix"]
    yield f"{unit}.d"
    if len(instance) > 1:
        yield f"{name}@{suffix}.d"
    for dash in reversed(list(re.finditer("-", name[:-1]))):
        yield f"{name[: dash.end()]}{suffix}.d"
    yield f"{suffix[1:]}.d"


def _unit_of(files: Files, name: str) -> str | None:
    """The file of a unit beside the folder of its drop-ins; an instance may be made of a template."""
    match = _UNIT.fullmatch(name)
    template = f"{match['name']}@{match['suffix']}" if match and match["instance"] else name
    return next((f"../{one}" for one in (name, template) if match and files.read(f"../{one}") is not None), None)


def _foreign(files: Files, name: str) -> Fragment | None:
    """Another file's text: located there, and not edited."""
    source = files.read(name)
    if source is None:
        return None
    whole = Span(0, len(source.text))
    return Fragment(source.text, (Segment(0, whole.end, whole, Kind.COPY, _NOT_OURS),), source)


class _NotOurs:
    """The text of a file that is not rewritten here."""

    def encode(self, text: str) -> str | None:
        return None


_NOT_OURS: Codec = _NotOurs()
