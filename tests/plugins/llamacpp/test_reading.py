"""What a build makes of a launch. Expected values were observed on real builds or read in their sources."""

from __future__ import annotations

import pytest

from mtpconfig.spec import MTPSpec

from ...support import codes, read

ON, OFF, AUTO, UNKNOWN = "on", "off", "auto", "unknown"


def spec(words: str, version: str, env: str = "") -> MTPSpec:
    return read(f"{env} llama-server -m q.gguf {words}".strip(), version).spec


STATES: list[tuple[str, str, str, str, tuple[str, ...], int | None]] = [
    # words, environment, build, state, methods, gamma
    ("", "", "b11549", OFF, (), None),
    ("", "", "b8946", OFF, (), None),
    # MTP
    ("--spec-type draft-mtp", "", "b11549", ON, ("mtp",), 3),
    ("--spec-type draft-mtp", "", "b9294", ON, ("mtp",), 3),
    ("--spec-type draft-mtp", "", "b9246", ON, ("mtp",), 3),
    ("--spec-type draft-mtp", "", "b9222", ON, ("mtp",), 16),
    ("--spec-type draft-mtp --spec-draft-n-max 4", "", "b11549", ON, ("mtp",), 4),
    ("--spec-type draft-mtp --spec-draft-n-max 2 --spec-draft-n-max 5", "", "b11549", ON, ("mtp",), 5),
    ("--spec-type draft-mtp,draft-mtp", "", "b11549", ON, ("mtp",), 3),
    ("-md h.gguf --spec-type draft-mtp", "", "b11549", ON, ("mtp",), 3),
    ("-md h.gguf --spec-type draft-mtp", "", "b9294", ON, ("mtp",), 3),
    # none, lists, repetition
    ("--spec-type none", "", "b11549", OFF, (), None),
    ("--spec-type none,draft-mtp", "", "b11549", OFF, (), None),
    ("--spec-type draft-mtp,none", "", "b11549", OFF, (), None),
    ("--spec-type draft-mtp,none", "", "b9294", OFF, (), None),
    ("--spec-type none --spec-type draft-mtp", "", "b11549", ON, ("mtp",), 3),
    ("--spec-type draft-mtp --spec-type none", "", "b11549", ON, ("mtp",), 3),
    ("--spec-type draft-mtp --spec-type none", "", "b9294", ON, ("mtp",), 3),
    ("--spec-type ngram-mod --spec-type draft-mtp", "", "b11549", ON, ("ngram", "mtp"), 3),
    ("--spec-type ngram-simple,draft-mtp --spec-draft-n-max 5", "", "b11549", ON, ("ngram", "mtp"), 5),
    ("--spec-type ngram-simple --spec-type none", "", "b8505", OFF, (), None),  # the last one counts
    # environment
    ("", "LLAMA_ARG_SPEC_TYPE=draft-mtp", "b11549", ON, ("mtp",), 3),
    ("--spec-type none", "LLAMA_ARG_SPEC_TYPE=draft-mtp", "b11549", ON, ("mtp",), 3),
    ("--spec-type draft-mtp", "LLAMA_ARG_SPEC_TYPE=none", "b11549", ON, ("mtp",), 3),
    ("--spec-type draft-mtp", "LLAMA_ARG_SPEC_TYPE=ngram-mod", "b11549", ON, ("ngram", "mtp"), 3),
    ("--spec-type draft-mtp", "LLAMA_ARG_SPEC_DRAFT_N_MAX=4", "b11549", ON, ("mtp",), 4),
    ("--spec-type draft-mtp --spec-draft-n-max 2", "LLAMA_ARG_SPEC_DRAFT_N_MAX=4", "b11549", ON, ("mtp",), 2),
    ("--spec-type draft-mtp", "LLAMA_ARG_SPEC_DRAFT_MAX=4", "b11549", ON, ("mtp",), 3),  # a name nobody reads
    ("", "LLAMA_ARG_SPEC_TYPE=ngram-simple", "b8300", OFF, (), None),  # read from b8505 on
    ("", "LLAMA_ARG_MODEL_DRAFT=d.gguf", "b8946", ON, ("draft-model",), 16),
    ("", "LLAMA_ARG_MODEL_DRAFT=d.gguf", "b9294", OFF, (), None),
    ("", "LLAMA_ARG_SPEC_DRAFT_MODEL=d.gguf", "b9294", ON, ("draft-model",), 3),
    ("", "LLAMA_ARG_SPEC_DRAFT_MODEL=d.gguf", "b9873", OFF, (), None),
    # a draft model
    ("-md d.gguf", "", "b8946", ON, ("draft-model",), 16),
    ("-md d.gguf", "", "b9093", ON, ("draft-model",), 16),
    ("-md d.gguf", "", "b9294", ON, ("draft-model",), 3),
    ("-md d.gguf", "", "b9453", ON, ("draft-model",), 3),
    ("-md d.gguf", "", "b9464", OFF, (), None),
    ("-md d.gguf", "", "b9873", OFF, (), None),
    ("-md d.gguf", "", "b10405", OFF, (), None),
    ("-md d.gguf", "", "b11549", AUTO, (), 3),
    ("-md d.gguf --spec-type none", "", "b11549", OFF, (), None),
    ("-md d.gguf --spec-type draft-simple", "", "b11549", ON, ("draft-model",), 3),
    ("-md d.gguf --spec-type draft-simple --spec-draft-n-max 8", "", "b9873", ON, ("draft-model",), 8),
    ("-md d.gguf --draft-max 8", "", "b8946", ON, ("draft-model",), 8),
    ("-md d.gguf --spec-draft-n-max 3", "", "b9294", ON, ("draft-model",), 3),
    ("-hfd o/r", "", "b9093", ON, ("draft-model",), 16),
    ("-md d.gguf --spec-type ngram-mod", "", "b9873", ON, ("ngram",), 64),
    ("-md d.gguf --spec-type ngram-mod", "", "b11549", ON, ("ngram",), 64),
    ("-md d.gguf --spec-type ngram-mod", "", "b9294", ON, ("draft-model", "ngram"), 3),
    ("--fim-qwen-7b-spec", "", "b9441", ON, ("draft-model",), 3),
    ("--fim-qwen-7b-spec", "", "b9500", OFF, (), None),
    # types that need a draft model
    ("--spec-type draft-simple", "", "b11549", OFF, (), None),
    ("--spec-type draft-eagle3", "", "b11549", OFF, (), None),
    ("--spec-type draft-dflash", "", "b9873", OFF, (), None),
    ("-md e.gguf --spec-type draft-eagle3", "", "b9873", ON, ("eagle3",), 3),
    ("-md e.gguf --spec-type draft-eagle3", "", "b9500", OFF, (), None),  # parsed, and never used
    ("-md f.gguf --spec-type draft-dspark", "", "b10200", ON, ("dspark",), 3),
    # lengths alone
    ("--spec-draft-n-max 3", "", "b11549", OFF, (), None),
    ("--spec-draft-n-max 3", "", "b9294", OFF, (), None),
    # n-gram types and their own lengths
    ("--spec-default", "", "b11549", ON, ("ngram",), 64),
    ("--spec-default --spec-type draft-mtp", "", "b11549", ON, ("mtp", "ngram"), 3),
    ("--spec-type ngram-simple", "", "b11549", ON, ("ngram",), 48),
    ("--spec-type ngram-simple --spec-draft-n-max 3", "", "b11549", ON, ("ngram",), 48),
    ("--spec-type ngram-simple --spec-ngram-simple-size-m 8", "", "b11549", ON, ("ngram",), 8),
    ("--spec-type ngram-mod --spec-ngram-mod-n-max 32", "", "b11549", ON, ("ngram",), 32),
    ("--spec-type ngram-simple --draft-max 3", "", "b8946", ON, ("ngram",), 3),
    ("--spec-type ngram-cache", "", "b11549", ON, ("ngram",), None),  # it drafts 8, and no option says so
    # what cannot be known
    ('--spec-type "$T"', "", "b11549", UNKNOWN, (), None),
    ('"$@"', "", "b11549", UNKNOWN, (), None),
    ('--spec-type draft-mtp "$@"', "", "b11549", ON, ("mtp",), None),
    ('--spec-type draft-mtp --spec-draft-n-max "$N"', "", "b11549", ON, ("mtp",), None),
    ("--spec-type draft-mtp --spec-draft-n-max ${N:-4}", "", "b11549", ON, ("mtp",), 4),
]


