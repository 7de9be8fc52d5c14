"""Where people write vLLM's release.

Comments are read narrowly: the engine's name with a release of three numbers, as the one in use. A package pin may be a
range; of it, the first and the last known release inside are told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtpconfig.engine import VersionHint
from mtpconfig.launch import HintKind
from mtpconfig.stated import is_stated
from mtpconfig.version import PEP440, Version, VersionRange

_RELEASE = r"\d+\.\d+\.\d+(?:\.\d+)?(?:\.?post\d+)?(?:\.?(?:rc|a|b)\d+)?(?:\.?dev\d+)?(?:\+[A-Za-z0-9.]+)?"
_IMAGE = re.compile(r"(?:^|/)(?P<owner>[\w.-]+/)?vllm-(?:openai|tpu|\w+-release-repo)(?:-[\w.-]+)?:(?P<tag>[\w.+-]+)")
_ELSEWHERE = frozenset(("lmcache/",))
"""Owners whose images of this name count releases of their own."""

_ROCM = re.compile(r"(?:^|/)rocm/vllm(?:-dev)?:[\w.-]*?vllm_(?P<release>\d+\.\d+\.\d+(?:\.post\d+)?)(?![\d.])")
_TAG = re.compile(rf"v?(?P<release>{_RELEASE})(?=$|[-_@])")
_PUBLISHED = re.compile(r"(?:^|/)vllm/vllm-openai(?:-\w+)?(?::(?P<tag>[\w.-]+))?\Z")
_MOVING = frozenset(("latest", "stable", "main"))
_PIN = re.compile(
    r"""["']?vllm(?:-cpu)?(?:\[[\w,.\s-]*\])?\s*(?:(?P<specifiers>(?:[=~!<>]=?=?\s*[\w.*+!-]+\s*,?\s*)+)|(?P<url>@\s*\S+))""",
    re.IGNORECASE,
)
_WHEEL = re.compile(rf"vllm(?:_cpu)?-(?P<release>{_RELEASE})-")
_PATH = re.compile(r"[^/\\]+")
_IN_PATH = re.compile(rf"vllm(?:[-_=]|-cpu[-_])*v?(?P<release>{_RELEASE})(?![\w.]*\.(?:py|sh)$)", re.IGNORECASE)
_COMMENT = re.compile(
    rf"(?<![\w./-])vllm(?:[ \t]*(?:==|[:@])[ \t]*|[ \t]+(?:version|release|image|tag)?[ \t:]*|[ \t]*\()"
    rf"v?(?P<release>{_RELEASE})(?!\w)",
    re.IGNORECASE,
)
_NIGHTLY = re.compile(r"\bvllm\b[^\n]{0,40}\bnightly\b|wheels\.vllm\.ai/nightly", re.IGNORECASE)


def find(kind: HintKind, text: str, known: Sequence[Version]) -> VersionHint | None:
    """The release that a text names as the one in use; None when it names none, several, or only a bound."""
    match kind:
        case "image":
            return _in_image(text, known)
        case "pin":
            return _in_pin(text, known)
        case "path":
            return _in_path(text)
        case _:
            return _in_comment(text[:400])


def _in_image(text: str, known: Sequence[Version]) -> VersionHint | None:
    """A tag of the project's images: a release, or a build of its own that no release is just like.

    What the project publishes as plain `nightly` is built of the newest sources, and so no older than any release; one
    that is frozen, by a commit behind the tag or by a digest, was so on its day.
    """
    if (rocm := _ROCM.search(text)) is not None:
        return _exact(rocm, 0)
    image = _IMAGE.search(text)
    if image is None or image["owner"] in _ELSEWHERE or image["tag"] in _MOVING:
        return None
    tag = _TAG.match(image["tag"])
    if tag is None:
        moving = image["tag"] == "nightly" and _PUBLISHED.search(text) is not None
        newest = VersionRange(known[-1], None) if moving and known else VersionRange()
        return VersionHint(newest, *image.span("tag"), released=False)
    return _exact(tag, image.start("tag"))


def moving_tag(image: str) -> tuple[int, int] | None:
    """Where the tag stands in the name of a published image, if it moves from release to release; empty if it has none.

    None for a pinned image (by release or by digest) and for one that somebody else built.
    """
    match = _PUBLISHED.search(image)
    if match is None:
        return None
    if match["tag"] is None:
        return len(image), len(image)
    moving = match["tag"] in _MOVING or match["tag"] == "nightly" or match["tag"].startswith("latest-")
    return match.span("tag") if moving else None


def _in_pin(text: str, known: Sequence[Version]) -> VersionHint | None:
    pin = _PIN.match(text)
    if pin is None:
        return None
    if pin["url"] is not None:
        wheel = _WHEEL.search(pin["url"])
        return _exact(wheel, pin.start("url")) if wheel else VersionHint(VersionRange(), *pin.span("url"), False)
    said = pin["specifiers"].strip().rstrip("\"'").rstrip(",")
    start = pin.start("specifiers")
    if (exact := re.fullmatch(rf"===?\s*(?P<release>{_RELEASE})", said)) is not None:
        return _exact(exact, start)
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        wanted = SpecifierSet(said)
    except InvalidSpecifier:
        return None
    inside = [version for version in known if wanted.contains(version.key, prereleases=True)]
    if not inside:
        return None
    first = inside[0] if inside[0] != known[0] else None
    last = inside[-1] if inside[-1] != known[-1] else None
    return VersionHint(VersionRange(first, last), start, start + len(said)) if first or last else None


def _in_path(text: str) -> VersionHint | None:
    for component in _PATH.finditer(text):
        if (found := _IN_PATH.search(component[0])) is not None:
            return _exact(found, component.start())
    return None


def _in_comment(text: str) -> VersionHint | None:
    found = [match for match in _COMMENT.finditer(text) if is_stated(text, *match.span(), "vllm")]
    if len({match["release"] for match in found}) == 1:
        return _exact(found[0], 0)
    nightly = _NIGHTLY.search(text) if not found else None
    return VersionHint(VersionRange(), *nightly.span(), released=False) if nightly is not None else None


def _exact(match: re.Match[str], shift: int) -> VersionHint:
    version = PEP440.parse(match["release"])
    start, end = match.span("release")
    released = not (version.key.is_devrelease or version.key.is_prerelease)
    span = VersionRange(version, version) if released else VersionRange()
    return VersionHint(span, start + shift, end + shift, released)
