"""The engine object: a thin face over this package's modules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from mtpconfig.engine import Check, Identity, Reading, Rendering, VersionHint
from mtpconfig.files import Files
from mtpconfig.history import OptionHistory, Stretch
from mtpconfig.knowledge import load_history
from mtpconfig.launch import HintKind, Launch, Setting
from mtpconfig.models import load_support
from mtpconfig.spec import MTPSpec
from mtpconfig.version import PEP440, Scheme, Version
from mtpconfig_sglang import numerals, programs, reading, rendering, versions

if TYPE_CHECKING:
    from mtpconfig.evidence import Probe


class SGLang:
    """SGLang: `sglang serve`, `python -m sglang.launch_server` and `sglang.Engine(...)`; numbered by release."""

    id: str = "sglang"
    title: str = "SGLang"
    scheme: Scheme = PEP440
    words: tuple[str, ...] = ("sglang", "SGLANG", "SGLang", "speculative", "mem-fraction-static")

    @cached_property
    def _history(self) -> OptionHistory:
        return load_history(self.id)

    def options(self) -> OptionHistory:
        """All options from 0.4.1 on."""
        return self._history

    def identify(self, launch: Launch) -> Identity | None:
        """The SGLang program that a launch starts, or the fork that it belongs to."""
        return programs.identify(launch)

    def with_files(self, launch: Launch, files: Files) -> Launch:
        """The launch with the options of the YAML file that `--config` names."""
        from mtpconfig.carriers.yaml_.config import with_config  # YAML is read where a launch names some

        return with_config(launch, files)

    def version_in(self, kind: HintKind, text: str) -> VersionHint | None:
        """The release that an image tag, a package pin, a path or a comment names."""
        return versions.find(kind, text, self._history.versions)

    def lookup(self, surface: str, spelling: str) -> str:
        """A flag without a value behind `=`; other surfaces as they are."""
        return spelling.partition("=")[0] if surface == "flag" else spelling

    def numeral(self, text: str, kind: str, setting: Setting) -> float | None:
        """Numbers as Python's `int` and `float` read them, on every surface."""
        return numerals.numeral(text, kind)

    def program_at(self, program: str, version: Version) -> str:
        """The program itself: all of them share one parser."""
        return program

    def read(self, launch: Launch, version: Version) -> Reading:
        """The launch as release `version` parses it."""
        return reading.read(launch, self._history, version)

    def render(self, spec: MTPSpec, version: Version) -> Rendering:
        """Words of `sglang.launch_server` or `sglang serve` for release `version`."""
        return rendering.render(spec, self._history, version)

    def checks(self) -> Mapping[str, Check]:
        """Rule conditions that need code."""
        from mtpconfig_sglang import checks

        return checks.checks(self._history)

    def models(self) -> Mapping[str, Stretch]:
        """The families that have a draft model's class."""
        return self._models

    @cached_property
    def _models(self) -> Mapping[str, Stretch]:
        return load_support(self.id, self.scheme)

    def probe(self) -> Probe:
        """How its servers are asked; a new one for each server."""
        from mtpconfig_sglang.probe import SGLangProbe  # most runs ask no server

        return SGLangProbe()
