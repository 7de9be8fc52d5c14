"""From hits at versions to findings: severity, certainty, and what is told of other versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Literal

from mtpconfig.launch import Default, Launch, Target, exclude
from mtpconfig.lint.findings import RANK, Certainty, Finding, Fix, Verdict
from mtpconfig.lint.judge import GONE_CHECKS, NAME_CHECKS, Hit, Judge
from mtpconfig.match import Severity
from mtpconfig.text import Span
from mtpconfig.version import Version, VersionRange


def findings_for(judge: Judge, launch: Launch, target: Target) -> list[Finding]:
    """The findings of a launch.

    With an assumed target the newest version decides, older ones are told in the message. Where a stated version lies
    in the gap in which something changed, the finding is a note.
    """
    history = judge.history
    if target.assumed:
        newest = history.newest
        hits = [hit for hit in judge.judge(launch, newest) if not _has_alternative(hit, launch, judge)]
        if not hits:
            return []
        older = [version for version in judge.versions_near(hits, target) if version != newest]
        table = {version: judge.judge(launch, version) for version in older} | {newest: hits}
        return _findings(judge, hits, table, launch, target)
    table = _table(judge, launch, target)
    first: dict[object, Hit] = {}
    for hits in reversed(table.values()):
        for hit in hits:
            first.setdefault((hit.key, hit.match.part), hit)
    return _findings(judge, list(first.values()), table, launch, target)


def _table(judge: Judge, launch: Launch, target: Target) -> dict[Version, list[Hit]]:
    """The hits at each version that stands for a stated target; of names outside the known range nothing is said."""
    if target.unreleased:
        return {judge.history.newest: _of_unreleased(judge, launch, target)}
    exact = target.range.exact
    versions = judge.versions_for(launch, target)
    if exact is None:
        return {version: judge.judge(launch, version) for version in versions}
    if not judge.history.known_version(exact):
        return {v: [hit for hit in judge.judge(launch, v) if hit.rule.check not in NAME_CHECKS] for v in versions}
    beside = {version: judge.judge(launch, version.standing_for(exact)) for version in versions}
    if len({frozenset(hit.key for hit in hits) for hits in beside.values()}) == 1:
        return {exact: beside[versions[-1]]}
    return {version: judge.judge(launch, version) for version in versions}


def _of_unreleased(judge: Judge, launch: Launch, target: Target) -> list[Hit]:
    """The hits at the newest version; of names only what had gone before it, where what runs is no older."""
    *_, before, newest = judge.history.versions
    hits = judge.judge(launch, newest)
    gone: set[object] = set()
    if target.range.first is not None and target.range.first >= newest:
        gone.update(hit.key for hit in judge.judge(launch, before) if hit.rule.check in GONE_CHECKS)
    return [
        hit for hit in hits if hit.rule.check not in NAME_CHECKS or (hit.rule.check in GONE_CHECKS and hit.key in gone)
    ]


def _has_alternative(hit: Hit, launch: Launch, judge: Judge) -> bool:
    """Whether the script chooses between spellings by itself: another arm says the same option another way."""
    setting = hit.match.setting
    if setting is None or not setting.guard or hit.rule.check not in NAME_CHECKS:
        return False
    own = {period.option for period in judge.history.periods(setting.surface, setting.spelling)}
    others = (w for w in launch.argv if exclude(w.guard, setting.guard) and w.text != setting.spelling)
    return any(period.option in own for word in others for period in judge.history.periods("flag", word.text))


def _findings(
    judge: Judge, hits: Iterable[Hit], table: dict[Version, list[Hit]], launch: Launch, target: Target
) -> list[Finding]:
    table = dict(sorted(table.items()))
    said = {version: _said(found) for version, found in table.items()}
    return [_finding(judge, hit, table, said, launch, target) for hit in hits]


def _finding(
    judge: Judge,
    hit: Hit,
    table: Mapping[Version, Sequence[Hit]],
    said: Mapping[Version, Said],
    launch: Launch,
    target: Target,
) -> Finding:
    cells = [(version, _worst(places, hit)) for version, places in said.items()]
    verdicts = _merge(cells)
    certainty: Certainty = "sure"
    message, help_ = _dated(hit, judge, target, len(verdicts) > 1), hit.match.help or hit.rule.help
    if len(verdicts) > 1:
        certainty = "if-version"
        told = _told([(version, _state(found, hit, said[version])) for version, found in table.items()])
        message += f" ({told})" if told else ""
    elif (variable := _unset(hit)) is not None:
        certainty = "if-unset"
        message += f" (if {variable} is unset)"
    severity: Severity = hit.match.severity or hit.rule.severity
    if target.range.exact is not None and any(verdict.severity is None for verdict in verdicts):
        severity = "info"  # the change lies somewhere between the known versions around the target: nobody knows
    return Finding(
        code=hit.rule.code,
        name=hit.rule.name,
        rule=hit.rule.id,
        severity=severity,
        certainty=certainty,
        source=hit.match.anchor.source,
        span=hit.spans[0],
        message=message,
        detail=hit.match.detail,
        why=hit.match.why or hit.rule.why,
        help=help_,
        related=(*hit.spans[1:], *(span for fragment in hit.match.related for span in fragment.locate_all())),
        launch=launch,
        target=target,
        verdicts=verdicts if len(verdicts) > 1 else (),
        fix=_fix(hit, list(said)),
    )


Place = tuple[object, ...]
Said = Mapping[Place, Severity]


def _said(hits: Iterable[Hit]) -> Said:
    """The worst that is said at each place, and by each rule of each setting."""
    worst: dict[Place, Severity] = {}
    for hit in hits:
        severity: Severity = hit.match.severity or hit.rule.severity
        for place in (hit.spans, (hit.rule.id, _name(hit))):
            worst[place] = max(severity, worst.get(place, severity), key=RANK.__getitem__)
    return worst


def _worst(said: Said, like: Hit) -> Severity | None:
    """The worst that is said about the same place, or about the name of the same setting."""
    name = _name(like)
    found = [said[place] for place in (like.spans, name, (like.rule.id, name)) if place in said]
    return max(found, key=RANK.__getitem__, default=None)


def _name(hit: Hit) -> tuple[Span, ...]:
    return hit.match.setting.name.locate_all() if hit.match.setting is not None else hit.spans


def _merge(cells: Sequence[tuple[Version, Severity | None]]) -> tuple[Verdict, ...]:
    merged = []
    for severity, group in groupby(cells, key=lambda cell: cell[1]):
        versions = [version for version, _ in group]
        merged.append(Verdict(VersionRange(versions[0], versions[-1]), severity))
    return tuple(merged)


def _dated(hit: Hit, judge: Judge, target: Target, differs: bool) -> str:
    """The headline; of a known neighbour of the version that was asked for it speaks as of a bound."""
    exact, version = target.range.exact, hit.reading.version
    if exact is None or str(exact) == str(version):
        return hit.match.message
    title = judge.engine.title
    when = f"from {version} on" if exact < version else f"up to {version}"
    said = re.escape(f"{title} {version}") + r"(?![\w.]*\w)"
    return re.sub(said, lambda _: f"{title} {when if differs else exact}", hit.match.message)


State = Literal["error", "warning", "info", "right", "known", "other"]


def _state(hits: Sequence[Hit], like: Hit, said: Said) -> State:
    """What a version makes of the text: what this rule says, or else that it is right.

    known  the name is, and the launch fails for another reason
    other  what is wrong is told elsewhere
    """
    own = [hit for hit in hits if hit.rule.code == like.rule.code and (hit.spans == like.spans or _same(hit, like))]
    if own:
        return max((hit.match.severity or hit.rule.severity for hit in own), key=RANK.__getitem__)
    fails = any((hit.match.severity or hit.rule.severity) == "error" for hit in hits)
    if _worst(said, like) is not None:
        return "other"
    inside = like.match.setting is not None and like.match.setting.member is not None
    return "right" if not fails else "known" if like.rule.check in NAME_CHECKS and not inside else "other"


def _same(one: Hit, other: Hit) -> bool:
    return one.rule.id == other.rule.id and _name(one) == _name(other)


_CLAUSES = 2


def _told(cells: Sequence[tuple[Version, State]]) -> str:
    """E.g. `so from b8992 on; right up to b8946`: of the newest stretches, and nothing of other rules' verdicts."""
    runs = [(state, [version for version, _ in group]) for state, group in groupby(cells, key=lambda cell: cell[1])]
    parts = []
    for place in range(len(runs) - 1, -1, -1):
        state, versions = runs[place]
        first, last = versions[0], versions[-1]
        newest, oldest = place == len(runs) - 1, place == 0
        if state == "right":
            between = f"at {first}" if first == last else f"from {first} to {last}"
            parts.append(
                f"right from {first} on" if newest else f"right up to {last}" if oldest else f"right {between}"
            )
        elif state == "known":
            parts.append(f"known up to {last}")
        elif state != "other":
            parts.append(f"so from {first} on" if newest else f"{state} up to {last}")
    return "; ".join(parts[:_CLAUSES])


def _unset(hit: Hit) -> str | None:
    """The variable whose default the hit rests on."""
    setting = hit.match.setting
    if setting is None:
        return None
    if hit.match.about_value:
        return setting.value.variable if isinstance(setting.value, Default) else None
    name = setting.words[0].value if setting.words else None
    return name.variable if isinstance(name, Default) else None


def _fix(hit: Hit, versions: Sequence[Version]) -> Fix | None:
    planned = hit.match.plan
    if planned is None:
        return None
    safe = planned.same_meaning and all(planned.holds_at(version) for version in versions)
    return Fix(planned.title, "safe" if safe else "unsafe", planned.edits)
