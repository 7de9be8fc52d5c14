"""Big, binary and invalid files are told as unreadable, or are none of our business: no crash, no false alarm."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from mtpconfig.lint.linter import MAX_BYTES, Linter
from mtpconfig.lint.walk import files_below

from ..support import linter

BAD = b"llama-server -m q.gguf --spec-type draft-mtp --draft-max 5\n"


def codes(name: str, data: bytes) -> list[str]:
    return [finding.code for finding in linter("llama.cpp@b11434").lint_bytes(name, data).findings]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"# \xe9\n" + BAD, "line 1 is not valid UTF-8"),
        (BAD + b"\0", "binary"),
        (BAD + b"#" * MAX_BYTES, "larger than 8 MiB"),
        (codecs.BOM_UTF16_LE + b"a", "UTF-16-LE"),
    ],
)
def test_a_script_that_cannot_be_read_is_told(data: bytes, said: str) -> None:
    (finding,) = linter().lint_bytes("start.sh", data).findings
    assert (finding.code, finding.severity) == ("MTP001", "error") and said in finding.message


@pytest.mark.parametrize("data", [b"\xff\xfe\xfa", b"\0" * 100, b"#" * (MAX_BYTES + 10), b"", b"\n", codecs.BOM_UTF8])
def test_a_file_without_a_launch_is_silence_whatever_it_is(data: bytes) -> None:
    expected = ["MTP001"] if data[:2] == b"\xff\xfe" else []
    assert codes("start.sh", data) == expected


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("llama-server", b"\x7fELF\x02\x01\x01" + bytes(64) + b"llama-server --spec-type --draft-max" + bytes(64)),
        ("q.gguf", b"GGUF\x03\0\0\0" + b"general.architecture\x05llama" + bytes(200)),
        ("photo.jpg", b"\xff\xd8\xff\xe0 llama"),
        ("notes.txt", b"caf\xe9 llama\n"),
        ("q.bin", b"GGUF llama" + b"\1" * MAX_BYTES),
    ],
)
def test_a_file_that_is_no_script_is_no_finding(tmp_path: Path, name: str, data: bytes) -> None:
    """A model, a program or a picture beside the scripts must not fail a run over the folder."""
    (tmp_path / name).write_bytes(data)
    found = [f.code for path, _ in files_below([str(tmp_path)]) for f in Linter().lint_path(path).findings]
    assert found == []


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + BAD,
        codecs.BOM_UTF16_LE + BAD.decode().encode("utf-16-le"),
        codecs.BOM_UTF16_BE + BAD.decode().encode("utf-16-be"),
        BAD.replace(b"\n", b"\r\n"),
        "# \U0001f999 \u03b3\n".encode() + BAD,
        BAD.rstrip(),
    ],
)
def test_every_encoding_is_linted(data: bytes) -> None:
    assert codes("start.sh", data) == ["MTP101"]


def test_a_vanished_file_is_told(tmp_path: Path) -> None:
    (finding,) = Linter().lint_path(str(tmp_path / "gone.sh")).findings
    assert finding.code == "MTP001" and "No such file" in finding.message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deep.sh", "llama-server " + "$(" * 3000 + ")" * 3000),
        ("quotes.sh", "llama-server " + "\"'" * 5000),
        ("braces.sh", "llama-server " + "{a,b}" * 40),
        ("long.sh", "llama-server " + "--draft-max 5 " * 300),
        ("nested.sh", "if true; then\n" * 500 + "llama-server\n" + "fi\n" * 500),
        ("open.sh", "llama-server -m 'q.gguf"),
        ("heredocs.sh", "cat <<A <<B\nllama-server\n"),
        ("lone.sh", "llama-server \\"),
        ("weird.sh", "llama-server \u202e\ufeff\u2028 --draft-max"),
        ("eval.sh", "eval 'eval \"eval llama-server\"'\n"),
        ("recursion.sh", "f() { f; llama-server; }\nf\n"),
        ("hashes.sh", "llama-server\n" + "#" * 100_000 + " mtpconfig: x\n"),
        ("ignores.sh", "# mtpconfig: ignore[MTP101]\n" * 20_000 + "llama-server -m q.gguf\n"),
        ("digits.sh", f"llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max {'9' * 6000}\n"),
        ("tokens.sh", "llama-server --draft-max 5 " + "token" * 20_000),
        ("many.sh", "llama-server -m q.gguf --draft-max 5\n" * 2000),
    ],
)
@pytest.mark.timeout(30)
def test_hostile_texts_end_quietly(name: str, text: str) -> None:
    report = linter("llama.cpp@b11434").lint_bytes(name, text.encode())
    assert all(finding.code.startswith("MTP") for finding in report.findings)
    if name == "many.sh":
        assert len(report.launches) == 2000 and len(report.findings) >= 2000
    if name == "digits.sh":
        assert [finding.code for finding in report.findings] == ["MTP105"]
