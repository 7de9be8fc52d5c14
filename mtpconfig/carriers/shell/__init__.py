"""Shell scripts: bash, sh, zsh."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.carriers.shell.claims import is_shell, is_zsh
from mtpconfig.carriers.shell.codecs import quote
from mtpconfig.carriers.shell.layers import Context
from mtpconfig.carriers.shell.writing import write
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["ShellCarrier", "quote", "write"]

_HEAD = 200


class ShellCarrier:
    """Reads launches out of shell text and writes a launch as a command.

    The bodies of here-documents that are written to files of other formats are handed to the opener.
    """

    name = "shell script"

    def claims(self, name: str, head: str) -> bool:
        """Whether a file with this name and this beginning is a shell script."""
        return is_shell(name, head)

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """Every start of a program, in the order met; what cannot be parsed is left out, nothing is raised."""
        from mtpconfig.carriers.shell.walk import read_layer

        splits = not is_zsh(fragment.source.path, fragment.text[:_HEAD])
        yield from read_layer(fragment, Context.within(opener, around, splits=splits))

    def write(self, argv: Sequence[str], env: Mapping[str, str]) -> str:
        """A launch as a readable command."""
        return write(argv, env)
