"""The engine object: what mtpconfig asks of an engine, in the words of the modules beside this one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files

from mtpconfig.engine import Check, Identity, Reading, Rendering, VersionHint
from mtpconfig.files import Files
from mtpconfig.history import OptionHistory, Stretch
from mtpconfig.knowledge import load_history
from mtpconfig.launch import HintKind, Launch, Setting
from mtpconfig.models import load_support
from mtpconfig.spec import MTPSpec
from mtpconfig.version import PEP440, Scheme, Version
from mtpconfig_lmdeploy import arguments, programs, reading, rendering, versions


class LMDeploy:
    """LMDeploy: `lmdeploy serve api_server`, numbered by release."""

    id: str = "lmdeploy"
    title: str = "LMDeploy"
    scheme: Scheme = PEP440
    words: tuple[str, ...] = ("lmdeploy", "LMDeploy")

    @cached_property
    def _history(self) -> OptionHistory:
        return load_history(self.id, files("mtpconfig_lmdeploy") / "knowledge")

    @cached_property
    def _models(self) -> Mapping[str, Stretch]:
        return load_support(self.id, self.scheme, files("mtpconfig_lmdeploy") / "knowledge")

    def options(self) -> OptionHistory:
        """All options of the server from 0.10.2 on."""
        return self._history

    def identify(self, launch: Launch) -> Identity | None:
        """`lmdeploy serve api_server`."""
        return programs.identify(launch)

    def with_files(self, launch: Launch, files: Files) -> Launch:
        """No option names a file with further options."""
        return launch

    def version_in(self, kind: HintKind, text: str) -> VersionHint | None:
        """The release that an image tag, a package pin or a comment names."""
        return versions.find(kind, text)

    def lookup(self, surface: str, spelling: str) -> str:
        """Flags without a value behind `=`, and with `_` read as `-`."""
        return arguments.normal(spelling) if surface == "flag" else spelling

    def numeral(self, text: str, kind: str, setting: Setting) -> float | None:
        """Numbers as Python's `int` and `float` read them."""
        return arguments.numeral(text, kind)

    def program_at(self, program: str, version: Version) -> str:
        """There is one program."""
        return program

    def read(self, launch: Launch, version: Version) -> Reading:
        """The launch as release `version` parses it."""
        return reading.read(launch, self._history, version)

    def render(self, spec: MTPSpec, version: Version) -> Rendering:
        """`lmdeploy serve api_server` words for release `version`."""
        return rendering.render(spec, self._history, self._models, version)

    def checks(self) -> Mapping[str, Check]:
        """No rule of this package needs code."""
        return {}

    def models(self) -> Mapping[str, Stretch]:
        """The families whose heads LMDeploy drafts with."""
        return self._models

    def probe(self) -> None:
        """Its servers are not asked."""
        return None
