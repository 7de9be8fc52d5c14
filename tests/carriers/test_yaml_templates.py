"""What is masked as a template in YAML, and what is the shell's."""

from __future__ import annotations

import pytest

from mtpconfig.carriers.yaml_.templates import MARK, mask


@pytest.mark.parametrize(
    "text",
    [
        'command: |\n  echo "${#args[@]} {{ x }} #}"\n',
        'command: |\n  n=${#args[@]}\n  {{ x }} # {#}\n',
    ],
)  # fmt: skip
def test_a_length_of_the_shell_is_no_comment_of_a_template(text: str) -> None:
    assert "${#args[@]}" in mask(text).text


def test_a_comment_of_a_template_is_masked() -> None:
    assert mask("a: {# no #}{{ x }}\n").text == f"a: {MARK * 8}{MARK * 7}\n"


def test_only_a_template_with_a_line_of_its_own_becomes_a_comment() -> None:
    masks = mask("a:\n  {{- if .x }}\n  b: {{ y }}\n  {{- end }}")

    assert masks.text == f"a:\n  #{MARK * 11}\n  b: {MARK * 7}\n  #{MARK * 9}"
    assert [line.verb for line in masks.lines] == ["if", "end"]
