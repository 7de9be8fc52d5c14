"""Where people write SGLang's release.

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

_RELEASE = r"\d+\.\d+\.\d+(?:\.?post\d+)?(?:\.?rc\d+)?(?:\.?dev\d+)?(?:\+[A-Za-z0-9.]+)?"
_IMAGE = re.compile(r"(?:^|/)sglang(?:-(?!kt|jax|router)[\w.-]+)?:(?P<tag>[\w.+-]+)")
_ROCM = re.compile(r"(?:^|/)rocm/(?:sgl-dev|sglang)[\w.-]*:(?P<tag>[\w.+-]+)")
_TAG = re.compile(rf"v?(?P<release>{_RELEASE})(?=$|[-_@])")
_PUBLISHED = re.compile(r"(?:^|/)lmsysorg/sglang(?::(?P<tag>[\w.-]+))?\Z")
_MOVING = re.compile(r"latest(?:-[\w.]+)*|(?:nightly|dev)(?:-(?!20\d\d)(?![0-9a-f]{7,40}(?:$|-))[\w.]+)*")
_PIN = re.compile(
    r"""["']?sglang(?:\[[\w,.\s-]*\])?\s*(?:(?P<specifiers>(?:[=~!<>]=?=?\s*[\w.*+!-]+\s*,?\s*)+)|(?P<url>@\s*\S+))""",
    re.IGNORECASE,
)
_WHEEL = re.compile(rf"sglang-(?P<release>{_RELEASE})-")
_TAGGED = re.compile(rf"sglang(?:\.git)?@v(?P<release>{_RELEASE})(?![\w.])")
_PATH = re.compile(r"[^/\\]+")
_IN_PATH = re.compile(rf"sglang(?:[-_=]|venv)*v?(?P<release>{_RELEASE})(?![\w.]*\.(?:py|sh)$)", re.IGNORECASE)
_COMMENT = re.compile(
    r"(?<![\w./-])sglang(?:\[[\w,]+\])?"
    r"(?:[ \t]*(?:==|[:@])[ \t]*|[ \t]+(?:version|release|image|tag)?[ \t:]*|[ \t]*\()"
    rf"v?(?P<release>{_RELEASE})(?!\w)",
    re.IGNORECASE,
)
_NIGHTLY = re.compile(r"\bsglang\b[^\n]{0,40}\bnightly\b", re.IGNORECASE)


def find(kind: HintKind, text: str, known: Sequence[Version]) -> VersionHint | None:
    """The release that a text names as the one in use; None when it names none, several, or only a bound."""
    match kind:
        case "image":
            return _in_image(text, known)
        case "pin":
            return _in_pin(text, known)
        case "path":
            return _in_path(text, known)
        case _:
            return _in_comment(text[:400], known)


def _in_image(text: str, known: Sequence[Version]) -> VersionHint | None:
    """A tag of the project's images: a release, or a build of its own that no release is just like."""
    image = _IMAGE.search(text) or _ROCM.search(text)
    if image is None or _MOVING.fullmatch(image["tag"]):
        return None
    tag = _TAG.match(image["tag"])
    if tag is None:
        return VersionHint(VersionRange(), *image.span("tag"), released=False)
    return _exact(tag, image.start("tag"), known)


def moving_tag(image: str) -> tuple[int, int] | None:
    """Where the tag stands in the name of a published image, if it moves from release to release; empty if it has none.

    None for a pinned image (by release or by digest) and for one that somebody else built.
    """
    match = _PUBLISHED.search(image)
    if match is None:
        return None
    if match["tag"] is None:
        return len(image), len(image)
    return match.span("tag") if _MOVING.fullmatch(match["tag"]) else None


def _in_pin(text: str, known: Sequence[Version]) -> VersionHint | None:
    pin = _PIN.match(text)
    if pin is None:
        return None
    if pin["url"] is not None:
        named = _WHEEL.search(pin["url"]) or _TAGGED.search(pin["url"])
        return _exact(named, pin.start("url"), known) if named else VersionHint(VersionRange(), *pin.span("url"), False)
    said = pin["specifiers"].strip().rstrip("\"'").rstrip(",")
    start = pin.start("specifiers")
    if (exact := re.fullmatch(rf"===?\s*(?P<release>{_RELEASE})", said)) is not None:
        return _exact(exact, start, known)
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


def _in_path(text: str, known: Sequence[Version]) -> VersionHint | None:
    for component in _PATH.finditer(text):
        if (found := _IN_PATH.search(component[0])) is not None:
            return _exact(found, component.start(), known)
    return None


def _in_comment(text: str, known: Sequence[Version]) -> VersionHint | None:
    found = [match for match in _COMMENT.finditer(text) if is_stated(text, *match.span(), "sglang")]
    if len({match["release"] for match in found}) == 1:
        return _exact(found[0], 0, known)
    nightly = _NIGHTLY.search(text) if not found else None
    return VersionHint(VersionRange(), *nightly.span(), released=False) if nightly is not None else None


def _exact(match: re.Match[str], shift: int, known: Sequence[Version]) -> VersionHint:
    """A release by its number; release candidates are known, other builds before a release are like none."""
    version = PEP440.parse(match["release"])
    start, end = match.span("release")
    released = version in known or not (version.key.is_devrelease or version.key.is_prerelease)
    span = VersionRange(version, version) if released else VersionRange()
    return VersionHint(span, start + shift, end + shift, released)
