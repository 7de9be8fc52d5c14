"""The spec that the other side is asked for: what a launch says, less what it does not mean there."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from mtpconfig.counterparts import weights_of, weights_taken
from mtpconfig.engine import Engine
from mtpconfig.spec import MTPSpec
from mtpconfig.translation.left import Left
from mtpconfig.translation.told import Told

PLACES = {"model": "<MODEL>", "drafter": "<DRAFTER>"}
"""What stands where a name cannot be taken along, by the spec's field."""


def for_another_engine(
    spec: MTPSpec, told: Told, source: Engine, target: Engine
) -> tuple[MTPSpec, Told, Sequence[Left]]:
    """The spec with placeholders for models that the other engine does not load under their names."""
    named, left = _with_places(spec, told, source, target)
    chain, rest, about_gamma = _as_a_chain(named, told, source)
    return chain, rest, (*left, *about_gamma)


def for_another_version(spec: MTPSpec, told: Told) -> MTPSpec:
    """The spec without models that an option of its own says (an address): that one is taken along as it is."""
    for name in PLACES:
        model = getattr(spec, name)
        if model is not None and any(model in setting.texts for setting, option in told.untold if option is not None):
            spec = replace(spec, **{name: None})
    return spec


def _with_places(spec: MTPSpec, told: Told, source: Engine, target: Engine) -> tuple[MTPSpec, Sequence[Left]]:
    left: list[Left] = []
    for name, place in PLACES.items():
        model: str | None = getattr(spec, name)
        if model is None:
            continue
        ours, theirs = weights_of(model, source.options()), weights_taken(target.options())
        if any(model in setting.texts for setting, _ in told.untold):
            why = f"{target.title} takes no such address for its {name}: put a name in the place of {place}"
        elif ours is not None and theirs is not None and ours != theirs:
            why = f"it names {ours.title}, and {target.title} takes {theirs.title}: put that in the place of {place}"
        else:
            continue
        left.append(Left(f"{name} {model}", why))
        spec = replace(spec, **{name: place})
    return spec, left


def _as_a_chain(spec: MTPSpec, told: Told, source: Engine) -> tuple[MTPSpec, Told, Sequence[Left]]:
    """A tree of drafts has more tokens than it is deep: the depth is what another engine is asked for."""
    options = source.options().options
    for setting, option in told.untold:
        text = setting.text or ""
        if option is None or setting.guard or options[option].spec_field != "gamma" or not text.isdecimal():
            continue
        depth = int(text)
        if spec.gamma is not None and 1 <= depth < spec.gamma:
            left = Left(f"a tree of {spec.gamma} draft tokens", f"a chain as deep as it is, of {depth}, stands instead")
            rest = [one for one in told.untold if one[0] is not setting]
            return replace(spec, gamma=depth), replace(told, untold=rest), (left,)
    return spec, told, ()
