"""Which vLLM program a launch starts, and which look-alikes it does not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mtpconfig.engine import Identity
from mtpconfig.knowledge import knowledge_root, load_toml
from mtpconfig.launch import Launch, Opaque, Word, texts_of

ENGINE = "vllm"

CALLS = {
    "vllm.LLM": "LLM",
    "vllm.entrypoints.llm.LLM": "LLM",
    "vllm.EngineArgs": "EngineArgs",
    "vllm.engine.arg_utils.EngineArgs": "EngineArgs",
    "vllm.AsyncEngineArgs": "AsyncEngineArgs",
    "vllm.engine.arg_utils.AsyncEngineArgs": "AsyncEngineArgs",
}
CONFIGURED = frozenset(("ray.serve.llm.LLMConfig", "ray.llm.LLMConfig", "ray.serve.llm.configs.LLMConfig"))
"""Calls of another program that makes vLLM's keyword arguments of one of its own."""

KEYWORDS = "engine_kwargs"
"""The program of a launch that another program makes of a map of keyword arguments."""

SERVE, SERVER = "vllm serve", "api_server"

_SUBCOMMANDS = {"serve": SERVE, "run-batch": "vllm run-batch"}
_BENCHMARKS = {name: f"vllm bench {name}" for name in ("latency", "throughput", "startup")}
_MODULES = {
    "vllm.entrypoints.openai.api_server": SERVER,
    "vllm.entrypoints.api_server": SERVER,
    "vllm.entrypoints.openai.run_batch": "vllm run-batch",
}
_COMMANDS = ("vllm.entrypoints.cli.main", "vllm.scripts")
_SCRIPT = re.compile(r"(?:^|/)vllm/entrypoints/(?:openai/)?api_server\.py$")
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*(?:\.exe)?")
_SHELL = re.compile(r"(?:ba|z|da|a|k)?sh")
_BARE_PYTHON = frozenset(("-u", "-O", "-OO", "-B", "-E", "-I", "-s", "-S"))
_SERVING = re.compile(
    r"(?:^|/)vllm-openai(?:-[\w.-]+)?(?=$|[:@])|(?:^|/)vllm-[\w-]*release-repo(?=$|[:@])|(?:^|/)vllm/vllm-tpu(?=$|[:@])"
)
_NO_MODEL = re.compile(r"(?:.*/)?(?:\w*sh|env|python[\d.]*|sleep|tail|nvidia-smi|pip3?|ray|\w+\.(?:sh|py))")
_WRAPPED = 12
"""Words of a script's command line among which `vllm` may follow: `launch.sh --solo exec vllm serve`."""

_ASKS_ONLY = re.compile(r"--help(?:=.*)?|-h|--version")


def identify(launch: Launch) -> Identity | None:
    """The program that a launch starts; None when it is none of vLLM's, or when it is only asked for its help."""
    if launch.engine == ENGINE and not launch.argv:
        return Identity(ENGINE, SERVE, 0, markers=("a configuration file",))
    found = _from_image(launch) if launch.image is not None and launch.entrypoint is None else _from_program(launch)
    if found is None:
        return None
    program, args_at, marker = found
    words = [word.text for word in launch.argv[args_at:]]
    if any(map(_ASKS_ONLY.fullmatch, words)):
        return None
    fork = _fork(launch, words)
    if fork is not None:
        return Identity(fork, program, args_at, ours=False, markers=(marker,))
    return Identity(ENGINE, program, args_at, markers=(marker,))


def _text(word: Word) -> str:
    return next(iter(texts_of(word.value)), word.text)


def _basename(word: Word) -> str:
    return re.split(r"[/\\]", _text(word))[-1].removesuffix(".exe")


