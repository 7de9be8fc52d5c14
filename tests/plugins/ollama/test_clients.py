"""Calls of a client in a program: launches that are given arguments by name, whatever carrier reads them."""

from __future__ import annotations

import pytest

from mtpconfig.launch import Given, Known, Launch, Opaque, Word
from mtpconfig.text import Fragment, Source

from .support import ollama, version


def call(program: str, words: list[str], **arguments: str) -> Launch:
    """A call as a carrier hands it over; `__` in a name stands for the dot of a path."""
    source = Fragment.of(Source("app.py", "x" * 10))
    given = tuple(
        Given("kwarg", Word(Fragment.synthetic(name.replace("__", "."), source), Known(name)), _value(text, source))
        for name, text in arguments.items()
    )
    argv = tuple(Word(Fragment.synthetic(text, source), Known(text)) for text in (program, *words))
    return Launch(argv=argv, fragment=source, given=given, carrier="python")


def _value(text: str, source: Fragment) -> Word:
    return Word(Fragment.synthetic(text, source), Opaque(text) if text == "k" else Known(text))


URL = "http://127.0.0.1:11434/api/chat"


@pytest.mark.parametrize(
    ("launch", "state", "gamma"),
    [
        (call("requests.post", [URL], json__model="'m1'", json__options__draft_num_predict="2"), "on", 2),
        (call("requests.post", [], url=URL, json__options__draft_num_predict="0"), "off", None),
        (call("httpx.post", [URL], json__options__draft_num_predict="k"), "unknown", None),
        (call("ollama.chat", [], options__draft_num_predict="4"), "on", 4),
        (call("ollama.Client().generate", [], options__draft_num_predict="4"), "on", 4),
        (call("ollama.chat", [], options__draft_num_predict="None"), "on", 4),
    ],
)
def test_a_call_to_ollama(launch: Launch, state: str, gamma: int | None) -> None:
    found = ollama().identify(launch)
    assert found is not None and found.program == "ollama request"
    named = Launch(
        argv=launch.argv, fragment=launch.fragment, given=launch.given, program=found.program, args_at=found.args_at
    )
    spec = ollama().read(named, version("0.32.14")).spec
    assert (spec.state, spec.gamma) == (state, gamma)


@pytest.mark.parametrize(
    "launch",
    [
        call("requests.post", ["https://mail.example/api/drafts"], json__draft_num_predict="600"),
        call("Settings", [], draft_num_predict="600"),
        call("ollama.chat", [], options__num_ctx="8192"),
        call("requests.post", [URL], json__options__num_predict="600"),
    ],
)
def test_what_is_none(launch: Launch) -> None:
    assert ollama().identify(launch) is None
