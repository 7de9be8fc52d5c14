"""The model check: does this version draft with the head of the model that is served?"""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.engine import Engine, Reading
from mtpconfig.history import OptionHistory
from mtpconfig.launch import Setting
from mtpconfig.lint.values import Diagnosis
from mtpconfig.lint.wording import coming
from mtpconfig.match import Match
from mtpconfig.models import family_of


def diagnose(reading: Reading, engine: Engine, history: OptionHistory) -> Iterator[Diagnosis]:
    """A head that is asked to draft before the engine can, as (check, match).

    Only where no drafter is given: with one, its own family is what matters.
    """
    spec = reading.spec
    asking = _asking(reading, history)
    if asking is None or spec.state != "on" or spec.methods != ("mtp",) or spec.drafter is not None or not spec.model:
        return
    family = family_of(spec.model)
    stretch = engine.models().get(family.id) if family is not None else None
    if family is None or stretch is None or stretch.holds(reading.version) is not False:
        return
    yield (
        "model-support",
        Match(
            anchor=asking.name,
            message=f"{engine.title} {reading.version} cannot draft with the MTP head of {family.title}",
            setting=asking,
            detail=coming(*stretch.since),
        ),
    )


def _asking(reading: Reading, history: OptionHistory) -> Setting | None:
    """The setting that asks for the method, else for the length of its drafts."""
    options = [
        option.id for field in ("methods", "gamma") for option in history.speculative if option.spec_field == field
    ]
    return next((s for id_ in options for s in reversed(reading.by_option.get(id_, ()))), None)