def _from_program(launch: Launch) -> tuple[str, int, str] | None:
    """The program, the place of its first argument in the launch's argv, and what told it."""
    if launch.argv and launch.argv[0].text in CONFIGURED and any(one.name.text == KEYWORDS for one in launch.given):
        return KEYWORDS, 1, launch.argv[0].text
    entrypoint = launch.entrypoint
    if entrypoint is not None and _SHELL.fullmatch(_basename(entrypoint)):
        entrypoint = None  # the words are those of a command in its script
    inside = int(entrypoint is not None)
    words = [*([entrypoint] if entrypoint is not None else []), *launch.argv]
    found = _named(words)
    return (found[0], max(found[1] - inside, 0), found[2]) if found is not None else None


def _named(words: Sequence[Word]) -> tuple[str, int, str] | None:
    if not words:
        return None
    first = _text(words[0])
    if first in CALLS:
        return CALLS[first], 1, first
    if first == KEYWORDS:
        return KEYWORDS, 1, first
    name = _basename(words[0])
    if name == "vllm":
        return _subcommand(words, 1, "vllm")
    if _SCRIPT.search(first.replace("\\", "/")):
        return SERVER, 1, name
    if name.endswith(".sh"):
        place = next((n for n, word in enumerate(words[1:_WRAPPED], 1) if word.text == "vllm"), None)
        return _subcommand(words, place + 1, name) if place is not None else None
    if _PYTHON.fullmatch(name) or (isinstance(words[0].value, Opaque) and len(words) > 2 and words[1].text == "-m"):
        return _module(words)
    return None


def _subcommand(words: Sequence[Word], at: int, marker: str) -> tuple[str, int, str] | None:
    """What stands behind `vllm`, at a place among the words."""
    if len(words) <= at:
        return None
    name = _text(words[at])
    if name in _SUBCOMMANDS:
        return _SUBCOMMANDS[name], at + 1, f"{marker} {name}"
    if name == "bench" and len(words) > at + 1 and _text(words[at + 1]) in _BENCHMARKS:
        return _BENCHMARKS[_text(words[at + 1])], at + 2, f"{marker} bench"
    return None


def _module(words: Sequence[Word]) -> tuple[str, int, str] | None:
    """`python -m MODULE` and `python .../api_server.py`."""
    place = 1
    while place < len(words) and words[place].text in _BARE_PYTHON:
        place += 1
    if place >= len(words):
        return None
    if _SCRIPT.search(words[place].text):
        return SERVER, place + 1, words[place].text
    if words[place].text != "-m" or place + 1 >= len(words):
        return None
    module = words[place + 1].text
    if module in _MODULES:
        return _MODULES[module], place + 2, module
    return _subcommand(words, place + 2, module) if module in _COMMANDS else None


def _from_image(launch: Launch) -> tuple[str, int, str] | None:
    """The program of a container image whose own entrypoint runs."""
    assert launch.image is not None
    if launch.argv and (named := _named(launch.argv)):
        return named
    if not _SERVING.search(launch.image.text):
        return None
    first = launch.argv[0].text if launch.argv else ""
    if first and not first.startswith("-") and _NO_MODEL.fullmatch(first):
        return None
    return SERVE, 0, launch.image.text


@lru_cache(maxsize=1)
def _forks() -> list[tuple[str, re.Pattern[str] | None, frozenset[str]]]:
    data = load_toml(knowledge_root() / ENGINE / "forks.toml")
    return [
        (
            entry["name"],
            re.compile(entry["path"], re.IGNORECASE) if "path" in entry else None,
            frozenset(entry.get("flags", ())),
        )
        for entry in data["fork"]
    ]


def _fork(launch: Launch, words: Sequence[str]) -> str | None:
    """The fork whose image, path or options stand in the launch; its options are its own there, and right."""
    where = [launch.image.text] if launch.image is not None else []
    where += [_text(word) for word in launch.argv[:1]]
    where += launch.places
    for name, path, flags in _forks():
        if (path is not None and any(path.search(text) for text in where)) or not flags.isdisjoint(words):
            return str(name)
    return None
