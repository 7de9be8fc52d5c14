"""The grammar of a Modelfile against what Ollama's own parser made of the same texts."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mtpconfig_ollama.modelfile.grammar import COMMANDS, Document, kept, parse
from mtpconfig_ollama.numerals import numeral, takes

from mtpconfig.history import at
from mtpconfig.text import Source, Span

from ...support import ROOT
from .support import ollama, version

RECORDED = [
    json.loads(line) for line in (ROOT / "tests/data/ollama/modelfile-verdicts.jsonl").read_text("utf-8").splitlines()
]
CASES = [
    pytest.param(row["input"], release, verdict, id=f"{release}-{number}")
    for number, row in enumerate(RECORDED)
    for release, verdict in row["verdicts"].items()
]
DEPRECATED = frozenset(
    ("penalize_newline", "low_vram", "f16_kv", "logits_all", "vocab_only", "use_mlock", "mirostat", "mirostat_tau")
)  # dropped with a warning by all four releases (parser/parser.go)


def commands(release: str) -> frozenset[str]:
    """The commands that a release knows, by the option history."""
    history = ollama().options()
    return frozenset(
        name
        for name in COMMANDS
        if name == "PARAMETER" or history.find("instruction", name, version(release), "Modelfile") is not None
    )


def first_line(text: str) -> str:
    return re.sub(r"command must be one of .*", "command must be one of", text)


def created(document: Document, release: str) -> tuple[str, dict[str, Any]]:
    """What `ollama create` makes of a text that is a Modelfile: its complaint, or the parameters of the request."""
    history, now = ollama().options(), version(release)
    parameters: dict[str, Any] = {}
    for statement in document.statements:
        assert statement.value is not None
        text = kept(document.text, statement.value)
        if statement.command == "DRAFT":
            drafting = at(history.facts["gguf-drafting"], now)
            return ("DRAFT requires --experimental" if drafting and drafting.value == "none" else "stat"), {}
        if statement.command == "ADAPTER":
            return "stat", {}
        if statement.command == "REQUIRES" and not re.fullmatch(r"v?\d+(\.\d+){0,2}", text):
            return "requires must be a valid semver (e.g. 0.14.0)", {}
        if statement.command != "PARAMETER":
            continue
        name = document.text[slice(*statement.key)]
        if name in DEPRECATED:
            continue
        period = history.find("param", name, now, "Modelfile")
        if period is None:
            return f"unknown parameter '{name}'", {}
        kind = history.type(period.option, now)
        if not takes(text, kind):
            return f"invalid {kind} value [{text}]", {}
        parameters[name] = _decoded(text, kind, parameters.get(name))
    return "", parameters


def _decoded(text: str, kind: str, before: Any) -> Any:
    if kind == "list":
        return [*(before or []), text]
    if kind == "bool":
        return text in ("1", "t", "T", "TRUE", "true", "True")
    return numeral(text, kind)


@pytest.mark.parametrize(("text", "release", "verdict"), CASES)
def test_ollama_s_own_parser_says_the_same(text: str, release: str, verdict: dict[str, Any]) -> None:
    document = parse(text, commands(release))
    complaint = document.complaint
    if verdict["status"] == "parse-error":
        assert first_line(complaint) == first_line(verdict["error"])
        return
    assert complaint == ""
    error, parameters = created(document, release)
    if verdict["status"] == "create-error":
        assert verdict["error"].startswith(error) and error
        return
    assert error == ""
    assert parameters == (verdict["request"]["parameters"] or {})
    models = [s for s in document.statements if s.command == "FROM" and s.value is not None]
    assert kept(text, models[-1].value or Span(0, 0)) == verdict["request"]["from"]
    for command in ("SYSTEM", "TEMPLATE"):
        said = [s.value for s in document.statements if s.command == command and s.value is not None]
        assert (kept(text, said[-1]) if said else "") == verdict["request"][command.lower()]


def test_all_recorded_inputs_are_held_against() -> None:
    assert (len(RECORDED), len(CASES)) == (62, 248)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("PARAMETER  temperature 1", "parameter-name"),  # behind PARAMETER the parser reads a name up to a blank
        ("PARAMETER\t temperature 1", "parameter-name"),
        ("PARAMETER num-ctx 1", "no-value"),
        ("MESSAGE  user hi", "role"),
        ("MESSAGE user hi", ""),
        ("FROM1 x", "command"),
        ("```", "command"),
        ('SYSTEM "a" b', "unclosed"),
        ('SYSTEM ""', ""),
        ('SYSTEM """', "unclosed"),
        ('SYSTEM """"""', ""),
        ("  \u000csystem x", ""),
    ],
)
def test_what_stops_the_parser(line: str, fault: str) -> None:
    (statement,) = parse(line + "\n").statements
    assert statement.fault == fault


