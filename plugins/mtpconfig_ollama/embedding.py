"""The llama.cpp that Ollama starts: which build, and what it finds in its environment.

Ollama runs llama.cpp's server as a child with its own environment, so that `LLAMA_ARG_*` reach it; what Ollama itself
says on the child's command line is not known here.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from mtpconfig.engine import Engine, Reading
from mtpconfig.history import Row, Stretch
from mtpconfig.hooks import engines
from mtpconfig.knowledge import blaming, knowledge_root, load_toml
from mtpconfig.launch import Launch, Target
from mtpconfig.version import PEP440, Version, VersionRange
from mtpconfig_ollama.arguments import INHERITED
from mtpconfig_ollama.models import ENGINE

PROGRAM = "llama-server"


class Child(Struct, frozen=True):
    """The engine whose server is started: its builds over the versions, and the last version that was read."""

    engine: str
    rows: tuple[Row, ...]
    last_read: Version

    def build(self, version: Version) -> str:
        """The build that a version starts; empty where it starts none or where that is not known."""
        if version > self.last_read:
            return ""
        return next((row.value for row in self.rows if row.stretch.holds(version)), "")


@lru_cache(maxsize=1)
def child() -> Child:
    """What embeds.toml says."""
    path = knowledge_root() / ENGINE / "embeds.toml"
    data = load_toml(path)
    with blaming(path):
        embeds = dict(data["embeds"])
        last = PEP440.parse(embeds.pop("last-read"))
        ((engine, rows),) = embeds.items()
        return Child(engine, tuple(Row(row["value"], _stretch(row)) for row in rows), last)


def _stretch(row: dict[str, list[str]]) -> Stretch:
    def ends(pair: list[str]) -> tuple[Version | None, Version | None]:
        low, first = pair
        return (PEP440.parse(low) if low else None, PEP440.parse(first) if first else None)

    return Stretch(ends(row["since"]), ends(row["until"]) if "until" in row else None)


def embedded(launch: Launch, target: Target) -> Launch | None:
    """The start of llama.cpp's server that a start of Ollama's leads to, where it inherits anything that speaks to it.

    With an assumed target it is the newest build that is known; None where no version of the target has a known one.
    """
    given = tuple(entry for entry in launch.given if entry.surface == "env" and entry.name.text.startswith(INHERITED))
    inner = engines().get(child().engine)
    if not given or inner is None or launch.program != "ollama serve":
        return None
    builds = _builds(target, inner)
    if builds is None:
        return None
    first, last = builds
    source = f"the {inner.title} that Ollama {target.range.exact or child().last_read} starts"
    return replace(
        launch,
        argv=(),
        given=given,
        image=None,
        entrypoint=None,
        closed=False,
        why_open="what Ollama says on the command line",
        hints=(),
        engine=inner.id,
        program=PROGRAM,
        args_at=0,
        target=Target(inner.id, VersionRange(first, last), source, target.span),
    )


def _builds(target: Target, inner: Engine) -> tuple[Version, Version] | None:
    wanted = target.range
    if target.assumed:
        newest = inner.scheme.parse(child().rows[-1].value)
        return newest, newest
    if wanted.exact is not None:
        build = child().build(wanted.exact)
        return (inner.scheme.parse(build),) * 2 if build else None
    versions = [version for version in engines()[ENGINE].options().versions if version in wanted]
    builds = [inner.scheme.parse(build) for version in versions if (build := child().build(version))]
    return (min(builds), max(builds)) if builds else None


def inherited(launch: Launch, version: Version) -> Reading | None:
    """What the inner server reads in the environment at a version; None where nothing speaks to it."""
    inner_launch = embedded(launch, Target(ENGINE, VersionRange(version, version), ""))
    if inner_launch is None or inner_launch.target is None or inner_launch.target.range.exact is None:
        return None
    return engines()[inner_launch.engine].read(inner_launch, inner_launch.target.range.exact)
