"""One launch against all rules of its engine, at one version or over a range of versions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from mtpconfig.engine import Engine, Reading, key_of
from mtpconfig.history import Option, Stretch
from mtpconfig.launch import Launch, Setting, Target, Word, removal
from mtpconfig.lint import objects, quoting, structure, support
from mtpconfig.lint.rule import Rule
from mtpconfig.lint.spelling import Speller
from mtpconfig.lint.values import Diagnosis
from mtpconfig.lint.worlds import worlds
from mtpconfig.match import FixPlan, Match, plan
from mtpconfig.meaning import values_of
from mtpconfig.text import Fragment, Span
from mtpconfig.version import Version, sample

NAME_CHECKS = frozenset(
    {
        "renamed-option", "removed-option", "unknown-option", "not-yet-available", "ignored-option", "unread-variable",
        "deprecated-spelling", "invalid-value", "unknown-config-key",
    }
)  # fmt: skip
"""Checks that speak of names; they are not asked about versions that are not known."""

GONE_CHECKS = frozenset({"renamed-option", "removed-option"})
"""Those of them that speak of names of the past."""


class Hit(Struct, frozen=True, eq=False):
    """A rule that holds at a place, in the version's words."""

    rule: Rule
    match: Match
    spans: tuple[Span, ...]
    reading: Reading

    @property
    def key(self) -> tuple[str, tuple[Span, ...]]:
        """What makes two hits at different versions the same."""
        return self.rule.id, self.spans

    @property
    def severity(self) -> str:
        """The match's severity, else its rule's."""
        return self.match.severity or self.rule.severity


