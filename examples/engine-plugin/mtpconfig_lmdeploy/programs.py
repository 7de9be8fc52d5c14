"""Which launches start LMDeploy's server."""

from __future__ import annotations

import re

from mtpconfig.engine import Identity
from mtpconfig.launch import Launch, texts_of

ENGINE = "lmdeploy"
SERVER = "lmdeploy serve api_server"


def identify(launch: Launch) -> Identity | None:
    """The server; None for other programs and for a launch that only asks for help."""
    words = [next(iter(texts_of(word.value)), word.text) for word in launch.argv[:3]]
    if len(words) < 3 or re.split(r"[/\\]", words[0])[-1] != "lmdeploy" or words[1:] != ["serve", "api_server"]:
        return None
    if any(word.text in ("-h", "--help") for word in launch.argv[3:]):
        return None
    return Identity(ENGINE, SERVER, args_at=3, markers=(SERVER,))
