"""Values that must be JSON: can the program decode what it receives, and if not, what happened on the way?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mtpconfig.engine import Reading
from mtpconfig.history import OptionHistory
from mtpconfig.launch import Opaque, Setting, Word
from mtpconfig.lint.values import Diagnosis
from mtpconfig.match import FixPlan, Match, plan
from mtpconfig.text import Builder, Fragment, Kind, Span
from mtpconfig.text.json_ import read_json
from mtpconfig.text.literal import read_literal
from mtpconfig.text.structured import Node, Structured, canonical, is_object
from mtpconfig.version import Version

KINDS = ("json", "literal")
"""Types of options whose value is decoded: as JSON, or as a literal of Python."""

_QUOTES = str.maketrans(
    {"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'", "\u00ab": '"', "\u00bb": '"'}
)
_BACKSLASHES = re.compile(r"\\+(?=[{}\[\]\",:\\' ])|\\\r?\n")
_CONTINUED = re.compile(r"\\[ \t]*\r?\n[ \t]*")
_LAST_COMMA = re.compile(r",(?=\s*[}\]])")
_MOST_WORDS = 24
_LONGEST_SHOWN = 160


def diagnose(reading: Reading, history: OptionHistory) -> Iterator[Diagnosis]:
    """What is wrong with the values of options that take JSON, as (check, match)."""
    for setting in reading.settings:
        word = setting.word
        if setting.option is None or word is None or setting.surface not in ("flag", "config"):
            continue
        if setting.given is not None and setting.given.nested:
            continue
        kind = history.type(setting.option, reading.version)
        if (
            kind not in KINDS
            or not history.options[setting.option].speculative
            or word.text.strip() in ("", "None", "~")
        ):
            continue
        found = _value(reading, setting, word, kind, history)
        if found is not None:
            yield found


def _value(reading: Reading, setting: Setting, word: Word, kind: str, history: OptionHistory) -> Diagnosis | None:
    structure = _read(word.fragment, word, kind)
    root, fault = structure.root, structure.fault
    if structure.unknown or (isinstance(word.value, Opaque) and not word.holes):
        return None
    if root is not None and (root.type == "object" or (root.type, root.text) == ("constant", "null")):
        return None  # null says what leaving it out would say
    if word.text[:1] in ("'", '"') and word.text[-1:] == word.text[:1] and root is None:
        return None  # told as quotes that are kept

    def holds_at(version: Version) -> bool:
        return history.type(setting.option or "", version) in KINDS

    for repair, message, detail in _REPAIRS:
        repaired = repair(word.text)
        if repaired != word.text and is_object(repaired):
            return _mended(reading, setting, word, repaired, message, detail, holds_at)
    if (node := read_literal(word.fragment, word.holes).root) is not None and node.type == "object" and kind == "json":
        return _python(reading, setting, word, node, holds_at)
    if (taken := _taken(reading, setting, word)) is not None:
        return taken
    if root is not None and not is_object(root.text):
        return "invalid-json", Match(
            anchor=word.fragment,
            message=f"the value of `{setting.spelling}` is no object in braces: {reading.program} receives "
            f"{_shown(word.text)}",
            setting=setting,
            detail=f"a {root.type}",
            about_value=True,
        )
    if root is not None:
        message = "is a text in JSON that holds JSON: it is quoted once too often"
        return _mended(reading, setting, word, root.text, message, "quoted twice", holds_at)
    language = "JSON" if kind == "json" else "literal of Python, which this release wants"
    at = min(fault.offset, max(len(word.text) - 1, 0)) if fault is not None else 0
    said = fault.message if fault is not None else ""
    return "invalid-json", Match(
        anchor=word.fragment,
        part=(at, at + 1) if word.fragment.locate(at, at + 1) else None,
        message=f"the value of `{setting.spelling}` is no {language}: {_lower(said)} at character {at + 1} "
        f"of {_shown(word.text)}",
        setting=setting,
        detail=_lower(said),
        about_value=True,
    )


def _read(fragment: Fragment, word: Word, kind: str) -> Structured:
    return (read_literal if kind == "literal" else read_json)(fragment, word.holes)


def _python(
    reading: Reading, setting: Setting, word: Word, node: Node, holds_at: Callable[[Version], bool]
) -> Diagnosis:
    edit = word.fragment.replace(0, len(word.text), canonical(node)) if not word.holes else None
    return "invalid-json", Match(
        anchor=word.fragment,
        message=f"the value of `{setting.spelling}` is Python, no JSON: {reading.program} receives {_shown(word.text)}",
        setting=setting,
        detail="JSON wants double quotes, and true, false, null",
        help=f"write {_shown(canonical(node))}",
        about_value=True,
        plan=plan("write it as JSON", edit, same_meaning=True, holds_at=holds_at),
    )


def _mended(
    reading: Reading,
    setting: Setting,
    word: Word,
    repaired: str,
    message: str,
    detail: str,
    holds_at: Callable[[Version], bool],
) -> Diagnosis:
    check = "invalid-json" if detail in ("a comma too many", "quoted twice") else "shell-quoting"
    edit = word.fragment.replace(0, len(word.text), repaired)
    return check, Match(
        anchor=word.fragment,
        message=f"the value of `{setting.spelling}` {message}: {reading.program} receives {_shown(word.text)}",
        setting=setting,
        detail=detail,
        help=f"let it be {_shown(repaired)}",
        about_value=True,
        plan=plan("write it as JSON", edit, same_meaning=True, holds_at=holds_at),
    )


def _plain_quotes(text: str) -> str:
    return text.translate(_QUOTES)


def _without_backslashes(text: str) -> str:
    return _BACKSLASHES.sub("", text)


_REPAIRS: tuple[tuple[Callable[[str], str], str, str], ...] = (
    (_plain_quotes, "has typographic quotes, which JSON does not know", "not plain quotes"),
    (lambda text: _CONTINUED.sub("", text), "keeps the backslash at the end of a line", "kept inside the quotes"),
    (_without_backslashes, "keeps its backslashes, which no shell takes away", "escaped once too often"),
    (lambda text: _LAST_COMMA.sub("", text), "is no JSON: a comma stands before the end", "a comma too many"),
)
"""Ways in which a value is spoilt: how it is repaired, what to say, in short."""


# What the shell took away


_SHELL = "the shell takes these quotes and braces"
_TAKERS = {"systemd unit": "systemd takes these quotes", "docker compose": "compose takes these quotes"}
"""Who plays the shell in formats that know quotes."""


def _taken(reading: Reading, setting: Setting, word: Word) -> Diagnosis | None:
    """JSON that is written so, and whose quotes or braces the shell (or what plays it) takes for its own."""
    words = reading.launch.args
    place = next((n for n, each in enumerate(words) if each is word), None)
    layer = word.fragment.parent
    if place is None or word.site is None or not isinstance(layer, Fragment):
        return None
    for last, end in enumerate(words[place : place + _MOST_WORDS], place):
        if end.site is None or end.fragment.parent is not layer or end.site.end < word.site.end:
            return None
        if last + 1 < len(words) and words[last + 1].site == end.site:
            continue  # one written word that became several
        written = layer.text[word.site.start : end.site.end]
        meant = next((text for text in _readings(written) if is_object(text)), None)
        if meant is not None:
            return _eaten(reading, setting, words[place : last + 1], layer, Span(word.site.start, end.site.end), meant)
    return None


def _readings(written: str) -> Iterator[str]:
    """What somebody may have meant by what is written."""
    inside = written[1:-1] if written[:1] in ("'", '"') and written[-1:] == written[:1] else written
    for text in (written, inside):
        yield text
        plain = _plain_quotes(text)
        yield plain
        yield plain.strip("'")
        yield _without_backslashes(text)


def _eaten(
    reading: Reading, setting: Setting, words: tuple[Word, ...], layer: Fragment, site: Span, meant: str
) -> Diagnosis:
    received = " and ".join(f"`{each.text}`" for each in words[:3]) + (" ..." if len(words) > 3 else "")
    edit: FixPlan | None = None
    if "'" not in meant:
        written = layer.replace(site.start, site.end, f"'{meant}'")
        edit = plan("put it in single quotes", written, same_meaning=True, holds_at=lambda version: True)
    whole = Builder(layer)
    whole.add(layer.text[slice(*site)], site, Kind.COPY)
    return "shell-quoting", Match(
        anchor=whole.build(),
        message=f"the quotes of the JSON do not reach {reading.program}: it receives {_cut(received)} "
        f"for `{setting.spelling}`",
        setting=setting,
        detail=f"{_TAKERS.get(reading.launch.carrier, _SHELL)} for its own",
        help=f"put it in single quotes: '{_cut(meant)}'" if "'" not in meant else "escape its quotes",
        about_value=True,
        explains=tuple(each.fragment for each in words),
        plan=edit,
    )


def _shown(text: str) -> str:
    return f"`{_cut(text)}`"


def _cut(text: str) -> str:
    """A value on one line, no longer than a line may be."""
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
