"""Rule conditions that need Ollama's own code: what names tell, and what a version does with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from mtpconfig.engine import Check, Reading
from mtpconfig.history import OptionHistory, at
from mtpconfig.hooks import engines, find_engine
from mtpconfig.launch import Setting, texts_of
from mtpconfig.match import FixPlan, Match, plan
from mtpconfig_ollama import file_checks, request_checks
from mtpconfig_ollama.arguments import DEPTH, DRAFT, INHERITED, MODEL
from mtpconfig_ollama.embedding import child
from mtpconfig_ollama.modelfile.container import page_of
from mtpconfig_ollama.models import ENGINE, names_mtp, origin_of, runner_of
from mtpconfig_ollama.numerals import numeral
from mtpconfig_ollama.programs import IMAGE, MODELFILE
from mtpconfig_ollama.requests import request_of

_DRAFTS = re.compile(r"mtp|nextn|assistant|dflash|draft|spec|eagle|medusa|head", re.IGNORECASE)
_EAGLE = re.compile(r"eagle", re.IGNORECASE)
_SIZE = re.compile(r"(?<![A-Za-z0-9.])(\d{1,4}(?:\.\d{1,2})?)b(?![A-Za-z0-9])", re.IGNORECASE)
_A_NAME = re.compile(
    r"(?:https?://)?(?:hf\.co|huggingface\.co|ollama\.com|registry\.ollama\.ai)/|[a-z0-9][\w.-]+(?:/[\w.-]+){0,2}:[\w.-]+\Z",
    re.IGNORECASE,
)
_MOVING = re.compile(r"(?:latest|rocm)?")


@lru_cache(maxsize=1)
def _history() -> OptionHistory:
    return find_engine(ENGINE).options()


def _fact(reading: Reading, name: str) -> str:
    row = at(_history().facts.get(name, ()), reading.version)
    return row.value if row else ""


def _last(reading: Reading, option: str) -> Setting | None:
    found = reading.effective(option)
    return found[-1] if len(found) == 1 else None


def _model(reading: Reading) -> str:
    """The model that a launch is about, as far as it is known."""
    setting = _last(reading, MODEL)
    request = request_of(reading.launch)
    return (setting.text or "") if setting is not None else (request.text("model", "from") or "") if request else ""


def embedded_mtp_off(reading: Reading) -> Sequence[Match]:
    """A model whose name says that it holds an MTP head, and nothing that switches drafting on (MTP204)."""
    base = _last(reading, MODEL)
    if base is None or base.text is None or not reading.closed or _fact(reading, "gguf-drafting") != "opt-in":
        return ()
    if origin_of(base.text) == "library" or runner_of(base.text, reading.version) == "mlx" or not names_mtp(base.text):
        return ()
    said = {setting.spelling.lower() for setting in reading.settings}
    if not said.isdisjoint((DEPTH, DRAFT)) or base.value_fragment is None:
        return ()
    return (
        Match(
            anchor=base.value_fragment,
            message=f"Ollama {reading.version} does not draft with the MTP head of `{base.text}`: `{DEPTH}` is not set",
            setting=base,
            detail="speculation is off, and nothing says so",
            help=f"add `PARAMETER {DEPTH} 3`",
            about_value=True,
            plan=_add_depth(reading, base),
        ),
    )


def _add_depth(reading: Reading, base: Setting) -> FixPlan | None:
    page = page_of(reading.launch)
    statement = page.statement(base.given) if page is not None else None
    if page is None or statement is None:
        return None
    line = f"PARAMETER {DEPTH} 3"
    return plan(
        f"add `{line}`",
        page.add_line(statement, line),
        same_meaning=False,
        holds_at=lambda version: (
            at(_history().facts["gguf-drafting"], version) == at(_history().facts["gguf-drafting"], reading.version)
        ),
    )


def depth_unread_by_mlx(reading: Reading) -> Sequence[Match]:
    """`draft_num_predict` on a model that the MLX runner serves (MTP106)."""
    setting, model = _last(reading, DEPTH), _model(reading)
    if setting is None or runner_of(model, reading.version) != "mlx":
        return ()
    depth = numeral(setting.text or "", "int")
    off = depth is not None and depth <= 0
    return (
        Match(
            anchor=setting.name,
            message=f"nobody reads `{DEPTH}` for `{model}` in Ollama {reading.version}: the MLX runner serves it",
            setting=setting,
            detail="drafting goes on" if off else "the runner chooses the depth",
            help="use a tag without a draft head to switch drafting off" if off else "remove it",
        ),
    )


def mlx_sampling_conflict(reading: Reading) -> Sequence[Match]:
    """Temperature 0 beside top_k or top_p on the MLX runner, where that switches drafting off (MTP303)."""
    setting = _last(reading, "temperature")
    if setting is None or runner_of(_model(reading), reading.version) != "mlx" or reading.launch.program != MODELFILE:
        return ()
    if _fact(reading, "mlx-depth") != "schedule" or _number(setting) != 0.0:
        return ()
    top_k, top_p = _last(reading, "top_k"), _last(reading, "top_p")
    k, p = (40.0 if top_k is None else _number(top_k)), (0.9 if top_p is None else _number(top_p))
    if k is None or p is None or (k <= 0 and p >= 1):
        return ()
    return (
        Match(
            anchor=setting.value_fragment or setting.name,
            message=f"the MLX runner of Ollama {reading.version} does not draft at temperature 0 with top_k {k:g} and "
            f"top_p {p:g}",
            setting=setting,
            detail="drafting is off for greedy requests",
            help="set top_k to 0 and top_p to 1 too, or use 0.30.11 or newer",
            about_value=True,
        ),
    )


def _number(setting: Setting) -> float | None:
    return numeral(setting.text or "", "float")


def ordinary_draft_model(reading: Reading) -> Iterator[Match]:
    """DRAFT with a file that is an ordinary small model, or an EAGLE head, by its name (MTP305)."""
    if _fact(reading, "gguf-drafting") != "opt-in":
        return
    sizes = _SIZE.findall(_base(_model(reading)))
    for setting in reading.by_option.get(DRAFT, ()):
        name = _base(setting.text or "")
        own = _SIZE.findall(name)
        smaller = not _DRAFTS.search(name) and len(own) == len(sizes) == 1 and float(own[0]) < float(sizes[0])
        if (smaller or _EAGLE.search(name)) and name.lower().endswith(".gguf") and setting.value_fragment is not None:
            kind = "an EAGLE head" if _EAGLE.search(name) else "an ordinary model"
            yield Match(
                anchor=setting.value_fragment,
                message=f"Ollama {reading.version} passes every DRAFT file on as an MTP draft, and by its name "
                f"`{name}` is {kind}: the model does not load",
                setting=setting,
                detail="no MTP draft",
                help="use the MTP draft (assistant) of the same model, or remove the line",
                about_value=True,
            )


def _base(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def draft_is_no_file(reading: Reading) -> Iterator[Match]:
    """DRAFT with the name of a model, where a file is wanted (MTP105)."""
    for setting in reading.by_option.get(DRAFT, ()):
        text = setting.text or ""
        if _A_NAME.match(text) and origin_of(text) != "file" and setting.value_fragment is not None:
            yield Match(
                anchor=setting.value_fragment,
                message=f"Ollama {reading.version} refuses this Modelfile: DRAFT takes a file or a folder, and "
                f"`{text}` is the name of a model",
                setting=setting,
                detail="stat: no such file or directory",
                help="download the draft model, and give its path",
                about_value=True,
            )


def hub_model_without_depth(reading: Reading) -> Sequence[Match]:
    """`ollama run hf.co/...-MTP-...`: the head is used only if something sets a number (MTP309)."""
    launch, model = reading.launch, reading.spec.model
    if launch.program != "ollama run" or model is None or _fact(reading, "gguf-drafting") != "opt-in":
        return ()
    if origin_of(model) != "hub" or not names_mtp(model):
        return ()
    anchor = next((word.fragment for word in launch.args if word.text == model), launch.fragment)
    return (
        Match(
            anchor=anchor,
            message=f"the MTP head of `{model}` is used only if something sets `{DEPTH}`: "
            f"Ollama {reading.version} does not do so for a model of the hub",
            detail="`ollama show` tells whether it is set",
            help=f"make a model of it with `PARAMETER {DEPTH} 3`, or say it in the options of each request",
            severity="info",
        ),
    )


def unread_variables(reading: Reading) -> Iterator[Match]:
    """llama.cpp's variables on a version that does not start llama.cpp's server (MTP107)."""
    inner = engines().get(child().engine)
    if inner is None or reading.launch.program != "ollama serve" or _fact(reading, "gguf-drafting") != "none":
        return
    history = inner.options()
    for given in reading.launch.given:
        name = given.name.text
        if given.surface != "env" or not name.startswith(INHERITED):
            continue
        if any(history.options[period.option].speculative for period in history.periods("env", name)):
            yield Match(
                anchor=given.name.fragment,
                message=f"nobody reads `{name}` in Ollama {reading.version}: it starts no llama.cpp server",
                detail="the first that does is 0.30.0",
                help="use 0.30.0 or newer, or remove it",
            )


def unpinned_version(reading: Reading) -> Sequence[Match]:
    """The moving tag of Ollama's own image, where the launch speaks of speculation (MTP501)."""
    image = reading.launch.image
    if image is None or not texts_of(image.value):
        return ()
    match = IMAGE.search(image.text)
    if match is None or "@" in image.text or not _speaks(reading) or not _MOVING.fullmatch(match["tag"] or ""):
        return ()
    tag = match["tag"]
    said = (
        f"the tag `{tag}` moves on with each release" if tag else "without a tag the image moves on with each release"
    )
    return (
        Match(
            anchor=image.fragment,
            part=match.span("tag") if tag else None,
            message=f"{said}: nobody knows which Ollama will run",
            detail="no release is named",
            help=f"name the release, as in `{reading.version}{'-rocm' if tag == 'rocm' else ''}`",
        ),
    )


