"""Rules and options told in words (Markdown); the same text serves `explain` and the docs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mtpconfig.engine import Engine
from mtpconfig.history import Period, Row, Stretch
from mtpconfig.lint.rule import Rule


def explain_code(code: str, entry: Mapping[str, str], rules: Sequence[Rule]) -> str:
    """A code's page: its question, and each of its rules with examples and evidence."""
    lines = [f"# {code} {entry['name']}", "", entry["question"], ""]
    for rule in rules:
        scope = rule.engine or "all engines"
        lines += [f"## {rule.summary}", "", f"{rule.severity}, {scope}{_windows(rule.stretches)}", "", rule.what, ""]
        lines += [f"**Why it matters.** {rule.why}", "", f"**What to do.** {rule.help}", ""]
        for example in rule.examples:
            head = "Reported" if example.bad else "Right"
            target = f" on {example.target}" if example.target else ""
            lines += [f"{head}{target}:", "", "```sh", example.text.rstrip(), "```", ""]
            if example.fixed is not None:
                lines += ["Fixed:", "", "```sh", example.fixed.rstrip(), "```", ""]
        lines += ["Evidence:", *(f"- {item}" for item in rule.evidence), ""]
    return "\n".join(lines).rstrip()


def _windows(stretches: Sequence[Stretch]) -> str:
    told = [_stretch(stretch) for stretch in stretches if stretch.since[1] is not None or stretch.until is not None]
    return f", {'; '.join(told)}" if told else ""


def _stretch(stretch: Stretch) -> str:
    low, first = stretch.since
    parts = []
    if first is not None:
        parts.append(f"from {first} on" if low is None else f"from {first} on (not in {low})")
    if stretch.until is not None:
        last, after = stretch.until
        parts.append(f"up to {last} (no more in {after})" if after is not None else f"up to {last}")
    return ", ".join(parts) or "in all versions"


def explain_option(engine: Engine, name: str) -> str | None:
    """The history of the option that a spelling names; None when the engine has never known it."""
    history = engine.options()
    spelling = next(
        (s for s in (name, engine.lookup("flag", name)) for k in history.surfaces if history.periods(k, s)),
        name,
    )
    periods = [p for surface in history.surfaces for p in history.periods(surface, spelling)]
    if not periods:
        return None
    option = history.options[periods[0].option]
    lines = [
        f"# {spelling} ({engine.title})",
        "",
        f"Option `{option.id}`. Known versions: {history.oldest} to {history.newest}.",
        "",
    ]
    lines += _periods(option.periods)
    if option.default:
        lines += ["", "Default:", *_rows(option.default)]
    if len(option.merge) > 1 or option.merge[0].value != "last":
        lines += ["", "Given twice:", *_rows(option.merge)]
    if option.values:
        lines += ["", "Values:"]
        lines += [
            f"- `{c.text}`: {_stretch(c.stretch)}{'' if c.status == 'active' else f' ({c.status})'}"
            for c in option.values
        ]
    if option.evidence:
        lines += ["", f"Evidence: {option.evidence}"]
    return "\n".join(lines)


def _periods(periods: Sequence[Period]) -> Iterator[str]:
    by_spelling: dict[tuple[str, str], list[Period]] = {}
    for period in periods:
        by_spelling.setdefault((period.surface, period.spelling), []).append(period)
    for (surface, spelling), found in by_spelling.items():
        yield f"- `{spelling}` ({surface})"
        apart = len({period.type for period in found}) > 1
        for period in found:
            programs = "" if "*" in period.programs else f" [{', '.join(sorted(period.programs))}]"
            value = f", its value read as {period.type}" if apart else ""
            excluded = f" [not {', '.join(sorted(period.excludes))}]" if period.excludes else ""
            yield f"  - {period.status}, {_stretch(period.stretch)}{value}{programs}{excluded}"
            if period.message:
                yield f"    - it says: {period.message}"
            for new in period.replace:
                condition = f" (if {new.when})" if new.when else ""
                yield (
                    f"    - now `{new.spelling}`{condition}"
                    if new.spelling
                    else f"    - remove it{condition}: {new.why}"
                )


def _rows(rows: Sequence[Row]) -> list[str]:
    return [f"- {row.value}: {_stretch(row.stretch)}" for row in rows]
