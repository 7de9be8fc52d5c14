"""All settings of a launch, on every surface, as one release of vLLM receives them.

Facts: options of the file behind `--config` come before those of the command line (`_pull_args_from_config` in
vllm/utils), so the command line has the last word; dotted keys are gathered and put last of all. The value of
`--speculative-config` replaces an earlier one as a whole (argparse stores it); the keys of one make the configuration.
"""

from __future__ import annotations

from msgspec import Struct

from mtpconfig.history import OptionHistory, at
from mtpconfig.launch import Given, Known, Launch, OneOf, Opaque, Setting, Value, Word
from mtpconfig.text import Builder, Fragment, Kind, Span
from mtpconfig.text.json_ import read_json
from mtpconfig.text.literal import read_literal
from mtpconfig.text.structured import Node, Structured, members
from mtpconfig.version import PEP440, Version
from mtpconfig_vllm.grammar import KEPT_SINCE, Parser, Spoken, normal

CONFIG = "speculative-config"
ENV_PREFIX = "VLLM_"
NESTED_SINCE = PEP440.parse("0.16.0")
"""The first release whose `--config` file may hold a map as a value; before, Python's text of it is handed on."""

_NOTHING = frozenset(("", "None", "null"))


class Arguments(Struct, frozen=True, eq=False):
    """The settings of a launch.

    settings     all, in effect order
    discarded    ids of those that a later value replaces as a whole
    positionals  words that no option takes
    faulty       the configuration in force could not be opened, or not to its end
    why_open     what it is written as, where that is as nobody knows here what stands in it
    """

    settings: tuple[Setting, ...]
    discarded: frozenset[int]
    positionals: tuple[Word, ...]
    faulty: bool
    why_open: str = ""


def nested_maps(version: Version) -> bool:
    """Whether a map in the file behind `--config` reaches the option as JSON."""
    return version >= NESTED_SINCE


def parse(launch: Launch, history: OptionHistory, version: Version) -> Arguments:
    """Take a launch apart."""
    return _Collector(launch, history, version).arguments()


def opened(word: Word, kind: str) -> Structured:
    """The value of an option of type `json` or `literal`."""
    return (read_literal if kind == "literal" else read_json)(word.fragment, word.holes)


def value_of(word: Word, node: Node) -> Value | None:
    """What is known of a value inside a word; None for `null`, which leaves the key unsaid."""
    known = word.value_in(node.span.start, node.span.end, node.text)
    return None if node.type == "constant" and node.text == "null" else known


class _Body(Struct, frozen=True):
    """One configuration: the places of its settings, and whether these are all."""

    places: tuple[int, ...] = ()
    whole: bool = True
    why_open: str = ""


