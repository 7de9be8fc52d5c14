"""Branches: what stands in different arms is never paired, what stands in one is."""

from __future__ import annotations

import pytest

from mtpconfig.lint.worlds import LIMIT, worlds

from ..support import codes, launch, lint

IF = 'if [ "$X" = 1 ]; then {}; else {}; fi\n'


def words_of(text: str) -> set[str]:
    return {" ".join(word.text for word in world.args) for world in worlds(launch(text))}


def test_a_plain_launch_is_its_own_world() -> None:
    only = launch("llama-server -m q.gguf\n")
    assert list(worlds(only)) == [only]


def test_each_arm_is_a_world() -> None:
    text = IF.format("A=(-a 1)", "A=(-b 2)") + 'llama-server "${A[@]}"\n'
    assert words_of(text) == {"-a 1", "-b 2"}


def test_an_if_without_else_may_take_no_arm() -> None:
    text = 'A=()\nif [ "$X" = 1 ]; then A+=(-a 1); fi\nllama-server -m q.gguf "${A[@]}"\n'
    assert words_of(text) == {"-m q.gguf", "-m q.gguf -a 1"}


def test_case_arms() -> None:
    text = 'case "$X" in a) A=(-a);; b) A=(-b);; *) A=(-c);; esac\nllama-server "${A[@]}"\n'
    assert words_of(text) == {"-a", "-b", "-c"}


def test_two_branches_multiply() -> None:
    text = IF.format("A=(-a)", "A=(-b)") + IF.format("B=(-c)", "B=(-d)") + 'llama-server "${A[@]}" "${B[@]}"\n'
    assert words_of(text) == {"-a -c", "-a -d", "-b -c", "-b -d"}


def test_many_branches_are_bounded() -> None:
    arms = "".join(f'if [ "$X{n}" ]; then A+=(--a{n}); fi\n' for n in range(12))
    assert len(list(worlds(launch(f'A=()\n{arms}llama-server -m q.gguf "${{A[@]}}"\n')))) <= LIMIT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (IF.format("T=(--spec-type draft-mtp)", "T=(--spec-type draft-mtp --draft-max 5)"), ["MTP101"]),
        (
            IF.format(
                "T=(--spec-type draft-mtp --spec-draft-n-max 2)", "T=(--spec-type draft-mtp --spec-draft-n-max 5)"
            ),
            [],
        ),
        (IF.format("T=(--spec-type mtp)", "T=()"), ["MTP105"]),
        (IF.format("T=(-md d.gguf)", "T=(--spec-type draft-mtp)"), ["MTP204"]),
        (IF.format("T=(-md d.gguf --spec-type draft-simple)", "T=()"), []),
        ("M=(-md d.gguf)\n" + IF.format("T=(--spec-type draft-simple)", "T=(--spec-type draft-simple,ngram-mod)"), []),
    ],
)
def test_a_rule_holds_if_it_holds_in_any_world(text: str, expected: list[str]) -> None:
    text = text if text.startswith("M=") else "M=()\n" + text
    assert codes(text + 'llama-server -m q.gguf "${M[@]}" "${T[@]}"\n', "b11549") == expected


def test_a_field_on_which_the_worlds_differ_is_left_unsaid() -> None:
    text = IF.format("N=2", "N=5") + "llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max $N\n"
    (report,) = lint(text, "b11549").launches
    assert (report.spec.state, report.spec.methods, report.spec.gamma) == ("on", ("mtp",), None)
    both = IF.format("T=(--spec-type draft-mtp)", "T=()") + 'llama-server -m q.gguf "${T[@]}"\n'
    (report,) = lint(both, "b11549").launches
    assert (report.spec.state, report.spec.model) == ("unknown", "q.gguf")
