"""The grammar of llama.cpp's own parser."""

from __future__ import annotations

import pytest

from ...support import read


def settings(text: str, version: str = "b11549") -> list[tuple[str | None, str, str | None]]:
    return [(s.option, s.surface, s.text) for s in read(text, version).settings]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--spec-type draft-mtp", [("spec-type", "flag", "draft-mtp")]),
        ("--spec_type draft_mtp", [("spec-type", "flag", "draft_mtp")]),  # the name is normalised, the value is not
        (
            "-md d.gguf --spec-draft-model e.gguf",
            [("spec-draft-model", "flag", "d.gguf"), ("spec-draft-model", "flag", "e.gguf")],
        ),
        ("--spec-default", [("spec-default", "flag", None)]),
        ("--spec-draft-n-max -1", [("spec-draft-n-max", "flag", "-1")]),  # a value is the next word, whatever it is
        ("-md --spec-type", [("spec-draft-model", "flag", "--spec-type")]),
        ("--no-spec-draft-backend-sampling", [("spec-draft-backend-sampling", "flag", None)]),
        ("--spec-draft-n-max", [("spec-draft-n-max", "flag", None)]),  # nothing follows
        ("--spec-type=draft-mtp", [(None, "flag", None)]),  # there is no `=`
    ],
)
def test_flags(words: str, expected: list[tuple[str | None, str, str | None]]) -> None:
    assert settings(f"llama-server {words}") == expected


def test_two_values_are_taken_where_the_option_takes_two() -> None:
    assert settings("llama-server --spec-replace A B --port 80", "b9105") == [
        ("spec-draft-replace", "flag", "A"),
        ("port", "flag", "80"),
    ]


def test_the_environment_comes_before_the_command_line() -> None:
    text = "LLAMA_ARG_SPEC_DRAFT_N_MAX=5 OTHER=1 llama-server --spec-draft-n-max 2"
    assert settings(text) == [("spec-draft-n-max", "env", "5"), ("spec-draft-n-max", "flag", "2")]


def test_names_of_other_builds_have_no_option_and_keep_their_value() -> None:
    reading = read("llama-server --ctx-size-draft 4096 --spec-type draft-mtp", "b11549")
    assert [(s.option, s.text) for s in reading.settings] == [(None, "4096"), ("spec-type", "draft-mtp")]
    assert [s.spelling for s in reading.unread] == ["--ctx-size-draft"]


def test_a_name_that_nobody_reads_is_no_setting_and_a_fatal_one_says_what_it_meant() -> None:
    reading = read("LLAMA_ARG_MODEL_DRAFT=d.gguf llama-server --spec-type draft-mtp --draft-max 5", "b11549")
    assert [s.spelling for s in reading.unread] == ["LLAMA_ARG_MODEL_DRAFT"]
    assert reading.spec.gamma == 5 and reading.spec.drafter is None


def test_numbers_and_words_between_are_no_flags() -> None:
    assert settings("llama-server -1 --port 80 -0.5 stray") == [("port", "flag", "80")]
