"""Texts of a Dockerfile that may name a version: pinned packages, checked-out tags, downloaded releases."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping

from mtpconfig.carriers.dockerfile.grammar import Instruction
from mtpconfig.carriers.dockerfile.words import Reader, Variable
from mtpconfig.launch import Hint
from mtpconfig.text import Span

_INSTALLER = re.compile(r"\b(?:pip[\d.]*|uv|conda|mamba|poetry|pipx)\s")
_INSTALL = re.compile(r"\s(?:install|add)\s")
_FETCHER = re.compile(r"\b(?:git|curl|wget)\s")
_PIN = re.compile(r"[A-Za-z0-9][\w.-]*(?:\[[\w,.-]*\])?\s*(?:===?|~=|@|>=|<=|<|>).+", re.DOTALL)
_MOST = 200


def version_texts(
    instruction: Instruction, text: str, reader: Reader, variables: Mapping[str, Variable]
) -> Iterator[Hint]:
    """The hints in one RUN or ADD instruction, with build arguments replaced."""
    if instruction.keyword == "ADD":
        yield Hint("comment", reader.word(instruction.arguments, variables).fragment)
        return
    for place in (instruction.arguments, *(heredoc.body for heredoc in instruction.heredocs)):
        commands = (command for command in reader.commands(place) if _mentions_version(text, command))
        for command in itertools.islice(commands, _MOST):
            yield from _hints_of(command, text, reader, variables)


def _mentions_version(text: str, command: Span) -> bool:
    return bool(_INSTALLER.search(text, *command) or _FETCHER.search(text, *command))


def _hints_of(command: Span, text: str, reader: Reader, variables: Mapping[str, Variable]) -> Iterator[Hint]:
    installer = _INSTALLER.search(text, *command)
    install = _INSTALL.search(text, installer.end() - 1, command.end) if installer else None
    if install is not None:
        for place in reader.split(Span(install.end(), command.end))[:_MOST]:
            word = reader.word(place, variables)
            if _PIN.fullmatch(word.text):
                yield Hint("pin", word.fragment)
    elif fetcher := _FETCHER.search(text, *command):
        end = fetcher.start() + len(text[fetcher.start() : command.end].rstrip())
        yield Hint("comment", reader.word(Span(fetcher.start(), end), variables).fragment)
