"""From llama-swap's models to launches."""

from __future__ import annotations

from collections.abc import Iterator

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.generic_yaml.page import Page
from mtpconfig.carriers.shell.listed import launches_of
from mtpconfig.carriers.shell.rows import CommandContainer, Home, Row
from mtpconfig.carriers.yaml_ import Entries, Scalar
from mtpconfig.launch import Launch
from mtpconfig.text import Builder, Fragment, Kind
from mtpconfig_llamacpp.llama_swap.macros import Macros, expand, macros_of, model_id, runs_of, uses_in
from mtpconfig_llamacpp.llama_swap.words import MOST_WORDS, split

_MOST_MODELS = 1000


def read(layer: Fragment, opener: Opener, around: Surroundings, carrier: str) -> Iterator[Launch]:
    """The launches of all models."""
    page = Page.of(layer, opener, around, carrier)
    for document in page.documents():
        root = document.root
        models = root.get("models") if isinstance(root, Entries) else None
        if not isinstance(root, Entries) or not isinstance(models, Entries):
            continue
        uses = uses_in([root])
        common = macros_of(root.get("macros"), uses)
        for key, _ in models.entries[_MOST_MODELS : _MOST_MODELS + 1]:
            opener.miss(layer, key.span.start, f"it holds more than {_MOST_MODELS} models")
        for key, model in models.entries[:_MOST_MODELS]:
            command = model.get("cmd") if isinstance(model, Entries) else None
            if isinstance(model, Entries) and isinstance(command, Scalar) and not command.null:
                macros = {"MODEL_ID": model_id(key), **common, **macros_of(model.get("macros"), uses)}
                yield from _launches(page, key, model, command, macros)


def _launches(page: Page, key: Scalar, model: Entries, command: Scalar, macros: Macros) -> Iterator[Launch]:
    text = _expanded(page.layer, command, macros)
    environment = model.get("env")
    around = page.surroundings(
        key.text, list(page.variables(environment)), beside=[key, command], holders=[environment]
    )
    items = list(split(text))
    row = Row(tuple(item.site for item in items if item.site is not None))
    container = CommandContainer(text, around.container)
    words = []
    for place, item in enumerate(items):
        word = item.word(text)
        words.append(word)
        if len(row.tokens) == len(items):
            container.settle(word, Home(row, place, place))
    why_open = "the rest of a long command" if len(items) >= MOST_WORDS else ""
    yield from launches_of(words, command.fragment, page.opener, around, container, why_open)


def _expanded(layer: Fragment, command: Scalar, macros: Macros) -> Fragment:
    """The command with its macros put in, as a child layer; what other places share cannot be edited."""
    builder = Builder(layer)
    for run in expand(list(runs_of(command)), macros):
        kind = Kind.SUBSTITUTED if run.shared and run.origin is not None else run.kind
        builder.add(run.text, run.origin, kind, run.codec)
    return builder.build()
