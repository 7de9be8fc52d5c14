"""What is said when nobody knows the version, or when it lies in a gap."""

from __future__ import annotations

import pytest

from mtpconfig.lint.findings import Finding

from ..support import found, lint


def finding(text: str, code: str, target: str = "") -> Finding:
    (only,) = [f for f in lint(text, target).findings if f.code == code]
    return only


def test_an_old_spelling_tells_from_when_on_it_fails_and_up_to_when_it_is_right() -> None:
    got = finding("llama-server -m q.gguf -md d.gguf --spec-type draft-simple --draft-max 5\n", "MTP101")
    assert got.severity == "error" and got.certainty == "if-version"
    assert "so from b8" in got.message and "known up to b8" in got.message
    assert [verdict.severity for verdict in got.verdicts] == [None, "error"]
    right, wrong = got.verdicts
    assert right.range.last is not None and wrong.range.first is not None
    assert 8946 <= right.range.last.key < wrong.range.first.key <= 8992


def test_what_is_right_on_the_newest_is_no_finding() -> None:
    for words in (
        "--spec-type draft-mtp --spec-draft-n-max 3",
        "-md d.gguf --spec-type draft-simple",
        "--spec-default",
    ):
        assert found(f"llama-server -m q.gguf {words}\n") == []


def test_a_draft_model_alone_was_right_once() -> None:
    got = finding("llama-server -m big.gguf -md small.gguf\n", "MTP204")
    assert "so from b9464 on" in got.message and "right up to b9453" in got.message
    assert got.severity == "warning"


def test_a_value_that_was_never_right_is_told_without_versions() -> None:
    got = finding("llama-server -m q.gguf --spec-type mtp\n", "MTP105")
    assert "right" not in got.message


def test_three_cells_are_told() -> None:
    """`--ctx-size-draft` beside a request for more: right up to b9105, gone from b9113 on."""
    got = finding("llama-server -m q.gguf -md d.gguf --spec-type draft-simple --ctx-size-draft 4096\n", "MTP102")
    assert "so from b9113 on" in got.message and "from" in got.message


@pytest.mark.parametrize(
    ("target", "certainty"), [("b11434", "sure"), ("b9400..b9500", "if-version"), ("", "if-version")]
)
def test_certainty(target: str, certainty: str) -> None:
    assert finding("llama-server -m big.gguf -md small.gguf\n", "MTP204", target).certainty == certainty


def test_a_default_of_a_variable_is_told() -> None:
    got = finding('llama-server -m q.gguf --spec-type "${TYPE:-mtp}"\n', "MTP105", "b11434")
    assert got.certainty == "if-unset" and "(if TYPE is unset)" in got.message


def test_a_default_that_is_not_the_reason_is_not_told() -> None:
    got = finding('llama-server -m q.gguf --spec-type draft-mtp --draft-max "${N:-3}"\n', "MTP101", "b11434")
    assert got.certainty == "sure"


def test_a_stated_version_that_knows_it_all_says_nothing_of_others() -> None:
    got = finding("llama-server -m q.gguf --spec-type draft-mtp --draft-max 5\n", "MTP101", "b11434")
    assert got.verdicts == () and "b11434" in got.message and "so from" not in got.message


@pytest.mark.parametrize(
    ("text", "target", "said"),
    [
        (
            "llama-server -m q.gguf --draft-max 5 -md d.gguf --spec-type draft-simple",
            "b11434",
            "the argument has been removed",
        ),
        ("llama-server -m q.gguf --spec-type draft-mtp", "b9129", "b9180"),
        ("llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max three", "b11434", "whole number"),
        ("LLAMA_ARG_DRAFT_MAX=5 llama-server -m q.gguf --spec-type draft-mtp", "b11434", "LLAMA_ARG_SPEC_DRAFT_N_MAX"),
        (
            "LLAMA_ARG_MODEL_DRAFT=d.gguf llama-server -m q.gguf --spec-type draft-simple",
            "b11434",
            "LLAMA_ARG_SPEC_DRAFT_MODEL",
        ),
        ("llama-server -m q.gguf --spec-type ngram_mod", "b11434", "ngram-mod"),
        ("llama-server -m q.gguf --spec-type draft-mtp --speculative-num-steps 3", "b11434", "sglang"),
        ("llama-server -m q.gguf -md d.gguf --spec-type draft-simple -cd 1", "b11434", "b9113"),
    ],
)
def test_a_finding_names_what_happens_and_what_to_write(text: str, target: str, said: str) -> None:
    told = " ".join(f"{f.message} {f.detail} {f.why} {f.help}" for f in found(text + "\n", target))
    assert said in told


@pytest.mark.parametrize("text", ["llama-server -m q.gguf --spec-type draft-mtp --draft-max 5\n"])
def test_no_text_of_a_finding_is_empty_or_has_a_line_end(text: str) -> None:
    for got in found(text):
        assert got.message and got.help and "\n" not in got.message + got.detail + got.help


def test_only_the_own_verdicts_are_told_and_right_only_where_it_starts() -> None:
    tree = """vllm serve m --speculative-config '{"model":"d","speculative_token_tree":"[(0,)]"}'\n"""
    got = finding(tree, "MTP102")
    assert got.message.count(";") <= 1 and "so from 0.21.0 on" in got.message
    assert "right up to" not in got.message
    eagle = (
        "python -m sglang.launch_server --model-path m --speculative-algorithm EAGLE --speculative-draft-model-path d\n"
    )
    for code in ("MTP407", "MTP502"):
        told = finding(eagle, code).message
        assert "error up to" not in told and told.count(";") <= 1


def test_a_headline_names_no_version_that_was_not_asked_for() -> None:
    """What changed between b8953 and b8962 is not known to be so at b8955."""
    text = "LLAMA_ARG_MODEL_DRAFT=d.gguf llama-server -m m.gguf\n"
    got = finding(text, "MTP107", "llama.cpp@b8955")
    assert "llama.cpp from b8962 on" in got.message and got.severity == "info"
    assert "since" in finding(text, "MTP107", "llama.cpp@b11549").detail
