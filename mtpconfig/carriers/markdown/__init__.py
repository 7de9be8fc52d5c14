"""Markdown: commands and configurations in fenced and indented code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from mtpconfig.carrier import Opener, Surroundings
from mtpconfig.launch import Launch
from mtpconfig.text import Fragment

__all__ = ["MarkdownCarrier"]

_SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd")
_LOOKS_SO = re.compile(r"^(?:#{1,6}[ \t]+\S|[ \t]{0,3}(?:```|~~~)|={3,}[ \t]*$)", re.MULTILINE)


class MarkdownCarrier:
    """Hands the code blocks of Markdown on, each to the carrier of what stands in it.

    Prose, tables, inline code and blocks that show output are not read.
    """

    name = "markdown with fenced code"

    def claims(self, name: str, head: str) -> bool:
        """Whether a file is Markdown: by its suffix; a README without one by its beginning."""
        base = name.lower()
        return base.endswith(_SUFFIXES) or (base == "readme" and bool(_LOOKS_SO.search(head)))

    def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
        """The launches in the code blocks, in order; a block that no carrier reads is passed over."""
        from mtpconfig.carriers.markdown.blocks import code_blocks
        from mtpconfig.carriers.markdown.kinds import NESTED, reading_of
        from mtpconfig.carriers.markdown.placeholders import Placeholders

        placeholders = Placeholders(fragment.text)
        is_mdx = fragment.source.path.lower().endswith(".mdx")
        for block in code_blocks(fragment, is_mdx=is_mdx):
            reading = reading_of(block)
            if reading is not None:
                inside = replace(around, hints=(*around.hints, *block.hints), carrier=around.carrier or self.name)
                body = reading.body if reading.name == NESTED else placeholders.hide(reading.body)
                yield from placeholders.revealed(opener.open(body, reading.name, inside))
