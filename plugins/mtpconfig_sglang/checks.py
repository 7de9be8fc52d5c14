"""Rule conditions that need SGLang's own code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mtpconfig.engine import Check, Reading
from mtpconfig.launch import texts_of
from mtpconfig.match import Match
from mtpconfig_sglang.versions import moving_tag


def unpinned_version(reading: Reading) -> Sequence[Match]:
    """The moving tag of an image that the project publishes, where speculation is asked for (MTP501)."""
    image = reading.launch.image
    if image is None or not texts_of(image.value) or not _speculates(reading):
        return ()
    moving = moving_tag(image.text)
    if moving is None:
        return ()
    tag = image.text[slice(*moving)]
    said = f"the tag `{tag}` moves on" if tag else "without a tag the image moves on"
    return (
        Match(
            anchor=image.fragment,
            part=moving if tag else None,
            message=f"{said} with each release: nobody knows which SGLang will run",
            detail="no release is named",
            help=f"name the release, as in `v{reading.version}`",
        ),
    )


def _speculates(reading: Reading) -> bool:
    """Whether any setting is one of speculative decoding's."""
    return reading.spec.state != "off" or any(option.startswith("speculative-") for option in reading.by_option)


CHECKS: Mapping[str, Check] = {"unpinned-version": unpinned_version}
