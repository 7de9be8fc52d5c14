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


def test_beyond_the_bound_each_arm_is_looked_at_once() -> None:
    first = 'if [ "$X" ]; then A+=(--port 1); else A+=(--draft-max 4 --spec-type draft-mtp); fi\n'
    arms = "".join(f'if [ "$X{n}" ]; then A+=(--draft-p-min 0.{n}); else A+=(-c {n}); fi\n' for n in range(1, 10))
    assert "MTP101" in codes(f'A=()\n{first}{arms}llama-server -m q.gguf "${{A[@]}}"\n', "b11434")


def test_what_is_missing_must_be_missing_wherever_it_is_needed() -> None:
    text = "llama-server -m q.gguf ${MTP:+--spec-type draft-mtp} ${N:+--spec-draft-n-max $N}\n"
    assert codes(text, "b11434") == []


def test_a_script_that_asks_the_program_first_is_right() -> None:
    text = (
        "if llama-server --help | grep -q -- --spec-draft-n-max; then N=--spec-draft-n-max; else N=--draft-max; fi\n"
        "llama-server -m q.gguf -md d.gguf --spec-type draft-simple $N 5\n"
    )
    assert codes(text) == []
    assert "MTP101" in codes(text, "b11434")  # where the version is stated, that arm is wrong


def test_each_program_of_a_choice_has_its_own_version() -> None:
    text = (
        "NEW=/opt/llama-b11434/llama-server\n"
        "[ -x $NEW ] && BIN=$NEW || BIN=/opt/llama-b8900/llama-server\n"
        "$BIN -m q.gguf -md d.gguf --draft-max 5\n"
    )
    report = lint(text)
    assert {str(launch.version) for launch in report.launches} == {"b11434", "b8900"}
    assert {str(f.target.range) for f in report.findings if f.target} == {"b11434"}


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


@pytest.mark.parametrize("count", [7, 40, 200])
def test_beyond_the_bound_each_pair_of_two_branches_is_met(count: int) -> None:
    arms = "".join(IF.format(f"A+=(-a{n})", f"A+=(-b{n})") for n in range(count))
    found = [set(words.split()) for words in words_of(f'A=()\n{arms}llama-server "${{A[@]}}"\n')]
    assert len(found) <= LIMIT
    for one, other in ((0, 1), (2, count - 1), (count // 2, count // 3)):
        for pair in (("-a", "-a"), ("-a", "-b"), ("-b", "-a"), ("-b", "-b")):
            wanted = {f"{pair[0]}{one}", f"{pair[1]}{other}"}
            assert any(wanted <= words for words in found), wanted
