"""How an Ollama server is asked. Sources: Ollama's `server`, `llm` and `x/mlxrunner` up to 0.33.0-rc2.

It counts nothing: neither a route nor a response tells anything of drafts. What there is:

- `/api/show`: the parameters of a model, whether it has a DRAFT layer, and whether its weights hold an MTP head. From
  these follows whether the server asks llama.cpp's server to draft, and so what surely does not draft.
- the log, into which llama.cpp's server and the MLX runner write what became of each request's drafts (`log.py`).
- `draft_num_predict` in a request's options: 0 switches drafting off for GGUF models. It belongs to the options of the
  runner, so that each change loads the model again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from mtpconfig.errors import UsageError
from mtpconfig.evidence import Answer, Ask, Client, Counters, Found, Hints, Request, Sample
from mtpconfig.version import PEP440, Version
from mtpconfig_ollama import log
from mtpconfig_ollama.arguments import DEPTH
from mtpconfig_ollama.modelfile.grammar import parse
from mtpconfig_ollama.numerals import numeral
from mtpconfig_ollama.reading import UNSET_DEPTH

_ALIVE = "Ollama is running"
_FROM_SOURCE = "0.0.0"
_FIRST_DRAFTING_GGUF = PEP440.parse("0.30.0")
_FIRST_DRAFTING_DFLASH = PEP440.parse("0.32.7")
_QWEN = ("qwen35", "qwen35moe")
_HIDDEN = ("nemotron_h_moe",)  # its MTP tensors are not shown to llama.cpp

Head = Literal["none", "inside", "layer", "unknown"]


class OllamaProbe:
    """The questions to an Ollama server."""

    hints = Hints(
        off=(
            "draft_num_predict is not set: an MTP head inside a GGUF is not used without it",
            "draft_num_predict is 0 or less, in the model or the one that it is made from",
            "the model holds no MTP head and has no DRAFT layer, whatever its name says",
            "the version is older than 0.30.0, which is the first that drafts with GGUF models",
        ),
        idle=("the MLX runner has learned that drafts do not pay here, and chose a depth of 0",),
        rejecting=("the DRAFT layer or the head does not belong to this model, or was damaged by quantisation",),
    )

    def recognise(self, client: Client) -> Found | None:
        """By the sentence with which it greets; the model is the one that is loaded, else the only one."""
        version = client.get("/api/version").object().get("version")
        if not isinstance(version, str) or not client.get("/").text.startswith(_ALIVE):
            return None
        loaded = next(_names(client.get("/api/ps")), "")
        there = [*_names(client.get("/api/tags"))] if not loaded else []
        model = loaded or (there[0] if len(there) == 1 else "")
        if version == _FROM_SOURCE:
            return Found("", model, "it was built from source, and does not tell its version")
        return Found(version, model)

    def reported(self, client: Client, found: Found) -> Sequence[str]:
        """A request that asks for what the server will do of itself, as far as `/api/show` tells it."""
        shown = _shown(client, found)
        if shown is None:
            return ()  # the MLX runner decides by itself, and a remote model is somebody else's
        version = _parsed(found.version)
        if version is not None and version < _FIRST_DRAFTING_GGUF:
            return ("ollama", "run", found.model)
        head, depth = _head(shown), _depth(shown)
        if head == "none" or (head == "inside" and depth is None) or (depth is not None and depth <= 0):
            return _request_words(found.model, 0)
        if head == "unknown" or (head == "layer" and (version is None or version >= _FIRST_DRAFTING_DFLASH)):
            return ()  # a layer may be of DFlash, and nothing shows which it is
        return _request_words(found.model, depth if depth is not None else UNSET_DEPTH)

    def counters(self, client: Client, version: Version | None) -> Counters:
        """None: there are no counters."""
        return Counters(
            why="Ollama has none; its log tells (--log FILE), or a comparison with drafts off (--allow-reload)"
        )

    def logged(self, text: str) -> Counters:
        """What the runners wrote about requests."""
        return log.read(text)

    def request(self, ask: Ask) -> Request:
        """A completion without template; options of the runner are left as the model has them."""
        options = {"temperature": ask.temperature, "num_predict": ask.max_tokens}
        return Request(
            "/api/generate",
            {"model": ask.model, "prompt": ask.prompt, "raw": True, "stream": False, "options": options},
        )

    def switches(self, client: Client, found: Found) -> bool:
        """For GGUF models alone: nothing in a request keeps the MLX runner from drafting."""
        return _shown(client, found) is not None

    def without_drafts(self, request: Request) -> Request:
        """The same with a depth of 0."""
        return Request(request.path, {**request.body, "options": {**request.body["options"], DEPTH: 0}})

    def sample(self, answer: Answer) -> Sample | None:
        """Tokens and the time that they took; of drafts it says nothing."""
        data = answer.object()
        if data.get("done") is not True or not isinstance(data.get("response"), str):
            return None
        tokens, nanoseconds = _count(data.get("eval_count")), _count(data.get("eval_duration"))
        return Sample(tokens, seconds=nanoseconds / 1e9 if nanoseconds else None)


def _shown(client: Client, found: Found) -> dict[str, Any] | None:
    """What `/api/show` tells of a model that llama.cpp's server runs; None where another one does."""
    shown = client.post("/api/show", {"model": found.model}).object() if found.model else {}
    details = shown.get("details")
    return shown if isinstance(details, dict) and details.get("format") == "gguf" else None


def _names(answer: Answer) -> Iterator[str]:
    models = answer.object().get("models")
    for model in models if isinstance(models, list) else ():
        if isinstance(model, dict) and isinstance(model.get("name"), str):
            yield model["name"]


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _parsed(text: str) -> Version | None:
    try:
        return PEP440.parse(text) if text else None
    except UsageError:
        return None


def _head(shown: Mapping[str, Any]) -> Head:
    """What the model could draft with: a DRAFT layer goes before a head inside (llm/llama_server.go)."""
    modelfile, info, tensors = shown.get("modelfile"), shown.get("model_info"), shown.get("tensors")
    if isinstance(modelfile, str) and any(one.command == "DRAFT" for one in parse(modelfile).statements):
        return "layer"
    if not isinstance(info, dict):
        return "unknown"
    architecture = str(info.get("general.architecture", ""))
    if architecture in _HIDDEN:
        return "unknown"
    if _count(info.get(f"{architecture}.nextn_predict_layers")):
        return "inside"
    if architecture not in _QWEN:
        return "none" if architecture else "unknown"
    if not isinstance(tensors, list):
        return "unknown"
    names = [tensor["name"] for tensor in tensors if isinstance(tensor, dict) and isinstance(tensor.get("name"), str)]
    return "inside" if any(name.startswith("mtp.") for name in names) else "none"


def _depth(shown: Mapping[str, Any]) -> int | None:
    """`draft_num_predict` among the parameters, a line each; None where it is not set."""
    parameters = shown.get("parameters")
    found = re.search(rf"^{DEPTH}[ \t]+(\S+)", parameters, re.MULTILINE) if isinstance(parameters, str) else None
    value = numeral(found[1], "int") if found is not None else None
    return int(value) if value is not None else None


def _request_words(model: str, depth: int) -> tuple[str, ...]:
    body = json.dumps({"model": model, "options": {DEPTH: depth}}, ensure_ascii=False)
    return ("curl", "http://localhost:11434/api/generate", "-d", body)
