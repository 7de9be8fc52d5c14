"""Texts in, SGLang's readings out."""

from __future__ import annotations

from mtpconfig.engine import Engine, Reading
from mtpconfig.hooks import find_engine
from mtpconfig.launch import Given, Known, Launch, Word
from mtpconfig.text import Fragment, Source
from mtpconfig.version import PEP440, Version

from ...support import launch


def sglang() -> Engine:
    return find_engine("sglang")


def release(text: str) -> Version:
    return PEP440.parse(text)


def read(text: str, version: str) -> Reading:
    """The one launch of a shell script as a release reads it."""
    return sglang().read(launch(text + "\n"), release(version))


def serve(words: str, version: str = "0.5.10") -> Reading:
    return read(f"python3 -m sglang.launch_server --model-path org/m {words}", version)


def call(version: str = "0.5.10", **keywords: str) -> Reading:
    """A call of `Engine` as a carrier of Python hands it over."""

    def word(text: str) -> Word:
        return Word(Fragment.of(Source("a.py", text)), Known(text))

    program = word("sglang.Engine")
    given = tuple(Given("kwarg", word(name), word(value)) for name, value in keywords.items())
    bare = Launch((program,), program.fragment, given)
    found = sglang().identify(bare)
    assert found is not None and found.program == "sglang.Engine"
    called = Launch((program,), program.fragment, given, engine="sglang", program=found.program, args_at=found.args_at)
    return sglang().read(called, release(version))
