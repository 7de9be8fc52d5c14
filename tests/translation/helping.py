"""A text in, a translation out."""

from __future__ import annotations

from mtpconfig.hooks import find_engine
from mtpconfig.text import Source
from mtpconfig.translation import Translation, translate
from mtpconfig.version import Version

from ..support import LLAMACPP, linter


def at(target: str) -> tuple[str, Version]:
    """`ENGINE@VERSION` in parts; without a version, the newest known."""
    name, _, number = target.partition("@")
    return name, find_engine(name).scheme.parse(number) if number else find_engine(name).options().newest


def translated(text: str, to: str, target: str = "", name: str = "start.sh") -> Translation:
    """The one launch of a text, translated; `target` is the version that it runs on, alone a build of llama.cpp."""
    if target and "@" not in target:
        target = f"{LLAMACPP}@{target}"
    (report,) = linter(target).lint_source(Source(name, text)).launches
    other, version = at(to)
    return translate(report, find_engine(report.launch.engine), find_engine(other), version)


def argv(text: str, to: str, target: str = "", name: str = "start.sh") -> str:
    """The words of the translation."""
    return " ".join(translated(text, to, target, name).rendering.argv)


def left(text: str, to: str, target: str = "") -> dict[str, str]:
    """What was not translated, with the reasons."""
    return {one.text: one.why for one in translated(text, to, target).left}
