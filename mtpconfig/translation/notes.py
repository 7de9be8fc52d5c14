"""What a reader of a translation should know besides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtpconfig.counterparts import shared_settings
from mtpconfig.engine import Engine, Reading
from mtpconfig.launch import Default
from mtpconfig.lint.findings import LaunchReport
from mtpconfig.translation.told import Told


def notes_on(
    report: LaunchReport, reading: Reading, told: Told, source: Engine, target: Engine, unknown: Sequence[str]
) -> tuple[str, ...]:
    """A sentence for each thing that a translation takes for granted or leaves where it is."""
    return (
        *_what_was_read(report, reading, told),
        *(f"`{text}` is not known here, and stands as it is written: fill it in" for text in unknown),
        *_what_stays(report, reading),
        *_other_defaults(reading, source, target),
    )


def _what_was_read(report: LaunchReport, reading: Reading, told: Told) -> Iterator[str]:
    target = report.target
    if target is not None and target.assumed:
        yield f"nothing says which version it runs on: read as {report.version} (say it with --target)"
    elif report.outside:
        yield f"no known version is just like the one it runs on: read as {report.version}"
    if report.why_open:
        yield f"`{report.why_open}` may add words that cannot be seen here, and are not translated"
    if told.again is not None and told.again.program != reading.program:
        yield f"it is started by `{reading.program}`, and a server is what is written here"
    for setting, _ in (*told.told, *told.untold):
        if isinstance(setting.value, Default):
            yield f"{setting.spelling} {setting.value.text} holds unless {setting.value.variable} is set"
    if "gamma" in reading.why and report.spec.gamma is not None:
        yield f"nothing says gamma: {report.spec.gamma} is {reading.why['gamma']}"


def _what_stays(report: LaunchReport, reading: Reading) -> Iterator[str]:
    launch = report.launch
    if launch.image is not None:
        yield f"the container (image {launch.image.text}) stays as it is: these are the words for the program in it"
    said = {id(setting.given) for setting in reading.settings if setting.given is not None}
    names = dict.fromkeys(given.name.text for given in launch.given if given.surface == "env" and id(given) not in said)
    if names:
        yield f"variables that stay where they are: {', '.join(names)}"


def _other_defaults(reading: Reading, source: Engine, target: Engine) -> Iterator[str]:
    """Where both sides say nothing of a setting and do not do the same."""
    if source.id == target.id or not reading.closed:
        return
    ours, theirs = (engine.options().counterparts.settings for engine in (source, target))
    for name, shared in shared_settings().items():
        one, other = ours.get(name), theirs.get(name)
        if one is None or other is None or not one.default or not other.default or one.default == other.default:
            continue
        if one.option not in reading.by_option:
            yield f"nothing says {shared.title}: {one.default} by default here, {other.default} for {target.title}"
