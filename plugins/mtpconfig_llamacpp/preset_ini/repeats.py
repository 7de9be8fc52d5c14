"""Keys that a section says twice (MTP206)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtpconfig.engine import Reading
from mtpconfig.launch import Setting
from mtpconfig.match import FixPlan, Match, plan
from mtpconfig_llamacpp.arguments import KEYED, shared

_LIST = "spec-type"


def repeated(reading: Reading) -> Sequence[Match]:
    """Speculative keys that replace an earlier one of the same section with another value."""
    return tuple(_repeated(reading))


def _repeated(reading: Reading) -> Iterator[Match]:
    said: dict[tuple[bool, str], Setting] = {}
    for setting in reading.settings:
        if setting.surface not in KEYED or setting.given is None or not (setting.option or "").startswith("spec-"):
            continue
        key = (shared(setting.given), setting.spelling)
        before = said.get(key)
        said[key] = setting
        if before is None or before.text == setting.text:
            continue
        joined = f"{setting.text},{before.text}" if setting.option == _LIST else ""
        yield Match(
            anchor=setting.name,
            message=f"`{setting.spelling}` is said again: `{setting.text}` replaces `{before.text}` in this section",
            setting=setting,
            detail=f"`{before.text}` has no effect",
            help=f"write one list: {setting.spelling} = {joined}" if joined else "keep the one that is meant",
            related=(before.name,),
            plan=_join(reading, before, setting, joined) if joined else None,
        )


def _join(reading: Reading, before: Setting, setting: Setting, joined: str) -> FixPlan | None:
    container = reading.launch.container
    if container is None or before.given is None or setting.value_fragment is None:
        return None
    value = setting.value_fragment
    removed = container.remove_given(before.given) or (None,)
    return plan(
        f"write `{joined}` once",
        value.replace(0, len(value.text), joined),
        *removed,
        same_meaning=False,
        holds_at=lambda version: True,
    )
