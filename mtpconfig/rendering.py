"""A spec as one version of an engine spells it, or a refusal where that version knows nothing of the model's head."""

from __future__ import annotations

from msgspec.structs import replace

from mtpconfig.engine import Engine, Rendering
from mtpconfig.models import family_of
from mtpconfig.spec import MTPSpec
from mtpconfig.version import Version


def render(engine: Engine, spec: MTPSpec, version: Version) -> Rendering:
    """Spell a spec for a version; what it cannot say is in `dropped`, with the reason.

    Raises CannotRender when the spec lacks what its method needs.
    """
    reason = _unsupported(engine, spec, version)
    if not reason:
        return engine.render(spec, version)
    asked = {name: reason for name in ("state", "methods", "gamma", "p_min") if getattr(spec, name) not in (None, ())}
    plain = engine.render(replace(spec, state="off", methods=(), gamma=None, p_min=None), version)
    return replace(plain, kept=plain.kept - {"state"}, dropped={**plain.dropped, **asked}, notes=())


def _unsupported(engine: Engine, spec: MTPSpec, version: Version) -> str:
    """Why the version cannot draft with the head of the spec's model; empty where it can, or where nobody knows."""
    if spec.state != "on" or spec.methods not in ((), ("mtp",)) or spec.drafter is not None or spec.model is None:
        return ""
    family = family_of(spec.model)
    stretch = engine.models().get(family.id) if family is not None else None
    if family is None or stretch is None or stretch.holds(version) is not False:
        return ""
    first = stretch.since[1]
    since = f" (first in {first})" if first is not None and version < first else ""
    return f"{engine.title} {version} cannot draft with the MTP head of {family.title}{since}"
