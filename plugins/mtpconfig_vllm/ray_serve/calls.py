"""`LLMConfig(engine_kwargs={...})` in Python: the map holds what vLLM receives as keyword arguments.

The same facts as for the YAML form; see `reader.py`.
"""

from __future__ import annotations

from msgspec.structs import replace

from mtpconfig.launch import Given, Known, Launch, Word
from mtpconfig.text import Fragment
from mtpconfig.text.json_ import read_json
from mtpconfig.text.structured import Node
from mtpconfig_vllm.programs import KEYWORDS

_NESTED = ("object", "list")


def with_keywords(launch: Launch) -> Launch:
    """The launch with the entries of `engine_kwargs` as its keyword arguments; open where they cannot be told."""
    said = {given.name.text: given for given in launch.given if given.surface == "kwarg"}
    arguments = said.get(KEYWORDS)
    word = arguments.value if arguments is not None else None
    if arguments is None or word is None:
        return launch
    root = read_json(word.fragment, word.holes).root
    rest = tuple(given for given in launch.given if given.surface != "kwarg")
    if root is None or root.type != "object":
        return replace(launch, given=rest, closed=False, why_open=launch.why_open or KEYWORDS)
    given = [_given(entry.key, entry.value, word, arguments) for entry in root.entries]
    source = _source(said)
    if source is not None and not any(one.name.text == "model" for one in given):
        named = Word(Fragment.synthetic("model", launch.fragment), Known("model"))
        given.append(Given("kwarg", named, source, source.guard))
    return replace(launch, given=(*rest, *given))


def _given(key: Node, value: Node, word: Word, arguments: Given) -> Given:
    name = Word(key.fragment, Known(key.text), arguments.guard)
    return Given("kwarg", name, _word(value, word), arguments.guard, nested=value.type in _NESTED)


def _word(value: Node, word: Word) -> Word:
    """A value of the map as a word of its own: a string's characters, anything else as it is written."""
    start, end = value.span.start, value.span.end
    if value.type == "string":
        return Word(value.fragment, word.value_in(start, end, value.text), word.guard)
    return word.part(start, end)


def _source(said: dict[str, Given]) -> Word | None:
    """What is served: `model_source` of `model_loading_config`, or its `model_id`."""
    loading = said.get("model_loading_config")
    word = loading.value if loading is not None else None
    root = read_json(word.fragment, word.holes).root if word is not None else None
    entries = {entry.key.text: entry.value for entry in root.entries} if root is not None else {}
    node = entries.get("model_source") or entries.get("model_id")
    return _word(node, word) if node is not None and word is not None and node.type == "string" else None
