"""A launch of one engine as another, or another version, says it: read, rendered, and taken along.

Nothing is lost silently. What the spec says is rendered; a setting beside it is taken along where it surely means the
same; everything else is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.engine import Engine, Reading, Rendering
from mtpconfig.errors import CannotRender
from mtpconfig.launch import Launch, Word
from mtpconfig.lint.findings import LaunchReport
from mtpconfig.rendering import render
from mtpconfig.spec import MTPSpec
from mtpconfig.translation.carrying import carry
from mtpconfig.translation.left import Left
from mtpconfig.translation.notes import notes_on
from mtpconfig.translation.same_engine import conflicting
from mtpconfig.translation.specs import for_another_engine, for_another_version
from mtpconfig.translation.told import Told, reread, what_is_told
from mtpconfig.translation.variables import live_words, unknown_words
from mtpconfig.version import Version

__all__ = ["Left", "Translation", "translate"]


class Translation(Struct, frozen=True, eq=False):
    """A launch as the other side says it.

    spec       what was read of it and is asked for there
    rendering  the launch, with what was taken along
    left       what is said and was not translated
    notes      what a reader should know besides, a sentence each
    unknown    texts that are not known, and stand in the rendering as they are written
    """

    report: LaunchReport
    spec: MTPSpec
    rendering: Rendering
    left: tuple[Left, ...] = ()
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether all that the launch says is said by the translation."""
        return not self.left and not self.rendering.dropped


def translate(report: LaunchReport, source: Engine, target: Engine, version: Version) -> Translation:
    """Translate a launch of `source`, as its own version reads it, for a version of `target`.

    Raises CannotRender with one sentence where it cannot be told what to say, or where the target has no way to say it.
    """
    assert report.version is not None
    reading = source.read(report.launch, report.version)
    _refuse(report, reading)
    told = what_is_told(reading, report.spec, source)
    left: Sequence[Left] = ()
    if source.id != target.id:
        spec, told, left = for_another_engine(report.spec, told, source, target)
    else:
        spec = for_another_version(report.spec, told)
    rendering, remaining = _rendered(spec, told, reading, source, target, version)
    words = _words_of(reading.launch)
    rendering = replace(rendering, live=live_words(rendering.argv, words))
    unknown = unknown_words(rendering.argv, words, rendering.live)
    notes = notes_on(report, reading, told, source, target, unknown)
    left = (*left, *remaining, *_read_otherwise(spec, rendering, target))
    return Translation(report, spec, rendering, left, notes, tuple(unknown))


def _refuse(report: LaunchReport, reading: Reading) -> None:
    """Raise CannotRender where it is not known what a launch asks for: nothing may be made up."""
    spec = report.spec
    if spec.state == "unknown":
        if report.why_open:
            raise CannotRender(
                f"it is not known whether this launch speculates: `{report.why_open}` may add words that cannot be seen"
            )
        raise CannotRender("it is not known from this text whether this launch speculates")
    if spec.state == "auto":
        why = reading.why.get("state", "")
        raise CannotRender(f"the engine itself decides whether it speculates{': ' + why if why else ''}")
    if spec.state == "on" and not spec.methods:
        why = reading.why.get("methods", "")
        raise CannotRender(f"it is not known from this text how it drafts{': ' + why if why else ''}")


def _rendered(
    spec: MTPSpec, told: Told, reading: Reading, source: Engine, target: Engine, version: Version
) -> tuple[Rendering, Sequence[Left]]:
    """The spec as the target says it, with what is taken along."""
    if source.id == target.id and conflicting(told, source.options()):
        found = _word_for_word(spec, told, reading, source, version)
        if found is not None:
            return found
    rendering = render(target, spec, version)
    carried = carry(told, reading, source, target, rendering)
    return replace(rendering, argv=carried.argv), carried.left


def _word_for_word(
    spec: MTPSpec, told: Told, reading: Reading, engine: Engine, version: Version
) -> tuple[Rendering, Sequence[Left]] | None:
    """A launch whose drafts are more than a spec holds, setting by setting; None where that says something else."""
    history = engine.options()
    drafting = [one for one in told.told if history.options[one[1]].speculative]
    beside = sorted((*told.untold, *drafting), key=lambda one: one[0].order)
    other = replace(told, told=[one for one in told.told if one not in drafting], untold=beside)
    rendering = engine.render(MTPSpec(state="off", model=spec.model, temperature=spec.temperature), version)
    carried = carry(other, reading, engine, engine, rendering)
    rendering = replace(rendering, argv=carried.argv, kept=frozenset(spec.to_dict()), notes=())
    there = reread(rendering, engine)
    said = frozenset(spec.to_dict())
    same = there is not None and there.spec.restricted_to(said) == spec
    return (rendering, carried.left) if same else None


def _read_otherwise(spec: MTPSpec, rendering: Rendering, target: Engine) -> Iterable[Left]:
    """The fields that the target reads otherwise, once all that was taken along stands there too."""
    there = reread(rendering, target)
    for name in ("state", "methods", "gamma", "temperature") if there is not None else ():
        wanted, found = getattr(spec, name), getattr(there.spec if there is not None else spec, name)
        if wanted not in (None, ()) and wanted != found and name in rendering.kept:
            words = [" + ".join(value) if isinstance(value, tuple) else str(value) for value in (wanted, found)]
            yield Left(f"{name} {words[0]}", f"{target.title} {rendering.version} reads {words[1]} in what is written")


def _words_of(launch: Launch) -> Sequence[Word]:
    given: Iterable[Word | None] = (given.value for given in launch.given)
    return (*launch.argv, *(word for word in given if word is not None))
