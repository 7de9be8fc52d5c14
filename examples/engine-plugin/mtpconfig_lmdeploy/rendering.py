"""From the canonical spec to the words of `lmdeploy serve api_server`, for one release."""

from __future__ import annotations

from collections.abc import Mapping

from mtpconfig.engine import Rendering
from mtpconfig.errors import CannotRender
from mtpconfig.history import OptionHistory, Stretch
from mtpconfig.models import family_of
from mtpconfig.spec import MTPSpec
from mtpconfig.version import Version
from mtpconfig_lmdeploy.reading import ALGORITHM, DRAFTER, TOKENS

_WORDS = {"eagle": "eagle", "eagle3": "eagle3", "dflash": "dflash"}
_HEADS = {"deepseek-v3": "deepseek_mtp", "glm-4.5": "deepseek_mtp", "qwen3.5": "qwen3_5_mtp"}
# the word for a model's own head depends on the model: lmdeploy/pytorch/configurations, `assert spec_method == ...`


def render(spec: MTPSpec, history: OptionHistory, models: Mapping[str, Stretch], version: Version) -> Rendering:
    """The launch that says `spec`; what the release cannot say is listed in `dropped`.

    Raises CannotRender when the spec itself lacks what its method needs.
    """
    argv = ["lmdeploy", "serve", "api_server", *([spec.model] if spec.model is not None else [])]
    kept = {"model"} if spec.model is not None else set()
    dropped: dict[str, str] = {}
    notes: list[str] = []
    drafting = ("methods", "gamma", "drafter", "p_min")
    if spec.state == "auto":
        raise CannotRender('LMDeploy has no automatic choice for an MTP head: say state = "on" or "off"')
    if spec.state == "off":
        kept.add("state")
        notes.append(f"LMDeploy {version} does not speculate unless it is asked to: nothing to say for off")
        _drop(dropped, spec, "speculation is off", *drafting)
    else:
        word, why_not = _word(spec, history, version)
        if why_not:
            dropped["state"] = dropped["methods"] = why_not
            _drop(dropped, spec, why_not, *drafting)
        else:
            argv += ["--backend", "pytorch", f"--{ALGORITHM}", word]
            notes.append("only the PyTorch engine speculates: --backend pytorch")
            kept |= {"state", "methods"}
            for name, option in (("drafter", DRAFTER), ("gamma", TOKENS)):
                if (value := getattr(spec, name)) is not None:
                    argv += [f"--{option}", str(value)]
                    kept.add(name)
            _drop(dropped, spec, "LMDeploy has no least probability for drafts", "p_min")
    _drop(dropped, spec, f"LMDeploy {version} has no option for it: requests say it", "temperature")
    if spec.adaptive is False:
        kept.add("adaptive")
    _drop(dropped, spec, "LMDeploy has no adaptive gamma", "adaptive")
    return Rendering("lmdeploy", version, tuple(argv), kept=frozenset(kept), dropped=dropped, notes=tuple(notes))


def _word(spec: MTPSpec, history: OptionHistory, version: Version) -> tuple[str, str]:
    """The word for the method, or why this release has none. Raises CannotRender."""
    methods = spec.methods or ("mtp",)
    if len(methods) > 1:
        raise CannotRender(f"LMDeploy runs one method at a time, not {' + '.join(methods)}: choose one")
    method = methods[0]
    word = _WORDS.get(method, "")
    if method == "mtp":
        family = family_of(spec.model) if spec.model is not None else None
        word = _HEADS.get(family.id, "") if family is not None else ""
        if not word:
            raise CannotRender(
                "LMDeploy has a word of its own for the head of each family of models "
                f"({', '.join(dict.fromkeys(_HEADS.values()))}): the model's name does not tell which"
            )
    elif word and spec.drafter is None:
        raise CannotRender(f'method {method!r} needs a draft model on LMDeploy: say drafter = "NAME"')
    choices = [choice for choice in history.options[ALGORITHM].values if choice.text == word]
    if any(choice.stretch.holds(version) for choice in choices):
        return word, ""
    first = next((f" (first in {choice.stretch.since[1]})" for choice in choices), "")
    return "", f"LMDeploy {version} has no method {method}{first}"


def _drop(dropped: dict[str, str], spec: MTPSpec, reason: str, *names: str) -> None:
    """Say why fields are not said, as far as they were asked for."""
    for name in names:
        if getattr(spec, name) not in (None, (), False):
            dropped.setdefault(name, reason)
