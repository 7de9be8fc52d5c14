"""Shell scripts: bash, sh, zsh."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mtpconfig.carriers.shell.claims import is_shell, is_zsh
from mtpconfig.carriers.shell.codecs import quote
from mtpconfig.carriers.shell.layers import Context, OpenOther
from mtpconfig.carriers.shell.writing import write
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["OpenOther", "ShellCarrier", "quote", "write"]

_HEAD = 200


class ShellCarrier:
    """Reads launches out of shell text and writes a launch as a command.

    `open_other(text, file_name)` is asked for the launches in here-documents that are no shell text: unit files, YAML,
    Python ... The file name is empty when the text goes to a program's standard input.
    """

    name = "shell script"

    def __init__(self, open_other: OpenOther | None = None) -> None:
        self._open_other = open_other

    def claims(self, name: str, head: str) -> bool:
        """Whether a file with this name and this beginning is a shell script."""
        return is_shell(name, head)

    def read(self, fragment: Fragment) -> Iterator[Launch]:
        """Every start of a program, in the order met; what cannot be parsed is left out, nothing is raised."""
        from mtpconfig.carriers.shell.walk import read_layer

        splits = not is_zsh(fragment.source.path, fragment.text[:_HEAD])
        yield from read_layer(fragment, Context(self._open_other, splits=splits))

    def write(self, argv: Sequence[str], env: Mapping[str, str]) -> str:
        """A launch as a readable command."""
        return write(argv, env)
