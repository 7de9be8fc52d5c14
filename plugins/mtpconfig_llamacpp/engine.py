"""The engine object: a thin face over this package's modules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from mtpconfig.engine import Check, Identity, Reading, Rendering, VersionHint
from mtpconfig.files import Files
from mtpconfig.history import OptionHistory
from mtpconfig.knowledge import load_history
from mtpconfig.launch import HintKind, Launch, Setting
from mtpconfig.spec import MTPSpec
from mtpconfig.version import BUILD, Scheme, Version
from mtpconfig_llamacpp import arguments, checks, numerals, programs, reading, rendering, versions


class LlamaCpp:
    """llama.cpp: llama-server, llama-cli and the programs beside them, numbered by build."""

    id: str = "llama.cpp"
    title: str = "llama.cpp"
    scheme: Scheme = BUILD
    words: tuple[str, ...] = ("llama", "LLAMA_ARG", "--spec-", "spec-type", "spec-ngram-", "-draft", "draft-m")

    @cached_property
    def _history(self) -> OptionHistory:
        return load_history(self.id)

    def options(self) -> OptionHistory:
        """All options from b6497 on."""
        return self._history

    def identify(self, launch: Launch) -> Identity | None:
        """The llama.cpp program that a launch starts, or the fork that it belongs to."""
        return programs.identify(launch)

    def version_in(self, kind: HintKind, text: str) -> VersionHint | None:
        """The build that an image tag, a path or a comment names."""
        return versions.find(kind, text)

    def lookup(self, surface: str, spelling: str) -> str:
        """Flags with `_` read as `-`; other surfaces as they are."""
        return arguments.normal(spelling) if surface == "flag" else spelling

    def with_files(self, launch: Launch, files: Files) -> Launch:
        """No option of llama.cpp names a file with further options that is read beside a launch."""
        return launch

    def numeral(self, text: str, kind: str, setting: Setting) -> float | None:
        """Numbers as `std::stoi` and `std::stof` read them, wherever they are said."""
        return numerals.numeral(text, kind)

    def program_at(self, program: str, version: Version) -> str:
        """The parser's example name of a program, e.g. `server` for llama-server."""
        return arguments.example_of(self._history, program, version)

    def read(self, launch: Launch, version: Version) -> Reading:
        """The launch as build `version` parses it."""
        return reading.read(launch, self._history, version)

    def render(self, spec: MTPSpec, version: Version) -> Rendering:
        """`llama-server` words for build `version`."""
        return rendering.render(spec, self._history, version)

    def checks(self) -> Mapping[str, Check]:
        """Rule conditions that need code."""
        return checks.CHECKS
