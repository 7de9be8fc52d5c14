"""The engine object: a thin face over this package's modules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from mtpconfig.engine import Check, Identity, Reading, Rendering, VersionHint
from mtpconfig.files import Files
from mtpconfig.history import OptionHistory, Stretch
from mtpconfig.knowledge import load_history
from mtpconfig.launch import HintKind, Launch, Setting
from mtpconfig.models import load_support
from mtpconfig.spec import MTPSpec
from mtpconfig.version import PEP440, Scheme, Version
from mtpconfig_vllm import grammar, numerals, programs, reading, rendering, versions

if TYPE_CHECKING:
    from mtpconfig.evidence import Probe


class Vllm:
    """vLLM: `vllm serve`, the API server module, benchmarks, and `LLM(...)`; numbered by release."""

    id: str = "vllm"
    title: str = "vLLM"
    scheme: Scheme = PEP440
    words: tuple[str, ...] = ("vllm", "VLLM", "vLLM", "speculative", "--spec-", "num_speculative_tokens")

    @cached_property
    def _history(self) -> OptionHistory:
        return load_history(self.id)

    def options(self) -> OptionHistory:
        """All options from 0.5.0 on."""
        return self._history

    def identify(self, launch: Launch) -> Identity | None:
        """The vLLM program that a launch starts, or the fork that it belongs to."""
        return programs.identify(launch)

    def with_files(self, launch: Launch, files: Files) -> Launch:
        """The launch with the options of the YAML file that `--config` names, or of the map that a call holds."""
        from mtpconfig.carriers.yaml_.config import with_config  # YAML is read where a launch names some

        if launch.program == programs.KEYWORDS:
            from mtpconfig_vllm.ray_serve.calls import with_keywords

            return with_keywords(launch)
        return with_config(launch, files)

    def version_in(self, kind: HintKind, text: str) -> VersionHint | None:
        """The release that an image tag, a package pin, a path or a comment names."""
        return versions.find(kind, text, self._history.versions)

    def lookup(self, surface: str, spelling: str) -> str:
        """Flags with `_` read as `-`, without a value behind `=` or a key behind a dot; other surfaces as they are."""
        return grammar.normal(spelling) if surface in ("flag", "config") else spelling

    def numeral(self, text: str, kind: str, setting: Setting) -> float | None:
        """Numbers as Python's `int` and `float` read them, or pydantic in the values of JSON."""
        return numerals.numeral(text, kind, setting)

    def program_at(self, program: str, version: Version) -> str:
        """The program itself: all of them share one parser."""
        return program

    def read(self, launch: Launch, version: Version) -> Reading:
        """The launch as release `version` parses it."""
        return reading.read(launch, self._history, version)

    def render(self, spec: MTPSpec, version: Version) -> Rendering:
        """`vllm serve` words for release `version`."""
        return rendering.render(spec, self._history, version)

    def checks(self) -> Mapping[str, Check]:
        """Rule conditions that need code."""
        from mtpconfig_vllm.checks import CHECKS, OF_HISTORY

        return {**CHECKS, **{name: partial(check, self._history) for name, check in OF_HISTORY.items()}}

    def models(self) -> Mapping[str, Stretch]:
        """The families that `hf_config_override` makes draft models of."""
        return self._models

    @cached_property
    def _models(self) -> Mapping[str, Stretch]:
        return load_support(self.id, self.scheme)

    def probe(self) -> Probe:
        """The routes and counters of a vLLM server."""
        from mtpconfig_vllm.probe import VllmProbe

        return VllmProbe()
