"""Which llama.cpp program a launch starts, and which look-alikes it does not."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

from mtpconfig.engine import Identity
from mtpconfig.knowledge import knowledge_root, load_toml
from mtpconfig.launch import Launch, Opaque, Word, texts_of
from mtpconfig_llamacpp.arguments import KEYED

ENGINE = "llama.cpp"
VARIABLES = "LLAMA_ARG_"
PACKAGE = "llama-cpp-python"

_CLASS = re.compile(r"llama_cpp(?:\.llama)?\.Llama(?:\.from_pretrained)?")
_PYTHON = re.compile(r"python[\d.]*(?:\.exe)?")
_SERVER = "llama_cpp.server"

_PROGRAM = re.compile(
    r"(?P<name>llama-(?:server|cli|completion|speculative-simple|speculative|lookup|bench|perplexity|imatrix|run|tts|"
    r"mtmd-cli|batched-bench|embedding|simple))(?:[-_]b?\d+)?(?:\.exe)?"
)
_OLD_NAMES = {"server": "llama-server", "main": "llama-cli", "speculative": "llama-speculative"}
_SUBCOMMANDS = {
    "serve": "llama-server",
    "server": "llama-server",
    "cli": "llama-cli",
    "completion": "llama-completion",
    "download": "llama-download",
    "bench": "llama-bench",
    "perplexity": "llama-perplexity",
}
_IMAGE = re.compile(r"(?:^|/)llama\.cpp:(?P<variant>server|light|full)(?=$|[-@])|(?:^|/)llama\.cpp(?P<bare>$|:|@)")
_FULL_MODES = {
    "--server": "llama-server",
    "-s": "llama-server",
    "--run": "llama-cli",
    "-r": "llama-cli",
    "--bench": "llama-bench",
    "-b": "llama-bench",
    "--perplexity": "llama-perplexity",
    "-p": "llama-perplexity",
}
_ASKS_ONLY = frozenset(
    {"-h", "--help", "--usage", "--version", "--list-devices", "-cl", "--cache-list", "--completion-bash"}
)
_MODEL = frozenset({"-m", "--model", "-hf", "-hfr", "--hf-repo", "-mu", "--model-url", "-dr", "--docker-repo"})
_DISTINCTIVE = re.compile(
    r"--(?:spec-(?:type|default|draft-|ngram-)|draft-(?:max|min|p-min|p-split)|gpu-layers-draft|ctx-size-draft)|-ngld|-hfd"
)


def identify(launch: Launch) -> Identity | None:
    """The program that a launch starts; None when it is none of llama.cpp's, or when it is only asked for its help."""
    if (bindings := _bindings(launch)) is not None:
        return bindings
    if not launch.argv and any(given.surface in KEYED for given in launch.given):
        return Identity(ENGINE, "llama-server", 0, markers=("a preset file",))
    if not launch.argv and launch.image is None and any(g.name.text.startswith(VARIABLES) for g in launch.given):
        return Identity(ENGINE, "llama-server", 0, markers=("its variables",))
    found = _from_image(launch) if launch.image is not None and launch.entrypoint is None else _from_program(launch)
    if found is None:
        return None
    program, args_at, marker = found
    words = [word.text for word in launch.argv[args_at:]]
    if not _ASKS_ONLY.isdisjoint(words):
        return None
    fork = _fork(launch, words)
    if fork is not None:
        return Identity(fork, program, args_at, ours=False, markers=(marker,))
    return Identity(ENGINE, program, args_at, markers=(marker,))


def _bindings(launch: Launch) -> Identity | None:
    """A start of llama-cpp-python: its class in a program, or the server of the package.

    It links llama.cpp's library and has settings of its own (read in 0.3.36): `draft_model` is an object that looks
    words up in the prompt, and any text in the server's setting of that name means the same. No option of llama-server
    can be given to it, neither can its version be told from llama.cpp's builds.
    """
    first = launch.argv[0].text if launch.argv and launch.image is None else ""
    if _CLASS.fullmatch(first):
        return Identity(PACKAGE, first, ours=False, markers=(first,))
    second = [word.text for word in launch.argv[1:3]]
    if _PYTHON.fullmatch(re.split(r"[/\\]", first)[-1]) and second == ["-m", _SERVER]:
        return Identity(PACKAGE, _SERVER, 3, ours=False, markers=(_SERVER,))
    return None


def _basename(word: Word) -> str:
    text = next(iter(texts_of(word.value)), word.text)
    return re.split(r"[/\\]", text)[-1]


def _from_program(launch: Launch) -> tuple[str, int, str] | None:
    first = launch.entrypoint
    args_at = 0 if first is not None else 1
    if first is None:
        if not launch.argv:
            return None
        first = launch.argv[0]
    name = _basename(first)
    if match := _PROGRAM.fullmatch(name):
        return match["name"], args_at, name
    if name in ("llama", "llama.exe") and len(launch.argv) > args_at:
        program = _SUBCOMMANDS.get(launch.argv[args_at].text)
        return (program, args_at + 1, f"llama {launch.argv[args_at].text}") if program else None
    words = [word.text for word in launch.argv[args_at:]]
    if (
        name.removesuffix(".exe") in _OLD_NAMES
        and any(w in _MODEL for w in words)
        and any(w.endswith(".gguf") for w in words)
    ):
        return _OLD_NAMES[name.removesuffix(".exe")], args_at, name
    if isinstance(first.value, Opaque) and any(w in _MODEL for w in words) and any(map(_DISTINCTIVE.match, words)):
        return "llama-server", args_at, "its options"
    return None


def _from_image(launch: Launch) -> tuple[str, int, str] | None:
    assert launch.image is not None
    match = _IMAGE.search(launch.image.text)
    if launch.argv and (named := _from_program(launch)):
        return named
    if match is None:
        return None
    marker = launch.image.text
    variant = match["variant"]
    if variant == "full":
        mode = _FULL_MODES.get(launch.argv[0].text) if launch.argv else None
        return (mode, 1, marker) if mode else None
    if variant == "light":
        return "llama-cli", 0, marker
    words = [word.text for word in launch.argv]
    if words and not words[0].startswith("-") and not words[0].endswith(".sh"):
        return None
    if variant == "server" or any(w in _MODEL for w in words):
        return "llama-server", 0, marker
    return None


@lru_cache(maxsize=1)
def _forks() -> list[tuple[str, re.Pattern[str] | None, frozenset[str], dict[str, re.Pattern[str]]]]:
    data = load_toml(knowledge_root() / ENGINE / "forks.toml")
    return [
        (
            entry["name"],
            re.compile(entry["path"], re.IGNORECASE) if "path" in entry else None,
            frozenset(entry.get("flags", ())),
            {flag: re.compile(pattern) for flag, pattern in entry.get("values", {}).items()},
        )
        for entry in data["fork"]
    ]


def _fork(launch: Launch, words: list[str]) -> str | None:
    """The fork whose path or options stand in the launch; its flags are its own there, and right."""
    where = [launch.image.text] if launch.image is not None else []
    if launch.argv[:1]:
        where.append(next(iter(texts_of(launch.argv[0].value)), launch.argv[0].text))
    where += launch.places
    for name, path, flags, values in _forks():
        if path is not None and any(path.search(text) for text in where):
            return str(name)
        if not flags.isdisjoint(words):
            return str(name)
        for flag, value in itertools.pairwise(words):
            if flag in values and values[flag].fullmatch(value):
                return str(name)
    return None