@pytest.mark.parametrize(("words", "env", "version", "state", "methods", "gamma"), STATES)
def test_state_methods_and_gamma(
    words: str, env: str, version: str, state: str, methods: tuple[str, ...], gamma: int | None
) -> None:
    got = spec(words, version, env)
    assert (got.state, set(got.methods), got.gamma) == (state, set(methods), gamma)


@pytest.mark.parametrize(
    ("words", "env", "temperature"),
    [
        ("", "", None),
        ("--temp 0.7", "", 0.7),
        ("--temp 0", "", 0.0),
        ("--temperature 1", "", 1.0),
        ("--temp 0.2 --temp 0.9", "", 0.9),
        ('--temp "$T"', "", None),
        ("--temp ${T:-0.6}", "", 0.6),
        ("--temp hot", "", None),
    ],
)
def test_temperature(words: str, env: str, temperature: float | None) -> None:
    assert spec(words, "b11549", env).temperature == temperature


@pytest.mark.parametrize(
    ("words", "p_min"),
    [("", None), ("--spec-draft-p-min 0.5", 0.5), ("--draft-p-min 0.75", 0.75), ("--spec-draft-p-min 75", None)],
)
def test_p_min(words: str, p_min: float | None) -> None:
    assert spec(f"--spec-type draft-mtp {words}", "b11549").p_min == p_min


@pytest.mark.parametrize(
    ("text", "model", "drafter"),
    [
        ("llama-server -m q.gguf", "q.gguf", None),
        ("llama-server --model q.gguf -md d.gguf", "q.gguf", "d.gguf"),
        ("llama-server -hf o/r:Q4 -hfd o/d", "o/r:Q4", "o/d"),
        ("LLAMA_ARG_MODEL=q.gguf llama-server", "q.gguf", None),
        ('llama-server -m "$DIR/q.gguf"', "$DIR/q.gguf", None),
        ("llama-server --spec-type draft-mtp", None, None),
    ],
)
def test_model_and_drafter(text: str, model: str | None, drafter: str | None) -> None:
    got = read(text, "b11549").spec
    assert (got.model, got.drafter) == (model, drafter)


def test_digits_of_other_scripts_are_no_number() -> None:
    """The parser is C++'s: it knows ASCII digits alone, and refuses to start."""
    text = "llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max \u0665\n"
    assert codes(text, "b11549") == ["MTP105"]
    assert read(text, "b11549").spec.gamma != 5


def test_a_field_that_no_setting_says_tells_why() -> None:
    assert "default" in read("llama-server --spec-type draft-mtp", "b11549").why["gamma"]
    assert "unasked" in read("llama-server -md d.gguf", "b9294").why["methods"]
