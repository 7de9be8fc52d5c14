"""The code blocks of a Markdown text, wherever lists and quotes hold them, and the texts above each.

The block structure comes from tree-sitter-markdown, whose tree tells the very columns of each line's list and quote
prefix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Language, Node, Parser

from mtpconfig.carriers.markdown.prefixes import without_prefixes
from mtpconfig.launch import Hint
from mtpconfig.text import Fragment, Span

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_JSX_LINE = re.compile(r"^[ \t]*(?:</?[A-Za-z][^\n]*>|(?:import|export)\s[^\n]*)[ \t\r]*$", re.MULTILINE)
_HEADINGS = ("atx_heading", "setext_heading")
_WITHOUT_CODE = ("inline", "html_block", "pipe_table", "paragraph", "minus_metadata", "plus_metadata")
_LEVEL = re.compile(r"(?:atx|setext)_h([1-6])_")
_FOUR_COLUMNS = re.compile(r" {0,3}\t| {4}|")


class CodeBlock(NamedTuple):
    """A code block.

    body   its text, without the prefixes of the lists and quotes around it
    info   what stands behind the opening fence; None for an indented block
    hints  the headings that it stands under and the paragraph directly above it, nearest last
    """

    body: Fragment
    info: str | None
    hints: tuple[Hint, ...]


@lru_cache(maxsize=1)
def _parser() -> Parser:
    import tree_sitter_markdown

    return Parser(Language(tree_sitter_markdown.language()))


def code_blocks(layer: Fragment, *, is_mdx: bool = False) -> Iterator[CodeBlock]:
    """All code blocks in order; what an HTML block or a comment holds is none, save in MDX, where tags are markup."""
    stack = [_parser().parse(_stand_in(layer.text, is_mdx).encode("ascii")).root_node]
    headings: list[tuple[int, Hint]] = []
    while stack:
        node = stack.pop()
        if node.type in _HEADINGS:
            level = _level(node)
            while headings and headings[-1][0] >= level:
                headings.pop()
            headings.append((level, _comment(layer, node)))
        elif node.type == "fenced_code_block":
            yield _fenced(layer, node, _hints(layer, node, headings))
        elif node.type == "indented_code_block":
            yield CodeBlock(_indented(layer, node), None, _hints(layer, node, headings))
        elif node.type not in _WITHOUT_CODE:
            stack += reversed(node.children)


def _stand_in(text: str, is_mdx: bool) -> str:
    """A text of the same length in which bytes are code points: nothing beyond ASCII means anything to blocks."""
    plain = _NOT_ASCII.sub(".", text)
    return _JSX_LINE.sub(lambda match: " " * len(match[0]), plain) if is_mdx else plain


def _level(heading: Node) -> int:
    found = (_LEVEL.match(child.type) for child in heading.children)
    return next((int(match[1]) for match in found if match), 1)


def _hints(layer: Fragment, block: Node, headings: Sequence[tuple[int, Hint]]) -> tuple[Hint, ...]:
    chain = tuple(hint for _, hint in headings)
    above = block.prev_named_sibling
    while above is not None and above.type == "block_continuation":
        above = above.prev_named_sibling
    return (*chain, _comment(layer, above)) if above is not None and above.type == "paragraph" else chain


def _comment(layer: Fragment, node: Node) -> Hint:
    text = layer.text[node.start_byte : node.end_byte].rstrip("> \t\r\n")
    return Hint("comment", layer.slice(node.start_byte, node.start_byte + len(text)), chosen=True)


def _fenced(layer: Fragment, node: Node, hints: tuple[Hint, ...]) -> CodeBlock:
    children = {child.type: child for child in reversed(node.children)}
    info, content = children.get("info_string"), children.get("code_fence_content")
    label = layer.text[info.start_byte : info.end_byte].strip() if info is not None else ""
    if content is None:
        return CodeBlock(layer.slice(node.end_byte, node.end_byte), label, hints)
    opening, closing = children["fenced_code_block_delimiter"], node.children[-1]
    indent = _blanks(layer.text, opening)
    taken = min(indent, _blanks(layer.text, closing)) if closing.type == opening.type else 0
    body = without_prefixes(layer, Span(content.start_byte, content.end_byte), _prefixes(content), indent, taken)
    return CodeBlock(body, label, hints)


def _blanks(text: str, delimiter: Node) -> int:
    """The blanks in front of a fence, which the grammar counts as part of it."""
    written = text[delimiter.start_byte : delimiter.end_byte]
    return len(written) - len(written.lstrip(" "))


def _indented(layer: Fragment, node: Node) -> Fragment:
    blanks = _FOUR_COLUMNS.match(layer.text, node.start_byte)
    start = blanks.end() if blanks is not None else node.start_byte
    return without_prefixes(layer, Span(start, node.end_byte), _prefixes(node), 0)


def _prefixes(node: Node) -> list[Span]:
    return [Span(child.start_byte, child.end_byte) for child in node.children if child.type == "block_continuation"]
