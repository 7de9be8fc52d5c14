"""The keys of `speculative_config`: a JSON object, a literal of Python, or said one by one behind a dot."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.history import OptionHistory
from mtpconfig.launch import Known, OneOf, Opaque, Setting, Value, Word
from mtpconfig.text import Builder, Fragment, Kind, Span
from mtpconfig.text.json_ import read_json
from mtpconfig.text.literal import read_literal
from mtpconfig.text.structured import Node, members
from mtpconfig.version import PEP440, Version

HYPHENS_SINCE = PEP440.parse("0.26.0")
"""The first release that takes `-` for `_` in a key (EngineArgs.create_speculative_config)."""
KEPT_SINCE = PEP440.parse("0.9.1")
"""The first release that leaves the key behind a dot as it is written; before, each `_` in it became `-`."""

_NOTHING = frozenset(("", "None", "null", "~"))  # the last one in YAML


def is_no_map(value: Word, nested: bool) -> bool:
    """Whether something else than a dict is given where one is wanted: a text, even of JSON, or a list."""
    known = isinstance(value.value, Known) and value.text.strip() not in _NOTHING
    return known and (not nested or value.text.startswith("["))


class Body(Struct, frozen=True, eq=False):
    """One configuration: the settings that its keys make, and whether these are all.

    why_open  what it is written as, where nobody knows here what stands in it
    """

    settings: tuple[Setting, ...] = ()
    whole: bool = True
    why_open: str = ""


def said_apart(word: Word, start: int, end: int) -> tuple[Word, ...]:
    """The parts of a word between dots, as words."""
    keys = []
    for part in word.text[start:end].split("."):
        keys.append(word.part(start, start + len(part)))
        start += len(part) + 1
    return tuple(keys)


class Keys:
    """Reads keys as one release does."""

    def __init__(self, history: OptionHistory, version: Version, program: str) -> None:
        self._history = history
        self._version = version
        self._program = program

    def of(self, word: Word, kind: str) -> Body:
        """The keys of a whole configuration; `kind` is `json` or `literal`."""
        if isinstance(word.value, Known) and word.text.strip() in _NOTHING:
            return Body()
        if isinstance(word.value, OneOf):
            return self._alternatives(word, word.value.texts, kind)
        structure = (read_literal if kind == "literal" else read_json)(word.fragment, word.holes)
        root = structure.root
        if root is None or root.type != "object":
            return Body(whole=False, why_open=word.text if root is None and structure.fault is None else "")
        settings = []
        for entry, member in members(word.fragment, root):
            value = _value(word, entry.value)
            made = self._setting(entry.key.text, entry.key.fragment, value, word)
            fragment = entry.value.fragment if value is not None else None
            settings.append(replace(made, value_fragment=fragment, member=member))
        return Body(tuple(settings))

    def dotted(self, keys: Sequence[Word], value: Word | None, said: Setting) -> Setting:
        """One key behind a dot; `said` is the option with all of its words."""
        first = keys[0]
        spelling = first.text.removesuffix("+")
        known: Value | None = None
        fragment = value.fragment if value is not None else None
        if len(keys) > 1:
            known = Opaque("a part of it")
        elif value is not None:
            root = read_json(value.fragment, value.holes).root if not value.holes else None
            known = value.value if root is None else _value(value, root)
            fragment = root.fragment if root is not None and root.type == "string" else value.fragment
        name = first.fragment if spelling == first.text else first.fragment.slice(0, len(spelling))
        made = self._setting(spelling, name, known, value or first, dotted=True)
        return replace(
            made, form="dotted", value_fragment=fragment, words=said.words, given=said.given, guard=said.guard
        )

    def looked_up(self, key: str, *, dotted: bool = False) -> str:
        """A key as the release looks it up."""
        if self._version >= HYPHENS_SINCE:
            return key.replace("-", "_")
        return key.replace("_", "-") if dotted and self._version < KEPT_SINCE else key

    def _setting(self, key: str, name: Fragment, value: Value | None, word: Word, *, dotted: bool = False) -> Setting:
        looked_up = self.looked_up(key, dotted=dotted)
        period = self._history.find("json", looked_up, self._version, self._program)
        return Setting(
            option=period.option if period is not None else None,
            surface="json",
            spelling=key,
            form="assigned",
            value=value,
            name=name,
            value_fragment=None,
            words=(),
            guard=word.guard,
            order=0,
            key=looked_up,
            word=word,
        )

    def _alternatives(self, word: Word, texts: Sequence[str], kind: str) -> Body:
        """The keys that all of several texts have; they stand nowhere by themselves, and are not edited."""
        read = read_literal if kind == "literal" else read_json
        roots = [read(Fragment.synthetic(text, word.fragment)).root for text in texts]
        if any(root is None or root.type != "object" for root in roots):
            return Body(whole=False, why_open=word.text)
        said = [{e.key.text: e.value.text for e in root.entries} for root in roots if root is not None]
        settings = []
        for key in said[0]:
            if all(key in each for each in said):
                found = tuple(dict.fromkeys(each[key] for each in said))
                value: Value = Known(found[0]) if len(found) == 1 else OneOf(found)
                made = self._setting(key, _at(word, key), value, word)
                settings.append(replace(made, value_fragment=_at(word, found[0])))
        whole = all(said[0].keys() == each.keys() for each in said)
        return Body(tuple(settings), whole, "" if whole else word.text)


def _value(word: Word, node: Node) -> Value | None:
    """What is known of a value inside a word; None for `null`, which leaves the key unsaid."""
    known = word.value_in(node.span.start, node.span.end, node.text)
    return None if node.type == "constant" and node.text == "null" else known


def _at(word: Word, text: str) -> Fragment:
    """A text that comes out of a word, at the place of the whole word."""
    builder = Builder(word.fragment)
    builder.add(text, Span(0, len(word.text)), Kind.SUBSTITUTED)
    return builder.build()
