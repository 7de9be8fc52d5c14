"""A launch as a readable shell command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mtpconfig.carriers.shell.codecs import quote

_WIDTH = 100
_INDENT = "  "
_CONTINUED = " \\\n" + _INDENT


def write(argv: Sequence[str], env: Mapping[str, str], live: Mapping[str, str] | None = None) -> str:
    """A command as people write it: assignments, the program, then options with their values on continuation lines.

    `live` has the spelling of words whose variables the shell shall fill in; all others are quoted as they are. Lines
    are at most 100 columns wide where the words allow it. A command that fits on one line stays on it.
    """
    groups = [*(f"{name}={quote(value) if value else ''}" for name, value in env.items()), *_groups(argv, live or {})]
    line = " ".join(groups)
    if len(line) <= _WIDTH and len(groups) <= 3 and "\n" not in line:
        return line
    lines: list[str] = []
    for group in groups:
        opens = not lines or not group.startswith("-") or not lines[-1].startswith("-")
        room = len(lines[-1]) + 1 + len(group) + len(_INDENT) + 2 <= _WIDTH if lines else False
        if lines and room and not (opens and _is_option(group) != _is_option(lines[-1])):
            lines[-1] += " " + group
        else:
            lines.append(group)
    return _CONTINUED.join(lines)


def _is_option(text: str) -> bool:
    return text.startswith("-")


def _groups(argv: Sequence[str], live: Mapping[str, str]) -> list[str]:
    """The program with its words, then each option with its values."""
    groups: list[list[str]] = []
    for word in argv:
        if not groups or (word.startswith("-") and not _is_number(word)):
            groups.append([live.get(word) or quote(word)])
        else:
            groups[-1].append(live.get(word) or quote(word))
    return [" ".join(group) for group in groups]


def _is_number(word: str) -> bool:
    return word[1:].replace(".", "", 1).isdigit()