class _Collector:
    def __init__(self, launch: Launch, history: OptionHistory, version: Version) -> None:
        self._launch = launch
        self._history = history
        self._version = version
        self._settings: list[Setting] = []
        self._bodies: list[_Body] = []
        self._dotted: list[int] = []

    def arguments(self) -> Arguments:
        """The settings of the environment, the file, the command line and the call, in this order."""
        parser = Parser(self._history, self._version, self._launch.program)
        for given in self._launch.given:
            if given.surface == "env" and given.name.text.startswith(ENV_PREFIX):
                self._add_given(given, given.name.text)
        for given in self._launch.given:
            if given.surface == "config":
                self._add_given(given, normal(given.name.text))
        for spoken in parser.options(self._launch.args):
            self._add_spoken(spoken)
        for given in self._launch.given:
            if given.surface == "kwarg":
                self._add_given(given, given.name.text)
        kept = [] if self._dotted else self._bodies[-1:]  # dotted keys make a configuration that stands last
        lost = self._bodies if self._dotted else self._bodies[:-1]
        return Arguments(
            tuple(self._settings),
            frozenset(id(self._settings[place]) for body in lost for place in body.places),
            tuple(parser.positionals(self._launch.args)),
            not all(body.whole for body in kept),
            next((body.why_open for body in kept if body.why_open), ""),
        )

    def _put(self, setting: Setting) -> int:
        self._settings.append(setting)
        return len(self._settings) - 1

    # On other surfaces than the command line

    def _add_given(self, given: Given, key: str) -> None:
        period = self._history.find(given.surface, key, self._version, self._launch.program)
        value = given.value
        off = period is not None and period.type == "bool" and value is not None and value.text.lower() == "false"
        if off and given.surface == "config":
            return  # a switch that is false in the file is not handed on
        self._put(
            Setting(
                option=period.option if period else None,
                surface=given.surface,
                spelling=given.name.text,
                form="assigned",
                value=value.value if value is not None else None,
                name=given.name.fragment,
                value_fragment=value.fragment if value is not None else None,
                words=(),
                guard=given.guard,
                order=len(self._settings),
                given=given,
                negated=bool(period and period.negates) != bool(off),
                key=key,
                word=value,
            )
        )
        if value is not None and period is not None and period.option == CONFIG:
            if given.nested and given.surface == "config" and not nested_maps(self._version):
                self._bodies.append(_Body(whole=False))
            else:
                self._open(value, "json" if given.surface == "kwarg" or given.nested else self._kind())

    # On the command line

    def _add_spoken(self, spoken: Spoken) -> None:
        period, word = spoken.period, spoken.word
        start = len(spoken.spelling)
        dotted = bool(spoken.keys)
        value = spoken.values[0] if spoken.values else None
        self._put(
            Setting(
                option=period.option if period else None,
                surface="flag",
                spelling=spoken.spelling,
                form="dotted" if dotted else "glued" if spoken.glued else "spaced" if value else "bare",
                value=Opaque("what stands behind the dots") if dotted else value.value if value else None,
                name=word.fragment if len(word.text) == start else word.fragment.slice(0, start),
                value_fragment=value.fragment if value is not None and not dotted else None,
                words=spoken.words,
                guard=word.guard,
                order=len(self._settings),
                negated=bool(period and period.negates),
                key=spoken.name,
                word=None if dotted else value,
            )
        )
        if period is None or period.option != CONFIG:
            return
        if dotted:
            self._add_key(spoken, value)
        elif value is not None:
            self._open(value, self._kind())

    def _add_key(self, spoken: Spoken, value: Word | None) -> None:
        key = spoken.keys[0]
        spelling = key.text.removesuffix("+")
        looked_up = spelling if self._version >= KEPT_SINCE else spelling.replace("_", "-")
        known: Value | None = None
        fragment = value.fragment if value is not None else None
        if len(spoken.keys) > 1:
            known = Opaque("a part of it")
        elif value is not None:
            root = read_json(value.fragment, value.holes).root
            known = value.value if root is None or value.holes else value_of(value, root)
            if root is not None and root.type == "string" and not value.holes:
                fragment = root.fragment
        place = self._put(
            Setting(
                option=self._option(looked_up),
                surface="json",
                spelling=spelling,
                form="dotted",
                value=known,
                name=key.fragment if spelling == key.text else key.fragment.slice(0, len(spelling)),
                value_fragment=fragment,
                words=spoken.words,
                guard=spoken.word.guard,
                order=len(self._settings),
                key=looked_up,
                word=value,
            )
        )
        self._dotted.append(place)

    # Inside a configuration

    def _kind(self) -> str:
        return self._history.type(CONFIG, self._version)

    def _open(self, word: Word, kind: str) -> None:
        """The keys of a configuration."""
        if isinstance(word.value, Known) and word.text.strip() in _NOTHING:
            self._bodies.append(_Body())
            return
        if isinstance(word.value, OneOf):
            self._bodies.append(self._alternatives(word, word.value.texts, kind))
            return
        structure = opened(word, kind)
        root = structure.root
        if root is None or root.type != "object":
            self._bodies.append(_Body(whole=False, why_open=word.text if structure.fault is None else ""))
            return
        body = []
        for entry, member in members(word.fragment, root):
            key = entry.key
            value = value_of(word, entry.value)
            body.append(
                self._put(
                    Setting(
                        option=self._option(key.text),
                        surface="json",
                        spelling=key.text,
                        form="assigned",
                        value=value,
                        name=key.fragment,
                        value_fragment=entry.value.fragment if value is not None else None,
                        words=(),
                        guard=word.guard,
                        order=len(self._settings),
                        key=key.text,
                        member=member,
                        word=word,
                    )
                )
            )
        self._bodies.append(_Body(tuple(body)))

    def _alternatives(self, word: Word, texts: tuple[str, ...], kind: str) -> _Body:
        """The keys that all of several texts have; they stand nowhere by themselves, and are not edited."""
        read = read_literal if kind == "literal" else read_json
        roots = [read(Fragment.synthetic(text, word.fragment)).root for text in texts]
        if any(root is None or root.type != "object" for root in roots):
            return _Body(whole=False, why_open=word.text)
        said = [{e.key.text: e.value.text for e in root.entries} for root in roots if root is not None]
        body = []
        for key in said[0]:
            if not all(key in each for each in said):
                continue
            found = tuple(dict.fromkeys(each[key] for each in said))
            body.append(
                self._put(
                    Setting(
                        option=self._option(key),
                        surface="json",
                        spelling=key,
                        form="assigned",
                        value=Known(found[0]) if len(found) == 1 else OneOf(found),
                        name=_at(word, key),
                        value_fragment=_at(word, found[0]),
                        words=(),
                        guard=word.guard,
                        order=len(self._settings),
                        key=key,
                        word=word,
                    )
                )
            )
        whole = all(said[0].keys() == each.keys() for each in said)
        return _Body(tuple(body), whole, "" if whole else word.text)

    def _option(self, key: str) -> str | None:
        period = self._history.find("json", key, self._version, self._launch.program)
        return period.option if period is not None else None


def _at(word: Word, text: str) -> Fragment:
    """A text that comes out of a word, at the place of the whole word."""
    builder = Builder(word.fragment)
    builder.add(text, Span(0, len(word.text)), Kind.SUBSTITUTED)
    return builder.build()


def fact(history: OptionHistory, name: str, version: Version) -> str:
    """A fact of the history at a version; empty where it holds none."""
    row = at(history.facts.get(name, ()), version)
    return row.value if row else ""
