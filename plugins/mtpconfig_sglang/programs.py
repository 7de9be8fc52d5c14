"""Which SGLang program a launch starts, and which look-alikes it does not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtpconfig.engine import Identity
from mtpconfig.launch import Launch, Opaque, Word, texts_of

ENGINE = "sglang"

CALLS = {
    "sglang.Engine": "sglang.Engine",
    "sglang.srt.entrypoints.engine.Engine": "sglang.Engine",
    "sglang.ServerArgs": "sglang.ServerArgs",
    "sglang.srt.server_args.ServerArgs": "sglang.ServerArgs",
}
SERVE, SERVER = "sglang serve", "launch_server"

_MODULES = {
    "sglang.launch_server": SERVER,
    "sglang_router.launch_server": SERVER,  # starts a router too, whose own options begin with --router-
    "sglang.bench_offline_throughput": "bench_offline_throughput",
    "sglang.bench_one_batch": "bench_one_batch",
    "sglang.bench_one_batch_server": "bench_one_batch_server",
}
_COMMANDS = ("sglang.cli.main",)
_SCRIPT = re.compile(r"(?:^|/)sglang/(?P<name>launch_server|bench_offline_throughput|bench_one_batch(?:_server)?)\.py$")
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*(?:\.exe)?")
_BARE_PYTHON = frozenset(("-u", "-O", "-OO", "-B", "-E", "-I", "-s", "-S"))
_ASKS_ONLY = frozenset(("-h", "--help"))
_FORK = re.compile(r"sglang[-_](?:kt|jax)\b|\bktransformers\b", re.IGNORECASE)


def identify(launch: Launch) -> Identity | None:
    """The program that a launch starts; None when it is none of SGLang's, or when it is only asked for its help.

    The published images have no server as their entrypoint: what they run is said in words.
    """
    if launch.engine == ENGINE and not launch.argv:
        return Identity(ENGINE, SERVE, 0, markers=("a configuration file",))
    found = _from_program(launch)
    if found is None:
        return None
    program, args_at, marker = found
    words = [word.text for word in launch.argv[args_at:]]
    if not _ASKS_ONLY.isdisjoint(words) or _serves_images(words):
        return None
    fork = _fork(launch)
    if fork is not None:
        return Identity(fork, program, args_at, ours=False, markers=(marker,))
    return Identity(ENGINE, program, args_at, markers=(marker,))


def _serves_images(words: Sequence[str]) -> bool:
    """Whether `sglang serve` is told to start the server of diffusion models, which has options of its own."""
    joined = " ".join(words)
    return re.search(r"(?:^| )--model-type[ =]diffusion\b", joined) is not None


def _text(word: Word) -> str:
    return next(iter(texts_of(word.value)), word.text)


def _from_program(launch: Launch) -> tuple[str, int, str] | None:
    """The program, the place of its first argument in the launch's argv, and what told it."""
    inside = int(launch.entrypoint is not None)
    words = [*([launch.entrypoint] if launch.entrypoint is not None else []), *launch.argv]
    found = _named(words)
    return (found[0], max(found[1] - inside, 0), found[2]) if found is not None else None


def _named(words: Sequence[Word]) -> tuple[str, int, str] | None:
    if not words:
        return None
    first = _text(words[0])
    if first in CALLS:
        return CALLS[first], 1, first
    name = re.split(r"[/\\]", first)[-1].removesuffix(".exe")
    if name == "sglang" and len(words) > 1 and _text(words[1]) == "serve":
        return SERVE, 2, "sglang serve"
    if script := _SCRIPT.search(first.replace("\\", "/")):
        return script["name"], 1, name
    if _PYTHON.fullmatch(name) or (isinstance(words[0].value, Opaque) and len(words) > 2 and words[1].text == "-m"):
        return _module(words)
    return None


def _module(words: Sequence[Word]) -> tuple[str, int, str] | None:
    """`python -m MODULE` and `python .../launch_server.py`."""
    place = 1
    while place < len(words) and words[place].text in _BARE_PYTHON:
        place += 1
    if place >= len(words):
        return None
    if script := _SCRIPT.search(words[place].text):
        return script["name"], place + 1, words[place].text
    if words[place].text != "-m" or place + 1 >= len(words):
        return None
    module = words[place + 1].text
    if module in _MODULES:
        return _MODULES[module], place + 2, module
    if module in _COMMANDS and len(words) > place + 2 and _text(words[place + 2]) == "serve":
        return SERVE, place + 3, module
    return None


def _fork(launch: Launch) -> str | None:
    """The fork whose image or path stands in the launch; its options are its own there, and right."""
    where = [launch.image.text] if launch.image is not None else []
    where += [_text(word) for word in launch.argv[:1]]
    where += launch.places
    found = next((match for text in where if (match := _FORK.search(text))), None)
    return found[0].lower() if found else None
