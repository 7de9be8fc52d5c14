"""Surfaces that take their names from others: the keys of configuration files."""

from __future__ import annotations

import pytest

from mtpconfig.history import USABLE, bare

from .support import build, llamacpp

BUILDS = ("b8000", "b8946", "b8962", "b9113", "b10434")


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        # u usable, f known and fatal, - no name at all
        ("spec-type", "uuuuu"),
        ("draft-max", "uufff"),
        ("draft", "uufff"),
        ("spec-draft-n-max", "--uuu"),
        ("md", "uuuuu"),
        ("c", "uuuuu"),
        ("ctx-size-draft", "uuu--"),
        ("LLAMA_ARG_SPEC_TYPE", "-uuuu"),
        ("LLAMA_ARG_DRAFT_MAX", "uufff"),
        ("LLAMA_ARG_MODEL_DRAFT", "uu---"),
        ("no-mmap", "uuuuu"),
        ("--spec-type", "-----"),
        ("nonsense", "-----"),
    ],
)
def test_what_a_key_is(key: str, expected: str) -> None:
    history = llamacpp().options()
    periods = [history.find("ini", key, build(version), "server") for version in BUILDS]
    assert "".join("-" if p is None else "u" if p.status in USABLE else "f" for p in periods) == expected
    assert {(p.surface, p.spelling) for p in periods if p is not None} <= {("ini", key)}


def test_replacements_are_keys_too() -> None:
    history = llamacpp().options()
    fatal = history.find("ini", "LLAMA_ARG_DRAFT_MAX", build("b10434"), "server")
    assert fatal is not None
    assert {row.surface for row in fatal.replace} == {""}
    assert "spec-ngram-mod-n-max" in {row.spelling for row in fatal.replace}
    gone = history.periods("ini", "LLAMA_ARG_MODEL_DRAFT")[-1]
    assert [row.spelling for row in gone.replace] == ["LLAMA_ARG_SPEC_DRAFT_MODEL"]


def test_current_spellings_and_all_spellings() -> None:
    history = llamacpp().options()
    assert history.current_spelling("spec-draft-n-max", "ini", build("b10434"), "server") == "spec-draft-n-max"
    older = history.current_spelling("spec-draft-n-max", "flag", build("b8946"), "server")
    assert older is not None
    assert history.current_spelling("spec-draft-n-max", "ini", build("b8946"), "server") == bare(older)
    spellings = set(history.spellings("ini"))
    assert {"spec-type", "md", "LLAMA_ARG_SPEC_TYPE"} <= spellings
    assert not any(spelling.startswith("-") for spelling in spellings)
    assert (history.derived("ini"), history.derived("flag"), history.derived("nowhere")) == (True, False, False)


def test_other_surfaces_are_as_they_were() -> None:
    history = llamacpp().options()
    assert history.find("flag", "spec-type", build("b10434"), "server") is None
    assert history.never["--spec-n-max"] == history.never["spec-n-max"] == "spec-draft-n-max"
    assert (bare("--x-y"), bare("-m"), bare("A")) == ("x-y", "m", "A")
