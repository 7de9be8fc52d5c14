"""Nothing hangs, nothing is raised, whatever the text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.carriers.shell_reading import argvs, check_segments, read
from tests.support import lint

GARBAGE = [
    "(" * 100_000,
    "$(" * 100_000,
    "{ " * 50_000,
    "a && " * 3_000 + "b",
    "a | " * 3_000 + "b",
    "if a; then " * 3_000,
    '"$(' * 50_000,
    "${a:-" * 30_000,
    "x=((" * 50_000,
    "`" * 50_001,
    "a " + "{," * 5_000,
    "a " + "${x:-" * 3_000 + "}" * 3_000,
    "X=a\n" + "X=$X$X\n" * 60 + "foo $X\n",
    "X=a\n" + "X+=$X\n" * 60 + "foo $X\n",
    "A=(a b)\n" + 'A=("${A[@]}" "${A[@]}")\n' * 60 + 'foo "${A[@]}"\n',
    "f() { f; g; }\ng() { f; f; }\nf\n",
    "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }}\n" for n in range(40)) + "f40() { a; }\nf0\n",
    "a <<E\n" * 2_000,
    "for i in a b; do " * 200 + "x $i; " + "done; " * 200,
    "if a; then X=1; fi\n" * 1_000 + "foo $X\n",
    "bash -c '" * 50,
    "echo -e 'Environment" + "\\u0041" * 40_000 + "' > /etc/x.service\n",
]


@pytest.mark.parametrize("text", GARBAGE, ids=lambda text: text[:12])
@pytest.mark.timeout(60)  # what hangs takes minutes; this measures no speed
def test_garbage_is_read_in_bounded_time(text: str) -> None:
    read(text)


def test_layers_are_opened_to_a_bounded_depth() -> None:
    assert argvs("eval " * 6 + "prog\n") == [["prog"]]
    assert argvs("eval " * 12 + "prog\n") == []


SNIPPETS = st.sampled_from(
    [
        "if a; then\n",
        "fi\n",
        "case $x in\n",
        "y) ",
        ";; ",
        "esac\n",
        "A=(",
        ")\n",
        "prog --a ",
        "'",
        '"',
        "$(",
        "${X:-",
        "}",
        "{",
        "&&",
        ";",
        "|",
        "||",
        "\\\n",
        "\n",
        "#c\n",
        "<<END\n",
        "END\n",
        "docker run -e A=1 img ",
        "bash -c ",
        "sudo ",
        "export ",
        "X=1 ",
        "$X ",
        '"${A[@]}" ',
        "for x in a b; do ",
        "done\n",
        "f() {\n",
        "é😀 ",
        "`",
        "\r\n",
        "env ",
        "ssh h ",
        "a b ",
        "X='--a 1'\n",
        "--n=${X:-3} ",
        "{a,b} ",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(SNIPPETS, max_size=25))
def test_soup_is_read_without_an_error_and_with_sound_segments(snippets: list[str]) -> None:
    for launch in read("".join(snippets)):
        assert launch.fragment.locate_all() or not launch.fragment.text
        for word in launch.argv:
            check_segments(word.fragment)
        for given_ in launch.given:
            check_segments(given_.name.fragment)


@pytest.mark.parametrize("flood", [")", "<<<‹", "||||"])
def test_a_flood_over_which_the_grammar_broods_is_given_up(flood: str) -> None:
    text = "llama-server -m q.gguf\n" + flood * (60_000 // len(flood))

    found = {finding.code for finding in lint(text, name="flood.sh").findings}

    assert argvs(text) or "MTP001" in found


@pytest.mark.timeout(60)
@pytest.mark.parametrize("flood", [">", "|", "||", ")", "(", "&", "<", ";"])
def test_a_flood_of_operators_hides_no_other_command(flood: str) -> None:
    text = "prog --a 1\n\nx " + flood * (16_000 // len(flood)) + "\n\nprog --b 2\n"
    assert argvs(text)[0] == ["prog", "--a", "1"]


def test_no_line_of_a_here_document_ends_it_by_beginning_like_its_end() -> None:
    text = "cat > run.sh <<E\nEcho $N\nprog --a 1\nE\nprog --b 2\n"
    assert sorted(argvs(text)) == [["Echo", "$N"], ["prog", "--a", "1"], ["prog", "--b", "2"]]
