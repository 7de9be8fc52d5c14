"""The image of a container: one string, or `repository` and `tag` as charts write it."""

from __future__ import annotations

from msgspec.structs import replace

from mtpconfig.carriers.generic_yaml.joining import joined
from mtpconfig.carriers.generic_yaml.page import Page, text_of
from mtpconfig.carriers.yaml_ import Entries, Node, Scalar
from mtpconfig.launch import Known, Opaque, Word
from mtpconfig.text import Fragment


def image_of(page: Page, entries: Entries) -> tuple[Word, Node] | None:
    """The image that a map names, with the node that it stands in; None if it names none."""
    node = entries.get("image")
    if isinstance(node, Scalar) and node.text.strip() and not node.null:
        if "tag" in (key.text for key, _ in entries.entries) and ":" not in node.text.rsplit("/", 1)[-1]:
            return _composed(page, entries, node), node
        return page.word(node), node
    if isinstance(node, Entries):
        name = node.get("repository") or node.get("name")
        return (_composed(page, node, name), node) if isinstance(name, Scalar) and text_of(name) else None
    name = entries.get("repository")
    if isinstance(name, Scalar) and text_of(name) and isinstance(entries.get("tag"), Scalar):
        return _composed(page, entries, name), name
    return None


def _composed(page: Page, entries: Entries, name: Scalar) -> Word:
    """`registry/repository:tag@digest` of the parts that are given."""
    parts = [name]
    texts: list[Fragment | str] = [name.fragment]
    for key, mark in (("registry", "/"), ("tag", ":"), ("digest", "@")):
        part = entries.get(key)
        if not isinstance(part, Scalar) or not text_of(part):
            continue
        parts.append(part)
        texts = [part.fragment, mark, *texts] if key == "registry" else [*texts, mark, part.fragment]
    fragment = joined(page.layer, texts)
    template = next((part.template for part in parts if part.template), "")
    pinned = text_of(entries.get("tag")) or text_of(entries.get("digest"))
    word = Word(fragment, Known(fragment.text), name.guard, name.span)
    if template:
        return replace(word, fragment=page.templates.hide(fragment), value=Opaque(template))
    return word if pinned else replace(word, value=Opaque("the chart's own tag"))
