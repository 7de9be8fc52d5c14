"""What stops `ollama create` at a Modelfile: values of another type, and statements that say something else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mtpconfig.engine import Reading
from mtpconfig.history import OptionHistory
from mtpconfig.launch import Setting
from mtpconfig.match import FixPlan, Match, plan
from mtpconfig.text import Source, Span
from mtpconfig_ollama.arguments import DEPTH, DRAFT
from mtpconfig_ollama.modelfile.container import Page, page_of
from mtpconfig_ollama.modelfile.grammar import Statement
from mtpconfig_ollama.numerals import NOUNS, takes

_NOTE = re.compile(r"(?P<value>\S+)[ \t]+(?P<note>(?:#|//).*)", re.DOTALL)

_STAND_IN = re.compile(r"[A-Z][A-Z_]*")
"""What stands for a value in an excerpt: `N`."""


def values(reading: Reading, history: OptionHistory) -> Iterator[Match]:
    """Parameters whose values Ollama refuses: with one of them it refuses the whole file (MTP105)."""
    page = page_of(reading.launch)
    for setting in reading.settings:
        if setting.surface != "param" or setting.option is None or page is None:
            continue
        kind = history.type(setting.option, reading.version)
        if setting.value is None:
            yield _without_value(reading, setting)
        elif setting.text is None or setting.value_fragment is None or takes(setting.text, kind):
            continue
        elif isinstance(page.layer.parent, Source) or not _STAND_IN.fullmatch(setting.text):
            yield _refused(reading, setting, page, kind)


def _without_value(reading: Reading, setting: Setting) -> Match:
    return Match(
        anchor=setting.name,
        message=f"Ollama {reading.version} refuses this Modelfile: `{setting.spelling}` has no value",
        setting=setting,
        detail="a value must follow",
        why=f'Ollama stops with: "unexpected EOF: {setting.spelling}"',
        help="give the value behind a blank, or remove the line",
        severity="error",
    )


def _refused(reading: Reading, setting: Setting, page: Page, kind: str) -> Match:
    assert setting.value_fragment is not None and setting.text is not None
    noun, text = NOUNS[kind], setting.text
    note = _NOTE.fullmatch(text)
    commented = note is not None and takes(note["value"], kind)
    return Match(
        anchor=setting.value_fragment,
        message=f"Ollama {reading.version} refuses this Modelfile: `{setting.spelling}` wants {noun}, "
        f"not `{_short(text)}`",
        setting=setting,
        detail="a comment behind a value is part of it" if commented else f"not {noun}",
        why=f'Ollama stops with: "invalid {kind} value [{_short(text)}]"',
        help="put the comment on a line of its own" if commented else f"write {noun}",
        severity="error",
        about_value=True,
        plan=_on_its_own_line(setting, page, note) if note is not None and commented else None,
    )


def _on_its_own_line(setting: Setting, page: Page, note: re.Match[str]) -> FixPlan | None:
    statement, value = page.statement(setting.given), setting.value_fragment
    if statement is None or value is None or value.text != note.string:
        return None
    return plan(
        "put the comment on a line of its own",
        value.replace(0, len(value.text), note["value"]),
        page.add_line(statement, f"# {note['note'].lstrip('#/ ')}", before=True),
        same_meaning=True,
        holds_at=lambda version: True,
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}..."


def quoting(reading: Reading) -> Iterator[Match]:
    """Quotes that never close, and a name that is not where the parser looks for it (MTP207)."""
    page = page_of(reading.launch)
    if page is None:
        return
    for statement in page.document.statements:
        if statement.fault == "unclosed":
            yield _unclosed(reading, page, statement)
        elif statement.fault == "parameter-name":
            yield _blanks(reading, page, statement)


def _unclosed(reading: Reading, page: Page, statement: Statement) -> Match:
    layer = page.layer
    swallowed = re.search(
        r"^[ \t]*(?:PARAMETER|DRAFT)\b", layer.text[statement.word.end :], re.MULTILINE | re.IGNORECASE
    )
    quotes = '"""' if statement.style == "triple" else '"'
    return Match(
        anchor=layer.slice(*statement.word),
        message=f"Ollama {reading.version} refuses this Modelfile: the {quotes} behind `{statement.command}` is never "
        f"closed at the end of a line",
        detail="the lines behind it are part of its value" if swallowed else "the value has no end",
        why='Ollama stops with: "unexpected EOF"',
        help=f"close it with {quotes} at the end of the line",
        severity="error",
    )


def _blanks(reading: Reading, page: Page, statement: Statement) -> Match:
    layer, start = page.layer, statement.word.end + 1
    text = layer.text
    end = start
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    return Match(
        anchor=layer.slice(*statement.word),
        message=f"Ollama {reading.version} refuses this Modelfile: behind `PARAMETER` one blank stands, and no more",
        detail="the second blank ends an empty name",
        why="Ollama stops with: \"unknown parameter ''\"",
        help="take the other blanks away",
        severity="error",
        plan=plan(
            "take the other blanks away",
            layer.replace(start, end, ""),
            same_meaning=True,
            holds_at=lambda version: True,
        ),
    )


def without_from(reading: Reading) -> Iterator[Match]:
    """A whole file that speaks of drafting and names no model (MTP204); an excerpt need not."""
    page = page_of(reading.launch)
    if page is None or not isinstance(page.layer.parent, Source):
        return
    document = page.document
    speaks = any(setting.option in (DEPTH, DRAFT) for setting in reading.settings)
    if speaks and not document.cut and all(statement.command != "FROM" for statement in document.statements):
        yield Match(
            anchor=page.layer.slice(*_first(document.statements)),
            message=f"Ollama {reading.version} refuses this Modelfile: no line says FROM",
            detail="which model is meant?",
            why='Ollama stops with: "no FROM line"',
            help="begin with `FROM MODEL`",
            severity="error",
        )


def _first(statements: tuple[Statement, ...]) -> Span:
    return statements[0].word
