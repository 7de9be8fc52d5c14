"""From the maps of a Ray Serve configuration to launches.

Facts (docs.ray.io, ray.serve.llm.LLMConfig): `engine_kwargs` become vLLM's engine arguments; the model is
`model_loading_config.model_source`, or its `model_id` where that is not said; `llm_engine` is vLLM unless told.
"""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.yaml_ import (
    Entries,
    Items,
    ListContainer,
    Node,
    Scalar,
    comments,
    documents,
    report_faults,
    word_of,
)
from mtpconfig.carriers.yaml_.keys import givens
from mtpconfig.launch import Given, Known, Launch, Word
from mtpconfig.text import Fragment
from mtpconfig_vllm.programs import KEYWORDS

_MOST_MODELS = 1000


def read(layer: Fragment, opener: Opener, around: Surroundings, carrier: str) -> Iterator[Launch]:
    """The launches of all documents."""
    found = documents(layer)
    report_faults(found, layer, opener)
    for document in found:
        for model in _models(document.root)[:_MOST_MODELS]:
            launch = _launch(model, layer, around, carrier)
            if launch is not None:
                yield launch


def _models(root: Node | None) -> list[Entries]:
    """The maps with engine arguments, in the order of the file."""
    models: list[Entries] = []
    waiting: list[Node] = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, Entries):
            if isinstance(node.get(KEYWORDS), Entries):
                models.append(node)
            waiting += [value for _, value in reversed(node.entries)]
        elif isinstance(node, Items):
            waiting += reversed(node.items)
    return models


def _launch(model: Entries, layer: Fragment, around: Surroundings, carrier: str) -> Launch | None:
    arguments, key, engine = model.get(KEYWORDS), model.key(KEYWORDS), model.get("llm_engine")
    if not isinstance(arguments, Entries) or key is None:
        return None
    if isinstance(engine, Scalar) and engine.text.lower() != "vllm":
        return None
    loading = model.get("model_loading_config")
    name = _said(loading, "model_id")
    source = _said(loading, "model_source") or name
    given = list(givens(arguments, layer, "kwarg"))
    if source is not None and arguments.get("model") is None:
        named = Word(Fragment.synthetic("model", layer), Known("model"))
        given.append(Given("kwarg", named, word_of(source), source.guard, source.span))
    return Launch(
        argv=(word_of(key),),
        fragment=layer.slice(key.span.start, arguments.span.end),
        given=tuple(given),
        container=ListContainer(layer, (), [arguments], around.container),
        closed=not arguments.why_open,
        why_open=arguments.why_open,
        hints=(*around.hints, *comments(layer, model.span.start), *comments(layer, key.span.start)),
        carrier=carrier,
        label=name.text if name is not None else "",
        engine="vllm",
    )


def _said(node: Node | None, name: str) -> Scalar | None:
    value = node.get(name) if isinstance(node, Entries) else None
    return value if isinstance(value, Scalar) and not value.null else None
