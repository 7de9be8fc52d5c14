"""From the canonical spec to a Modelfile and the `ollama create` that makes a model of it, for one version.

Where a tag of the library already says what is wanted, it is run as it is.
"""

from __future__ import annotations

import re

from mtpconfig.engine import Rendering
from mtpconfig.errors import CannotRender
from mtpconfig.history import OptionHistory, at
from mtpconfig.spec import MTPSpec
from mtpconfig.version import Version
from mtpconfig_ollama.arguments import DEPTH
from mtpconfig_ollama.modelfile.words import VALUES
from mtpconfig_ollama.models import ENGINE, origin_of, runner_of, tags_of
from mtpconfig_ollama.reading import UNSET_DEPTH, method_of

FILE = "Modelfile"


def render(spec: MTPSpec, history: OptionHistory, version: Version) -> Rendering:
    """The launch that says `spec`; what the version cannot say is listed in `dropped`.

    Raises CannotRender when the spec itself lacks what Ollama needs, or names what it can never do.
    """
    return _Renderer(spec, history, version).rendering()


class _Renderer:
    def __init__(self, spec: MTPSpec, history: OptionHistory, version: Version) -> None:
        if spec.model is None:
            raise CannotRender('Ollama says it in a Modelfile, which begins with a model: say model = "..."')
        self._spec = spec
        self._model = spec.model
        self._history = history
        self._version = version
        self._lines = [f"FROM {_value(self._model, 'model')}"]
        self._kept = {"model"}
        self._dropped: dict[str, str] = {}
        self._notes: list[str] = []
        self._runner = runner_of(self._model, version)

    def rendering(self) -> Rendering:
        """Say each field in turn."""
        spec = self._spec
        if spec.drafter is not None and origin_of(spec.drafter) != "file":
            raise CannotRender(f"DRAFT takes a file on this machine, and {spec.drafter!r} is none: download it first")
        if self._runner == "mlx":
            self._by_mlx()
        elif spec.state == "auto":
            raise CannotRender('Ollama leaves no GGUF model a choice: say state = "on" or "off"')
        elif spec.state == "off":
            self._off()
        else:
            self._on()
        if spec.p_min is not None:
            self._dropped["p_min"] = "Ollama passes no such limit on"
        if spec.temperature is not None:
            self._lines.append(f"PARAMETER temperature {spec.temperature:g}")
            self._kept.add("temperature")
        return self._made()

    def _made(self) -> Rendering:
        alone = len(self._lines) == 1 and origin_of(self._model) != "file"
        if alone:
            self._notes.append(f"nothing is to be added to `{self._model}`: it is run as it is")
        return Rendering(
            ENGINE,
            self._version,
            ("ollama", "run", self._model) if alone else ("ollama", "create", self._name(), "-f", FILE),
            files={} if alone else {FILE: "".join(f"{line}\n" for line in self._lines)},
            kept=frozenset(self._kept),
            dropped=self._dropped,
            notes=tuple(self._notes),
        )

    def _name(self) -> str:
        """A name for the new model, made of the old one's."""
        base = re.split(r"[/\\]", self._model.rstrip("/\\"))[-1]
        plain = re.sub(r"[^a-z0-9._-]+", "-", re.sub(r"\.gguf$", "", base.lower())).strip("-._") or "model"
        if self._spec.state == "off":
            return f"{plain}-plain"
        return plain if "mtp" in plain else f"{plain}-mtp"

    def _fact(self, name: str) -> str:
        row = at(self._history.facts[name], self._version)
        return row.value if row else ""

    def _drop(self, reason: str, *names: str) -> None:
        self._dropped.update({name: reason for name in names if getattr(self._spec, name) not in (None, ())})

    # --- GGUF models

    def _off(self) -> None:
        self._kept.add("state")
        self._drop("speculation is off", "methods", "gamma", "drafter")
        self._fixed_depth()
        if self._fact("gguf-drafting") == "none":
            self._notes.append(f"{self._version} drafts for no GGUF model: nothing to say for off")
        elif origin_of(self._model) == "file":
            self._notes.append("a file drafts only if it is asked to: nothing to say for off")
        else:
            self._lines.append(f"PARAMETER {DEPTH} 0")
            self._notes.append(f"off -> PARAMETER {DEPTH} 0: the model may bring a number along")

    def _on(self) -> None:
        spec = self._spec
        method, *others = spec.methods or ("mtp",)
        if self._fact("gguf-drafting") == "none":
            return self._refuse(f"Ollama {self._version} drafts for no GGUF model (first in 0.30.0)")
        if others or method not in ("mtp", "dflash"):
            return self._refuse(
                "Ollama passes every draft on as one for MTP, or as DFlash's, and knows no other method"
            )
        if method == "dflash" and self._fact("draft-passed-as") != "architecture":
            return self._refuse(f"Ollama {self._version} cannot do dflash (first in 0.32.7)")
        if method == "dflash" and spec.drafter is None:
            raise CannotRender("method 'dflash' needs a draft model on Ollama: say drafter = \"FILE.gguf\"")
        self._kept.add("state")
        if spec.methods and method == method_of(spec.drafter, self._fact("draft-passed-as")):
            self._kept.add("methods")
        elif spec.methods:
            self._notes.append(f"{method} if `{spec.drafter}` is one: the file itself tells the method")
        if spec.drafter is not None:
            self._lines.append(f"DRAFT {_value(spec.drafter, 'drafter')}")
            self._kept.add("drafter")
        self._fixed_depth()
        self._depth()

    def _depth(self) -> None:
        gamma = self._spec.gamma
        brought = next((tag for tag in tags_of(self._model, self._version) if tag.gamma is not None), None)
        if brought is not None and self._spec.drafter is None and gamma in (None, brought.gamma):
            self._notes.append(f"{brought.why}; see `ollama show {self._model}`")
            self._kept |= {"gamma"} if gamma is not None else set()
            return
        if gamma is None and self._spec.drafter is not None and origin_of(self._model) == "file":
            self._notes.append(f"without a number a DRAFT layer drafts {UNSET_DEPTH} tokens")
            return
        self._lines.append(f"PARAMETER {DEPTH} {gamma if gamma is not None else UNSET_DEPTH}")
        if gamma is not None:
            self._kept.add("gamma")
            self._notes.append(f"gamma = {gamma} -> PARAMETER {DEPTH} {gamma}")
        else:
            self._notes.append(f"an MTP head is used only if a number is said: {UNSET_DEPTH}, as for a DRAFT layer")

    def _fixed_depth(self) -> None:
        if self._spec.adaptive:
            self._dropped["adaptive"] = "Ollama drafts a fixed number of tokens for GGUF models"
        elif self._spec.adaptive is False:
            self._kept.add("adaptive")

    def _refuse(self, reason: str) -> None:
        self._dropped["state"] = self._dropped["methods"] = reason
        self._drop(reason, "gamma", "drafter", "adaptive")

    # --- MLX models

    def _by_mlx(self) -> None:
        """The MLX runner has no switch: a model that holds a head drafts, as deep as the runner likes."""
        spec, depth = self._spec, self._fact("mlx-depth")
        reason = f"the MLX runner of Ollama {self._version} decides by the model, and has no setting for it"
        if depth == "none":
            self._refuse(f"the MLX runner of Ollama {self._version} does not draft (first in 0.23.1)")
            return
        if spec.state == "auto":
            self._kept.add("state")
        else:
            self._dropped["state"] = reason
        self._drop(reason, "gamma", "methods", "drafter")
        if spec.adaptive is not None:
            if spec.adaptive == (depth == "automatic"):
                self._kept.add("adaptive")
            else:
                self._dropped["adaptive"] = reason


def _value(text: str, field: str) -> str:
    """A text as the value of an instruction. Raises CannotRender where no spelling holds it."""
    if text and (bare := VALUES["bare"].encode(text)) is not None:
        return bare
    quoted = VALUES["quoted"].encode(text)
    if quoted is None or not text:
        raise CannotRender(f"a Modelfile cannot hold the {field} {text!r}")
    return f'"{quoted}"'
