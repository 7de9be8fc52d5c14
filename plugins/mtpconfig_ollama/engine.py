"""The engine object: a thin face over this package's modules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from mtpconfig.engine import Check, Identity, Reading, Rendering, VersionHint
from mtpconfig.files import Files
from mtpconfig.history import OptionHistory, Stretch
from mtpconfig.knowledge import load_history
from mtpconfig.launch import HintKind, Launch, Setting, Target
from mtpconfig.models import load_support
from mtpconfig.spec import MTPSpec
from mtpconfig.version import PEP440, Scheme, Version
from mtpconfig_ollama import arguments, programs, versions
from mtpconfig_ollama.models import ENGINE

if TYPE_CHECKING:
    from mtpconfig.evidence import Probe


class Ollama:
    """Ollama: its server, its command line, Modelfiles, and requests to it."""

    id: str = ENGINE
    title: str = "Ollama"
    scheme: Scheme = PEP440
    words: tuple[str, ...] = ("ollama", "OLLAMA", "draft_num_predict", "PARAMETER ", "DRAFT ", "gguf", "GGUF", ":11434")

    @cached_property
    def _history(self) -> OptionHistory:
        return load_history(self.id)

    def options(self) -> OptionHistory:
        """Parameters, instructions, flags and variables from 0.2.0 on."""
        return self._history

    def identify(self, launch: Launch) -> Identity | None:
        """The command of Ollama's that a launch is, a Modelfile, or a request that speaks of drafting."""
        return programs.identify(launch)

    def with_files(self, launch: Launch, files: Files) -> Launch:
        """The launch as it is: a Modelfile that `create -f` names is a launch of its own."""
        return launch

    def version_in(self, kind: HintKind, text: str) -> VersionHint | None:
        """The version that an image tag, a path or a comment names."""
        return versions.find(kind, text)

    def lookup(self, surface: str, spelling: str) -> str:
        """Instructions in capitals; other names as they are written."""
        return arguments.lookup(surface, spelling)

    def numeral(self, text: str, kind: str, setting: Setting) -> float | None:
        """Numbers as Go's `strconv` reads them."""
        from mtpconfig_ollama import numerals

        return numerals.numeral(text, kind)

    def program_at(self, program: str, version: Version) -> str:
        """A subcommand by its own name."""
        return arguments.subcommand(program)

    def read(self, launch: Launch, version: Version) -> Reading:
        """The launch as Ollama `version` reads it."""
        from mtpconfig_ollama import reading

        return reading.read(launch, self._history, version)

    def render(self, spec: MTPSpec, version: Version) -> Rendering:
        """A Modelfile and the `ollama create` that makes a model of it, for Ollama `version`."""
        from mtpconfig_ollama import rendering

        return rendering.render(spec, self._history, version)

    def checks(self) -> Mapping[str, Check]:
        """Rule conditions that need code."""
        from mtpconfig_ollama import checks

        return checks.CHECKS

    def models(self) -> Mapping[str, Stretch]:
        """The families with a head that it drafts with, by either runner."""
        return self._models

    @cached_property
    def _models(self) -> Mapping[str, Stretch]:
        return load_support(self.id, self.scheme)

    def probe(self) -> Probe:
        """The routes and the log of an Ollama server."""
        from mtpconfig_ollama.probe import OllamaProbe

        return OllamaProbe()

    def embedded(self, launch: Launch, target: Target) -> Launch | None:
        """The start of llama.cpp's server that a start of Ollama's leads to."""
        from mtpconfig_ollama import embedding

        return embedding.embedded(launch, target)