def _speaks(reading: Reading) -> bool:
    """Whether a launch says anything of speculation, to this version or to another, or to what it starts."""
    inner = engines().get(child().engine)
    histories = [_history(), *([inner.options()] if inner is not None else [])]
    names = [("env", given.name.text) for given in reading.launch.given if given.surface == "env"]
    names += [(setting.surface, setting.spelling) for setting in reading.settings if setting.surface != "env"]
    return any(
        history.options[period.option].speculative
        for history in histories
        for surface, name in names
        for period in history.periods(surface, name)
    )


CHECKS: Mapping[str, Check] = {
    "depth-unread-by-mlx": depth_unread_by_mlx,
    "draft-is-no-file": lambda reading: tuple(draft_is_no_file(reading)),
    "embedded-mtp-off": embedded_mtp_off,
    "hub-model-without-depth": hub_model_without_depth,
    "invalid-value": lambda reading: (*file_checks.values(reading, _history()), *request_checks.values(reading)),
    "misplaced-draft-option": lambda reading: tuple(request_checks.misplaced(reading)),
    "mlx-sampling-conflict": mlx_sampling_conflict,
    "modelfile-without-from": lambda reading: tuple(file_checks.without_from(reading)),
    "ordinary-draft-model": lambda reading: tuple(ordinary_draft_model(reading)),
    "shell-quoting": lambda reading: tuple(file_checks.quoting(reading)),
    "unpinned-version": unpinned_version,
    "unread-variable": lambda reading: tuple(unread_variables(reading)),
}
