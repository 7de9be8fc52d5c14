"""Rule conditions that need llama.cpp's own code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mtpconfig.engine import Check, Reading
from mtpconfig.launch import texts_of
from mtpconfig.match import Match
from mtpconfig_llamacpp.preset_ini.repeats import repeated

_PUBLISHED = re.compile(r"(?:^|/)(?:ggml-org|ggerganov)/llama\.cpp(?::(?P<tag>[\w.-]+))?\Z")
_MOVING = re.compile(r"(?:latest|main|master|nightly|(?:server|full|light)(?:-(?!b\d)[\w.]+)*)")


def unpinned_version(reading: Reading) -> Sequence[Match]:
    """The moving tag of an image that the project publishes, where speculation is asked for (MTP501)."""
    image = reading.launch.image
    if image is None or not texts_of(image.value) or not _speculates(reading):
        return ()
    moving = moving_tag(image.text)
    if moving is None:
        return ()
    tag = image.text[slice(*moving)]
    said = f"the tag `{tag}` moves on with each build" if tag else "without a tag the image moves on with each build"
    return (
        Match(
            anchor=image.fragment,
            part=moving if tag else None,
            message=f"{said}: nobody knows which llama.cpp will run",
            detail="no build is named",
            help=f"name the build, as in `{tag or 'server'}-{reading.version}`",
        ),
    )


def moving_tag(image: str) -> tuple[int, int] | None:
    """Where the tag stands in the name of a published image, if it moves from build to build; empty if it has none.

    None for a pinned image (by build or by digest) and for one that somebody else built.
    """
    match = _PUBLISHED.search(image)
    if match is None:
        return None
    if match["tag"] is None:
        return len(image), len(image)
    return match.span("tag") if _MOVING.fullmatch(match["tag"]) else None


def _speculates(reading: Reading) -> bool:
    """Whether any setting is one of speculative decoding's."""
    return reading.spec.state != "off" or any(option.startswith("spec-") for option in reading.by_option)


def none_does_not_switch_off(reading: Reading) -> Sequence[Match]:
    """A last `none` beside types that stay in force: types add up (MTP206)."""
    types = reading.by_option.get("spec-type", ())
    if len(types) < 2 or types[-1].text != "none" or reading.spec.state != "on":
        return ()
    *others, none = types
    on = next((each for each in reversed(others) if each.text not in (None, "none")), None)
    if on is None:
        return ()
    return (
        Match(
            anchor=none.name,
            message=f"llama.cpp {reading.version} drafts in spite of `{none.spelling} none`: types add up, and "
            f"`{on.spelling}` gives `{on.text}`",
            setting=none,
            detail="does not switch off",
            related=(on.name,),
        ),
    )


CHECKS: Mapping[str, Check] = {
    "none-does-not-switch-off": none_does_not_switch_off,
    "repeated-option": repeated,
    "unpinned-version": unpinned_version,
}
