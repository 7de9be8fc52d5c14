"""Which of Ollama's commands a launch is: its own subcommands, its image, a Modelfile, a request to it."""

from __future__ import annotations

import re

from mtpconfig.engine import Identity
from mtpconfig.launch import Launch, texts_of
from mtpconfig_ollama.models import ENGINE
from mtpconfig_ollama.requests import MARKER, request_of

MODELFILE, REQUEST = "Modelfile", "ollama request"
IMAGE = re.compile(r"(?:^|/)ollama/ollama(?::(?P<tag>[\w.-]+))?(?:@sha256:\w+)?\Z")
VARIABLE = "OLLAMA_MLX_MTP_"

_SUBCOMMANDS = {name: f"ollama {name}" for name in ("serve", "run", "create", "pull", "show")} | {
    "start": "ollama serve"
}
_ASKS_ONLY = frozenset(("-h", "--help", "-v", "--version"))


def identify(launch: Launch) -> Identity | None:
    """The command of Ollama's that a launch is; None where it is none, or only asks for help."""
    if not launch.argv and any(given.surface in ("param", "instruction") for given in launch.given):
        return Identity(ENGINE, MODELFILE, 0, markers=("a Modelfile",))
    if not launch.argv and launch.image is None:
        dead = any(given.name.text.startswith(VARIABLE) for given in launch.given)
        return Identity(ENGINE, "ollama serve", 0, markers=("its variables",)) if dead else None
    found = _by_program(launch) or _by_image(launch)
    if found is not None:
        words = [word.text for word in launch.argv[found.args_at :]]
        return None if not _ASKS_ONLY.isdisjoint(words[:1]) or "--help" in words else found
    request = request_of(launch)
    if request is not None and request.says_drafting:
        return Identity(ENGINE, REQUEST, 1, markers=(MARKER,))
    return None


def _by_program(launch: Launch) -> Identity | None:
    first = launch.entrypoint
    place = 0
    if first is None and launch.argv:
        first, place = launch.argv[0], 1
    if first is None or _name(next(iter(texts_of(first.value)), first.text)) != "ollama":
        return None
    program = _SUBCOMMANDS.get(launch.argv[place].text) if len(launch.argv) > place else None
    return Identity(ENGINE, program, place + 1, markers=("ollama",)) if program else None


def _by_image(launch: Launch) -> Identity | None:
    """The image's own entrypoint is the program, and `serve` what it does when nothing is said."""
    if launch.image is None or launch.entrypoint is not None or not IMAGE.search(launch.image.text):
        return None
    if not launch.argv:
        return Identity(ENGINE, "ollama serve", 0, markers=(launch.image.text,))
    program = _SUBCOMMANDS.get(launch.argv[0].text)
    return Identity(ENGINE, program, 1, markers=(launch.image.text,)) if program else None


def _name(text: str) -> str:
    return re.split(r"[/\\]", text)[-1].removesuffix(".exe")
