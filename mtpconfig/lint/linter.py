"""Files in, reports out. Pure: nothing of a linted tree is executed, imported or evaluated."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.carrier import NO_FILES, Files, Opener
from mtpconfig.engine import Embedding, Engine, Reading
from mtpconfig.errors import UnreadableFile, UsageError
from mtpconfig.history import OptionHistory
from mtpconfig.hooks import carriers, engines, rule_folders
from mtpconfig.knowledge import knowledge_root, load_toml
from mtpconfig.launch import Launch, Target, exclude
from mtpconfig.lint import strangers
from mtpconfig.lint.findings import FileReport, Finding, LaunchReport
from mtpconfig.lint.judge import Judge
from mtpconfig.lint.legibility import cut_short, fallen_off, misunderstood, unreadable, unresolved, unused_ignores
from mtpconfig.lint.rule import Rule, code_names, load_rules
from mtpconfig.lint.suppressions import Directives, heard, read_directives
from mtpconfig.lint.target import Targets, parse_target, resolve
from mtpconfig.lint.verdicts import findings_for
from mtpconfig.lint.worlds import worlds
from mtpconfig.spec import MTPSpec
from mtpconfig.text import Fragment, Source, Span
from mtpconfig.version import Scheme, VersionRange

MAX_BYTES = 8 * 1024 * 1024
"""Files beyond this size are not read (MTP001)."""

MOST_LAUNCHES = 2000
"""Launches judged in one file; further ones are not looked at (MTP001)."""

STDIN = "-"
"""The path of a text from standard input; without a name of its own it is read as a shell script."""

_HEAD = 4096


class Selection(Struct, frozen=True):
    """Which codes are reported, by prefix; empty `select` means all."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()

    def admits(self, code: str) -> bool:
        """Whether findings with this code are reported: the longest prefix that names it wins, an ignore on a tie."""

        def longest(prefixes: Iterable[str]) -> int:
            return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)

        chosen = max(0 if not self.select else longest(self.select), longest(self.extend_select))
        return chosen > longest(self.ignore) if chosen >= 0 else False

    def check(self) -> None:
        """Raise UsageError for a prefix that no code has."""
        codes = code_names()
        for prefix in (*self.select, *self.ignore, *self.extend_select):
            if not any(code.startswith(prefix) for code in codes):
                raise UsageError(f"unknown code {prefix!r} (see `mtpconfig rules`)")


class _Schemes(Mapping[str, tuple[Scheme, OptionHistory]]):
    """The numbering scheme and the history of each engine, read when they are asked for."""

    def __getitem__(self, id_: str) -> tuple[Scheme, OptionHistory]:
        return engines()[id_].scheme, engines()[id_].options()

    def __iter__(self) -> Iterator[str]:
        return iter(engines())

    def __len__(self) -> int:
        return len(engines())