class Judge:
    """All rules of one engine."""

    def __init__(self, engine: Engine, rules: Iterable[Rule], foreign: Callable[[], Mapping[str, str]]) -> None:
        self.engine = engine
        self.history = engine.options()
        ours = [rule for rule in rules if rule.engine in (None, engine.id)]
        self._conditional = [rule for rule in ours if rule.conditions]
        self._by_check = {rule.check: rule for rule in ours if rule.check}
        self._speller = Speller(engine, self.history, foreign)
        self._checks = engine.checks()

    # --- which versions to look at

    @cached_property
    def knots(self) -> tuple[Version, ...]:
        """All versions at which something is known to be so, ascending."""
        known = set(self.history.versions)
        for stretch in self._all_stretches():
            known.update(stretch.boundaries())
        return tuple(sorted(known))

    def _all_stretches(self) -> Iterable[Stretch]:
        for option in self.history.speculative:
            yield from _stretches_of(option)
        yield from self._rule_stretches

    @cached_property
    def _rule_stretches(self) -> tuple[Stretch, ...]:
        found = [stretch for rule in self._conditional for stretch in rule.stretches]
        found += [
            row.stretch for rows in (*self.history.facts.values(), *self.history.programs.values()) for row in rows
        ]
        return tuple(dict.fromkeys((*found, *self.engine.models().values())))

    def _relevant(self, launch: Launch) -> set[Stretch]:
        """The stretches that can change what is said about a launch."""
        names = [("flag", self.engine.lookup("flag", word.text)) for word in launch.args if word.text.startswith("-")]
        names += [(given.surface, given.name.text) for given in launch.given]
        names += [(s.surface, key_of(s, self.engine)) for s in self.engine.read(launch, self.history.newest).settings]
        return {*self._rule_stretches, *self._stretches_of_names(names)}

    def _relevant_to(self, hits: Sequence[Hit]) -> set[Stretch]:
        """The stretches that can change what is said about what was found."""
        settings = [hit.match.setting for hit in hits if hit.match.setting is not None]
        settings += [s for hit in hits for s in hit.reading.settings if s.option in hit.rule.options]
        names = [(s.surface, key_of(s, self.engine)) for s in settings]
        facts = [row.stretch for rows in self.history.facts.values() for row in rows]
        said = (s for hit in hits for s in hit.rule.stretches)
        return {*facts, *said, *self.engine.models().values(), *self._stretches_of_names(names)}

    def _stretches_of_names(self, names: Iterable[tuple[str, str]]) -> set[Stretch]:
        options = {period.option for surface, name in names for period in self.history.periods(surface, name)}
        return {stretch for option in options for stretch in _stretches_of(self.history.options[option])}

    def versions_for(self, launch: Launch, target: Target) -> tuple[Version, ...]:
        """Versions that stand for a target: at least one, more where it cannot be told apart or is a range."""
        exact = target.range.exact
        relevant = self._relevant(launch)
        if exact is None:
            return self._edges(relevant, target)
        if self.history.known_version(exact) and all(s.holds(exact) is not None for s in relevant):
            return (exact,)
        return sample(self.knots, target.range)

    def versions_near(self, hits: Sequence[Hit], target: Target) -> tuple[Version, ...]:
        """Versions of a range at which what was found at one of them may change."""
        return self._edges(self._relevant_to(hits), target)

    def _edges(self, stretches: Iterable[Stretch], target: Target) -> tuple[Version, ...]:
        edges = {version for stretch in stretches for version in stretch.boundaries()}
        return sample(sorted(edges | {self.history.oldest, self.history.newest}), target.range)

    def _branches(self, launch: Launch) -> frozenset[int]:
        """The branches around words that a rule may speak of."""
        found: set[int] = set()
        spoken_of = False
        for word in launch.argv:
            if word.text.startswith("-"):
                spoken_of = self._speaks_of("flag", word.text)
            if spoken_of:
                found.update(branch for branch, _ in word.guard)
        for given in launch.given:
            if given.guard and self._speaks_of(given.surface, given.name.text):
                found.update(branch for branch, _ in given.guard)
        return frozenset(found)

    def _speaks_of(self, surface: str, spelling: str) -> bool:
        periods = self.history.periods(surface, self.engine.lookup(surface, spelling))
        ids = {period.option for period in periods}
        known = any(self.history.options[id_].speculative for id_ in ids) or not ids.isdisjoint(self._rule_options)
        return known or not periods

    @cached_property
    def _rule_options(self) -> frozenset[str]:
        return frozenset(option for rule in self._conditional for option in rule.options)

    def version_for(self, launch: Launch, target: Target) -> Version:
        """The one version as which a launch is read: the newest that its target allows."""
        if target.assumed or target.unreleased:
            return self.history.newest
        newest = self.versions_for(launch, target)[-1]
        exact = target.range.exact
        return newest.standing_for(exact) if exact is not None and self.history.known_version(exact) else newest

    # --- what holds at one version

    def judge(self, launch: Launch, version: Version) -> list[Hit]:
        """All rules that hold for a launch at a version, in any of its worlds.

        What rests on an absence must be absent wherever the thing that needs it is.
        """
        found: dict[object, tuple[Hit, int]] = {}
        readings = [self.engine.read(world, version) for world in worlds(launch, self._branches(launch).__contains__)]
        for reading in readings:
            for hit in self._hits(reading):
                key = (hit.key, hit.match.part)
                first, count = found.get(key, (hit, 0))
                found[key] = first, count + 1
        return [hit for hit, count in found.values() if not hit.rule.unset or count >= _with_anchor(hit, readings)]

    def _hits(self, reading: Reading) -> Iterable[Hit]:
        meant = set()
        for check, match in self._diagnoses(reading):
            meant.add(match.meant)
            if (rule := self._by_check.get(check)) is not None:
                yield self._hit(rule, match, reading)
        for rule in self._by_check.values():
            if (asked := self._checks.get(rule.check)) is not None:
                for match in asked(reading):
                    yield self._hit(rule, match, reading)
        for rule in self._conditional:
            if rule.programs and reading.program not in rule.programs:
                continue
            if not rule.unset.isdisjoint(meant):
                continue  # it is there, under a misspelt name
            if not any(stretch.holds(reading.version) for stretch in rule.stretches):
                continue
            for condition in rule.conditions:
                if condition.anchors and reading.by_option.keys().isdisjoint(condition.anchors):
                    continue
                if condition.holds(reading, self.history) is not True:
                    continue
                if (match_ := self._match(rule, condition.anchors, reading)) is not None:
                    yield self._hit(rule, match_, reading)

    def _diagnoses(self, reading: Reading) -> Iterable[Diagnosis]:
        objects_ = list(objects.diagnose(reading, self.history))
        explained = {id(fragment) for _, match in objects_ for fragment in (match.anchor, *match.explains)}
        quoted = [d for d in quoting.diagnose(reading, self.engine, self.history) if id(d[1].anchor) not in explained]
        yield from (*objects_, *quoted)
        yield from structure.diagnose(reading, self.history)
        yield from support.diagnose(reading, self.engine, self.history)
        told = {id(match.anchor) for _, match in quoted}
        told |= {id(fragment) for _, match in objects_ for fragment in match.explains}
        for check, match in self._speller.diagnose(reading):
            if id(match.anchor) not in told:  # what is wrong with its quotes explains it
                yield check, match

    def _hit(self, rule: Rule, match: Match, reading: Reading) -> Hit:
        start, end = match.part or (0, len(match.anchor.text))
        spans = match.anchor.locate(start, end) or reading.launch.fragment.locate_all()[:1]
        return Hit(rule, match, spans, reading)

    # --- rules with a condition

    def _match(self, rule: Rule, anchors: tuple[str, ...], reading: Reading) -> Match | None:
        setting = next((reading.by_option[option][-1] for option in anchors if option in reading.by_option), None)
        if anchors and setting is None:
            return None
        anchor, part = _anchor(rule, reading, setting)
        if anchor is None:
            return None
        words = {
            "engine": self.engine.title,
            "version": reading.version,
            "program": reading.program,
            "spelling": setting.spelling if setting else "",
            "value": (setting.text or "") if setting else "",
            "values": _Values(reading, self),
        }
        return Match(
            anchor=anchor,
            part=part,
            message=rule.message.format_map(words),
            setting=setting,
            detail=rule.detail.format_map(words),
            help=rule.help.format_map(words),
            about_value=bool(rule.part),
            plan=self._plan(rule, reading, setting),
        )

    def _plan(self, rule: Rule, reading: Reading, setting: Setting | None) -> FixPlan | None:
        container = reading.launch.container
        if not rule.fix or setting is None:
            return None
        same = rule.fix.get("meaning") == "same"
        title = rule.fix["title"]
        if "insert" in rule.fix and setting.member is not None:
            name, value = rule.fix["insert"]
            return plan(title, setting.member.insert(name, value), same_meaning=same, holds_at=lambda version: True)
        behind = setting.words or reading.launch.argv[: reading.launch.args_at]  # a variable's: first of all
        if "insert" in rule.fix and behind and container is not None:
            words = list(rule.fix["insert"])
            program = reading.program

            def known(version: Version) -> bool:
                period = self.history.find("flag", words[0], version, self.engine.program_at(program, version))
                return period is not None

            if not known(reading.version):
                return None
            return plan(title, container.insert(behind[-1], words), same_meaning=same, holds_at=known)
        if rule.fix.get("remove"):
            edits = removal(setting, container)
            return plan(title, *(edits or ()), same_meaning=same, holds_at=lambda version: True)
        if "value" in rule.fix and setting.value_fragment is not None:
            size = len(setting.value_fragment.text)
            edit = setting.value_fragment.replace(0, size, rule.fix["value"])
            return plan(title, edit, same_meaning=same, holds_at=lambda version: True)
        return None


