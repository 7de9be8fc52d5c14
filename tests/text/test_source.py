from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtpconfig.errors import UnreadableFile
from mtpconfig.text import Position, Source

BOMS = {"utf-8": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)


@pytest.mark.parametrize("encoding", BOMS)
def test_a_byte_order_mark_tells_the_encoding_and_is_no_text(encoding: str) -> None:
    source = Source.from_bytes("a.sh", BOMS[encoding] + "llama \u03b3\n".encode(encoding))
    assert (source.text, source.encoding, source.bom) == ("llama \u03b3\n", encoding, BOMS[encoding])


def test_without_a_mark_it_is_utf_8() -> None:
    source = Source.from_bytes("a.sh", "\u03b3 \U0001f999".encode())
    assert (source.text, source.bom) == ("\u03b3 \U0001f999", b"")


@given(TEXT, st.sampled_from(sorted(BOMS)))
def test_every_text_with_a_mark_comes_back_byte_for_byte(text: str, encoding: str) -> None:
    data = BOMS[encoding] + text.encode(encoding)
    assert Source.from_bytes("a", data).to_bytes() == data


@given(TEXT.filter(lambda text: not text.startswith("\ufeff")))
def test_every_text_without_a_mark_comes_back_byte_for_byte(text: str) -> None:
    data = text.encode()
    assert Source.from_bytes("a", data).to_bytes() == data


@given(TEXT, st.sampled_from(sorted(BOMS)))
def test_a_replacement_is_written_in_the_files_own_encoding(text: str, encoding: str) -> None:
    source = Source.from_bytes("a", BOMS[encoding] + "x".encode(encoding))
    assert Source.from_bytes("a", source.to_bytes(text)).text == text


@pytest.mark.parametrize(
    ("data", "line", "byte"),
    [
        (b"\xff", 1, "0xff"),
        (b"a\nb\nc \xe9 d\n", 3, "0xe9"),
        (b"a\r\nb\r\n\xc3(", 3, "0xc3"),
        (codecs.BOM_UTF8 + b"ok\n\xa0\n", 2, "0xa0"),
    ],
)
def test_invalid_bytes_are_told_with_their_line(data: bytes, line: int, byte: str) -> None:
    with pytest.raises(UnreadableFile, match=rf"line {line} is not valid UTF-8 \(byte {byte}\)"):
        Source.from_bytes("a.sh", data)


@pytest.mark.parametrize("data", [b"a\0b", b"\0", b"\x7fELF\x02\x01\x01\0\0llama", codecs.BOM_UTF8 + b"a\0"])
def test_nul_bytes_mean_binary(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match="binary"):
        Source.from_bytes("a.sh", data)


@pytest.mark.parametrize("data", [codecs.BOM_UTF16_LE + b"a", codecs.BOM_UTF16_LE + b"\x00\xd8a\x00"])
def test_broken_utf_16_is_unreadable(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match="not valid UTF-16-LE"):
        Source.from_bytes("a.sh", data)


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        ("", 0, (1, 1)),
        ("abc", 2, (1, 3)),
        ("a\nb", 2, (2, 1)),
        ("a\nb", 1, (1, 2)),
        ("a\r\nb", 3, (2, 1)),
        ("a\r\nb", 2, (1, 3)),
        ("a\rb", 2, (2, 1)),
        ("\U0001f999\u03b3x", 2, (1, 3)),
        ("e\u0301x\n\n", 4, (2, 1)),
        ("a\n", 2, (2, 1)),
        ("a\u2028b", 2, (1, 3)),
        ("a\x0cb", 2, (1, 3)),
    ],
)
def test_positions_count_code_points_and_all_three_line_ends(text: str, offset: int, position: tuple[int, int]) -> None:
    assert Source("a", text).position(offset) == Position(*position)


def test_a_line_comes_without_its_end_and_past_the_file_it_is_empty() -> None:
    source = Source("a", "one\r\ntwo\rthree\nfour")
    assert [source.line(number) for number in range(6)] == ["", "one", "two", "three", "four", ""]


@given(st.text("a\r\n\U0001f999", max_size=30), st.data())
def test_a_position_leads_back_to_its_offset(text: str, data: st.DataObject) -> None:
    source = Source("a", text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = source.position(offset)
    assert source.line_starts[line - 1] + column - 1 == offset
    assert 1 <= line <= len(source.line_starts) and column >= 1


def test_a_source_is_the_bottom_of_every_stack() -> None:
    assert Source("a", "abc").locate(1, 2) == ((1, 2),)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "koi8-r", "gbk"])
def test_a_comment_names_the_encoding(encoding: str) -> None:
    word = {"koi8-r": "\u0436", "gbk": "\u4e2d"}.get(encoding, "\xe9")
    data = f"#!/usr/bin/python\n# -*- coding: {encoding} -*-\nx = '{word}'\n".encode(encoding)
    source = Source.from_bytes("a.py", data)
    assert word in source.text and source.to_bytes() == data


@pytest.mark.parametrize("said", ["utf-8", "punycode", "no-such", "gbk"])
def test_a_comment_that_names_the_wrong_encoding(said: str) -> None:
    with pytest.raises(UnreadableFile, match="not valid UTF-8"):
        Source.from_bytes("a.py", f"# coding: {said}\nx = '".encode() + b"\xff'\n")
