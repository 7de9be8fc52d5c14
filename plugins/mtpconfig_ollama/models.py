"""What the name of a model tells: where it comes from, which runner serves it, whether it brings drafting along."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from mtpconfig.history import ALL_VERSIONS, Stretch
from mtpconfig.knowledge import blaming, knowledge_root, load_toml
from mtpconfig.version import PEP440, Version

ENGINE = "ollama"

Origin = Literal["file", "hub", "library"]
Runner = Literal["gguf", "mlx", ""]

_PATH = re.compile(r"[./~\\]|[A-Za-z]:[\\/]|.*\.(?:gguf|safetensors|bin)\Z", re.IGNORECASE | re.DOTALL)
_HUB = re.compile(r"(?:https?://)?(?:hf\.co|huggingface\.co)/", re.IGNORECASE)
_SAYS_MTP = re.compile(r"(?<![A-Za-z])(?:mtp|nextn)(?![A-Za-z])", re.IGNORECASE)


class Tag(Struct, frozen=True):
    """Tags of the library of which something is known, by pattern.

    runner  the runner that serves them
    gamma   the `draft_num_predict` that they bring along; None where that is not known
    """

    pattern: re.Pattern[str]
    runner: Runner
    gamma: int | None
    stretch: Stretch
    why: str


@lru_cache(maxsize=1)
def _tags() -> tuple[Tag, ...]:
    path = knowledge_root() / ENGINE / "tags.toml"
    data = load_toml(path)
    with blaming(path):
        return tuple(
            Tag(re.compile(row["pattern"]), row.get("runner", ""), row.get("gamma"), _since(row), row["why"])
            for row in data["tag"]
        )


def _since(row: dict[str, list[str]]) -> Stretch:
    if "since" not in row:
        return ALL_VERSIONS
    low, first = row["since"]
    return Stretch((PEP440.parse(low) if low else None, PEP440.parse(first)))


def origin_of(model: str) -> Origin:
    """Whether a model is a file on this machine, a repository of the Hugging Face hub, or from Ollama's library."""
    if _HUB.match(model):
        return "hub"
    return "file" if _PATH.match(model) else "library"


def tags_of(model: str, version: Version) -> tuple[Tag, ...]:
    """What is known of a library model at a version."""
    if origin_of(model) != "library":
        return ()
    return tuple(tag for tag in _tags() if tag.pattern.search(model.lower()) and tag.stretch.holds(version))


def runner_of(model: str, version: Version) -> Runner:
    """Which runner surely serves a model; empty where its name does not tell."""
    origin = origin_of(model)
    if origin == "hub" or model.lower().endswith(".gguf"):
        return "gguf"
    return next((tag.runner for tag in tags_of(model, version) if tag.runner), "")


def names_mtp(model: str) -> bool:
    """Whether a name says that an MTP head is inside; that is no proof."""
    return bool(_SAYS_MTP.search(model))