class Linter:
    """Lints files with all installed engines, carriers and rules; reuse one for a whole run."""

    def __init__(self, targets: Targets | None = None, selection: Selection | None = None) -> None:
        self.targets = targets or Targets()
        self.selection = selection or Selection()
        self._judges: dict[str, Judge] = {}

    @cached_property
    def _wanted(self) -> re.Pattern[str]:
        """Texts that mention none of the engines' words hold no launch."""
        words = sorted({word for engine in engines().values() for word in engine.words} | {*strangers.words()})
        return re.compile("|".join(map(re.escape, words)))

    @cached_property
    def wanted_bytes(self) -> re.Pattern[bytes]:
        """The same before decoding."""
        return re.compile(self._wanted.pattern.encode())

    @cached_property
    def rules(self) -> list[Rule]:
        """All rules, with the knowledge of all engines."""
        return load_rules(rule_folders(), schemes=_Schemes())

    @cached_property
    def _common(self) -> list[Rule]:
        """The rules that belong to no engine."""
        return load_rules(rule_folders(), schemes=_Schemes(), only=())

    @cached_property
    def _owners(self) -> dict[str, str]:
        foreign = load_toml(knowledge_root() / "common" / "distinctive.toml")["flags"]
        owners = {flag: owner for owner, flags in foreign.items() for flag in flags}
        return owners | {flag: engine.id for engine in engines().values() for flag in engine.options().distinctive}

    def _judge(self, engine: str) -> Judge:
        """The judge of an engine; only those at hand are made."""
        if engine not in self._judges:
            rules = load_rules(rule_folders(), schemes=_Schemes(), only=(engine,))
            self._judges[engine] = Judge(engines()[engine], rules, lambda: self._owners)
        return self._judges[engine]

    # --- one file

    def lint_path(self, path: str, root: str | None = None) -> FileReport:
        """Lint a file on disk; a file that cannot be read is reported as MTP001.

        Other files that it names are read inside `root`, the file's own folder if none is given; a folder `NAME.d`
        belongs to what lies beside it.
        """
        try:
            with open(path, "rb") as file:
                if not os.path.isfile(path):
                    raise UnreadableFile("it is not a regular file")
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            return self._unreadable(path, error.strerror or str(error))
        except UnreadableFile as error:
            return self._unreadable(path, str(error))
        folder = os.path.dirname(path) or "."
        return self.lint_bytes(path, data, Files(root or _tree_of(folder), folder))

    def lint_bytes(self, path: str, data: bytes, files: Files = NO_FILES) -> FileReport:
        """Lint a file's contents; `files` gives the other files that it names."""
        if not self.wanted_bytes.search(data) and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            return FileReport(path, None)
        try:
            if len(data) > MAX_BYTES:
                raise UnreadableFile(f"it is larger than {MAX_BYTES // 1024 // 1024} MiB")
            source = Source.from_bytes(path, data)
        except UnreadableFile as error:
            head = data[:_HEAD].decode("utf-8", "replace")
            if Opener(carriers(), files).carrier_for(_name(path), head) is None:
                return FileReport(path, None)
            return self._unreadable(path, str(error))
        return self.lint_source(source, files)

    def _unreadable(self, path: str, why: str) -> FileReport:
        finding = unreadable(path, why)
        return FileReport(path, finding.source, (), [finding] if self.selection.admits(finding.code) else [])

    def lint_source(self, source: Source, files: Files = NO_FILES) -> FileReport:
        """Lint a text."""
        if not self._wanted.search(source.text):
            return FileReport(source.path, source)
        opener = Opener(carriers(), files)
        commands = list(_commands(source, opener))
        launches = [launch for launch, recognised in commands if recognised]
        directives = read_directives(source)
        if directives.ignore_file:
            return FileReport(source.path, source, [self._report(launch, source, directives) for launch in launches])
        found: list[Finding] = []
        reports: list[LaunchReport] = []
        for launch in launches:
            report = self._report(launch, source, directives)
            reports.append(report)
            if launch.ours and report.target is not None:
                found += findings_for(self._judge(launch.engine), report.launch, report.target)
                inner = self._embedded(report.launch, report.target)
                if inner is not None and inner.target is not None:
                    found += findings_for(self._judge(inner.engine), inner, inner.target)
                found += unresolved(report)
        if not source.path.lower().endswith(".json"):  # JSON with comments is no YAML, and seldom a launch
            found += cut_short(opener.missed, source)
        found += fallen_off(self._rule("broken-continuation"), commands)
        admitted = [finding for finding in _distinct(found) if self.selection.admits(finding.code)]
        kept = [_here(finding, source) for finding in heard(admitted, source, directives)]
        if self.selection.admits("MTP003") and _is_read(source, files):
            kept += unused_ignores(directives, source)
            kept += misunderstood(directives, source)
        kept.sort(
            key=lambda finding: (finding.source.path != source.path, finding.source.path, finding.span, finding.code)
        )
        return FileReport(source.path, source, reports, kept, files)

    def _rule(self, check: str) -> Rule:
        return next(rule for rule in self._common if rule.check == check)

    def launches(self, source: Source, files: Files = NO_FILES) -> Iterator[Launch]:
        """The launches of a text that an engine (or a fork of one) recognises as its own."""
        return (launch for launch, recognised in _commands(source, Opener(carriers(), files)) if recognised)

    def _report(self, launch: Launch, source: Source, directives: Directives) -> LaunchReport:
        spans = launch.fragment.locate_all()
        home = launch.fragment.source
        line = home.position(spans[0].start).line if spans else 1
        if not launch.ours:
            return LaunchReport(launch, None, None, MTPSpec(), line)
        engine = engines()[launch.engine]
        directed = self._directed(directives, engine)
        if not directed and home.path != source.path:
            directed = self._directed(read_directives(home), engine)
        target = resolve(launch, engine, self.targets, directed)
        inner = self._embedded(launch, target)
        target = replace(target, embeds=inner.target) if inner is not None else target
        launch = replace(launch, target=target)
        judge = self._judge(engine.id)
        version = judge.version_for(launch, target)
        exact = target.range.exact
        outside = target.unreleased or (exact is not None and not judge.history.known_version(exact))
        readings = [engine.read(world, version) for world in worlds(launch)]
        why_open = next((reading.why_open for reading in readings if reading.why_open), "")
        methods = tuple(dict.fromkeys(reading.spec.methods for reading in readings))
        choices = methods if len(methods) > 1 else ()
        return LaunchReport(launch, target, version, _common_spec(readings), line, outside, why_open, choices)

    def _embedded(self, launch: Launch, target: Target) -> Launch | None:
        """The start of another engine's program that a launch leads to, where that engine is installed."""
        engine = engines()[launch.engine]
        inner = engine.embedded(launch, target) if isinstance(engine, Embedding) else None
        return inner if inner is not None and inner.engine in engines() else None

    def _directed(self, directives: Directives, engine: Engine) -> list[tuple[VersionRange, Span]]:
        found = []
        for text, span in directives.targets:
            try:
                name, wanted = parse_target(text)
            except UsageError:
                continue
            if name == engine.id:
                found.append((wanted, span))
        return found