class _Values:
    """`{values[OPTION]}` in a message: the value in force, its default counted."""

    def __init__(self, reading: Reading, judge: Judge) -> None:
        self._reading, self._judge = reading, judge

    def __getitem__(self, option: str) -> str:
        found: Sequence[str] | None = values_of(option, self._reading, self._judge.history)
        return ",".join(found) if found else "?"


def _with_anchor(hit: Hit, readings: Sequence[Reading]) -> int:
    """In how many worlds the setting that a hit speaks of is there at all."""
    setting = hit.match.setting
    if setting is None:
        return len(readings)
    fragment = setting.name
    return sum(any(other.name is fragment for other in reading.settings) for reading in readings)


def _stretches_of(option: Option) -> Iterable[Stretch]:
    yield from (period.stretch for period in option.periods)
    yield from (row.stretch for period in option.periods for row in period.replace)
    yield from (choice.stretch for choice in option.values)
    yield from (row.stretch for row in (*option.default, *option.merge))


def _anchor(rule: Rule, reading: Reading, setting: Setting | None) -> tuple[Fragment | None, tuple[int, int] | None]:
    """What a rule underlines: an option's name, its value, one item of its value, or the program."""
    if setting is None:
        first: Word | None = reading.launch.argv[0] if reading.launch.argv else reading.launch.image
        return (first.fragment if first is not None else None), None
    value = setting.value_fragment
    if rule.part.startswith("item:") and value is not None:
        item, place = rule.part.removeprefix("item:"), 0
        for text in value.text.split(","):
            if text == item:
                return value, (place, place + len(text))
            place += len(text) + 1
        return value, None
    return (value if rule.part == "value" and value is not None else setting.name), None