def test_a_quoted_value_ends_where_a_line_ends_with_quotes() -> None:
    text = 'FROM a\nSYSTEM "say "hi\nthere" now\nstop"\nPARAMETER seed 1\n'
    _, system, seed = parse(text).statements
    assert system.value is not None and text[slice(*system.value)] == 'say "hi\nthere" now\nstop'
    assert (seed.command, text[slice(*seed.key)]) == ("PARAMETER", "seed")


def test_what_does_not_print_is_dropped_from_values() -> None:
    (statement,) = parse("FROM qw\u200ben\u00a03\u0007\n").statements
    assert statement.value is not None and kept("FROM qw\u200ben\u00a03\u0007\n", statement.value) == "qwen3"


def test_utf_16_and_byte_order_marks_are_read() -> None:
    text = "FROM a\r\nPARAMETER draft_num_predict 4\r\n"
    for data in (b"\xef\xbb\xbf" + text.encode(), b"\xff\xfe" + text.encode("utf-16-le")):
        source = Source.from_bytes("Modelfile", data)
        assert parse(source.text).complaint == ""
        assert source.to_bytes() == data


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("+4", "int", 4),
        ("-1", "int", -1),
        ("4.0", "int", None),
        (" 4", "int", None),
        ("1_000", "int", None),
        ("9223372036854775807", "int", 2**63 - 1),
        ("9223372036854775808", "int", None),
        ("٤", "int", None),
        (".5", "float", 0.5),
        ("1e-3", "float", 0.001),
        ("0x1p-2", "float", 0.25),
        ("1e39", "float", None),
        ("0,7", "float", None),
        ("1.", "float", 1.0),
        ("", "float", None),
    ],
)
def test_numbers_are_go_s(text: str, kind: str, value: float | None) -> None:
    assert numeral(text, kind) == value


PIECES = st.sampled_from(
    [
        "FROM", "PARAMETER", "SYSTEM", "MESSAGE", "DRAFT", "user", "num_ctx", "4", " ", "  ", "\t", "\n", "\r\n", '"',
        '"""', "#", "x=1", "é", "\u200b", "\ufeff", "😀", "\u2028",
    ]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40))
def test_statements_stand_in_order_and_hold_their_parts(pieces: list[str]) -> None:
    text = "".join(pieces)
    end = 0
    for statement in parse(text).statements:
        assert end <= statement.word.start <= statement.word.end <= statement.whole.end
        assert statement.whole.start <= statement.word.start
        end = statement.whole.end
        if statement.value is not None:
            assert statement.word.end <= statement.value.start <= statement.value.end <= statement.whole.end
            if statement.style == "bare" and statement.fault == "":
                assert "\n" not in kept(text, statement.value)
    assert end <= len(text)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        'SYSTEM "' * 100_000, 'FROM a\nSYSTEM """' + "\n" * 400_000, "FROM a\n" * 200_000, "\u200b" * 500_000,
        "#" * 900_000, 'FROM "' + ' "\n x' * 100_000,
    ],
    ids=["quotes", "lines", "statements", "unprinted", "comment", "almost-closed"],
)  # fmt: skip
def test_hostile_texts_are_bounded(text: str) -> None:
    assert len(parse(text).statements) <= 5_000
