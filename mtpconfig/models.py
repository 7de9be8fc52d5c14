"""Families of models with a head that drafts, as far as a name tells them. An unknown name says nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources.abc import Traversable

from msgspec import Struct

from mtpconfig.history import Stretch
from mtpconfig.knowledge import blaming, knowledge_root, load_toml, stretch_of
from mtpconfig.version import Scheme

_LAST_COMPONENT = re.compile(r"[^/\\]+(?=[/\\]*\Z)")


class Family(Struct, frozen=True):
    """Models of one architecture that carry a multi-token-prediction head.

    id      a short name, the same for all engines
    title   how people call them
    names   what the last component of a path or of a repository's name looks like, whatever its case
    except_ names that look alike and have no such head: distilled models, draft models, vision variants
    """

    id: str
    title: str
    names: re.Pattern[str]
    except_: re.Pattern[str]


@lru_cache(maxsize=1)
def families() -> tuple[Family, ...]:
    """All families, from `common/models.toml`. Raises KnowledgeError."""
    path = knowledge_root() / "common" / "models.toml"
    data = load_toml(path)
    with blaming(path):
        never = data["never"]
        return tuple(
            Family(
                entry["id"],
                entry["title"],
                re.compile(entry["names"], re.IGNORECASE),
                re.compile(f"{never}|{entry['except']}" if "except" in entry else never, re.IGNORECASE),
            )
            for entry in data["family"]
        )


def family_of(model: str) -> Family | None:
    """The family that a model's name tells, e.g. of `Qwen/Qwen3.6-27B-FP8` or `/models/Qwen3.6-27B`; else None."""
    found = _LAST_COMPONENT.search(model)
    if found is None:
        return None
    name = found[0]
    return next((f for f in families() if f.names.match(name) and not f.except_.search(name)), None)


def load_support(engine: str, scheme: Scheme, root: Traversable | None = None) -> Mapping[str, Stretch]:
    """The versions at which an engine drafts with a family's own head, by family, from `<root>/<engine>/models.toml`.

    Raises KnowledgeError.
    """
    path = (root or knowledge_root()) / engine / "models.toml"
    data = load_toml(path)
    with blaming(path):
        known = {family.id for family in families()}
        if unknown := set(data["family"]) - known:
            raise ValueError(f"unknown family {min(unknown)!r} (known: {', '.join(sorted(known))})")
        return {id_: stretch_of(entry, scheme) for id_, entry in data["family"].items()}