def _commands(source: Source, opener: Opener) -> Iterator[tuple[Launch, bool]]:
    """All commands of a text in order, identified where an engine recognises one."""
    found = 0
    for launch in opener.open(Fragment.of(source), _name(source.path)):
        for one in _alternatives(launch):
            named, recognised = _identified(one, opener.files)
            found += recognised
            if found > MOST_LAUNCHES:
                start = min((span.start for span in one.fragment.locate_all()), default=0)
                opener.miss(Fragment.of(source), start, f"it holds more than {MOST_LAUNCHES} launches")
                return
            yield named, recognised


def _is_read(source: Source, files: Files) -> bool:
    """Whether any carrier takes the text: in others, directives are only spoken of."""
    return Opener(carriers(), files).carrier_for(_name(source.path), source.text[:_HEAD]) is not None


def _tree_of(folder: str) -> str:
    """The tree of a file that is given by itself."""
    return os.path.join(folder, os.pardir) if os.path.basename(os.path.abspath(folder)).endswith(".d") else folder


def _name(path: str) -> str:
    """The file name by which carriers tell a format."""
    return "stdin.sh" if path == STDIN else os.path.basename(path)


def _alternatives(launch: Launch) -> Iterator[Launch]:
    """A launch whose program depends on a branch, once for each program."""
    programs = list(takewhile(lambda word: word.guard, launch.argv))
    apart = len(programs) > 1 and all(exclude(programs[0].guard, word.guard) for word in programs[1:])
    if launch.image is not None or not apart:
        yield launch
        return
    rest = launch.argv[len(programs) :]
    for program in programs:
        yield replace(launch, argv=(program, *(word for word in rest if not exclude(word.guard, program.guard))))


def _identified(launch: Launch, files: Files) -> tuple[Launch, bool]:
    """A launch with its engine's name; one that its carrier knows is asked of that engine alone."""
    for engine in engines().values():
        if launch.engine in ("", engine.id) and (found := engine.identify(launch)) is not None:
            named = replace(launch, engine=found.engine, program=found.program, args_at=found.args_at, ours=found.ours)
            return (engine.with_files(named, files) if found.ours else named), True
    if (name := strangers.stranger(launch, frozenset(engines()))) is not None:
        return replace(launch, engine=name, ours=False), True
    return launch, False


def _common_spec(readings: Sequence[Reading]) -> MTPSpec:
    """The launch's spec; a field on which its worlds differ is left unsaid."""
    merged = readings[0].spec
    for reading in readings[1:]:
        merged = merged.agreeing_with(reading.spec)
    return merged


def _distinct(findings: Sequence[Finding]) -> list[Finding]:
    """One finding for each place, rule and message: words shared by several launches are reported once."""
    found: dict[tuple[str, str, Span, str], Finding] = {}
    for finding in findings:
        found.setdefault((finding.source.path, finding.rule, finding.span, finding.message), finding)
    return list(found.values())


def _here(finding: Finding, source: Source) -> Finding:
    """A finding in another text that this one names has no fix: only the linted text is rewritten."""
    return finding if finding.source.path == source.path else replace(finding, fix=None)
