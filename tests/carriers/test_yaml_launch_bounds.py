"""Hostile and broken input: bounded, and nothing is raised."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .yaml_launches import read

HEADS = {
    "pod.yaml": "apiVersion: v1\nkind: Pod\ncontainers:\n",
    "ci.yml": "on: push\njobs:\n  a:\n    steps:\n",
    ".gitlab-ci.yml": "stages: [a]\nb:\n  script:\n",
    "play.yml": "- hosts: a\n  tasks:\n",
    "task.yaml": "run:\n",
}
BOMB = "x0: &x0 {image: r/l:1, args: [-m]}\n" + "".join(
    f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
HOSTILE = {
    "deep flow lists": "x: " + "[" * 100_000,
    "deep maps": "x: " + "{image: a, args: [-m], b: " * 20_000,
    "deep blocks": "".join(" " * n + "a:\n" for n in range(1500)),
    "aliases of aliases": BOMB,
    "a merge of itself": "a: &a {<<: *a, command: [x]}\n",
    "one long line": "x: {command: prog " + "--n 1 " * 3_000 + "}\n",
    "open templates": "x: {command: 'prog " + "{{ " * 4_000 + "'}\n",
    "many templates": "x:\n  command: prog " + "{{ a }} " * 1_500 + "\n",
    "many branches": "x:\n  command: prog " + "{% if a %} b " * 1_500 + "\n",
    "branches and ends": "x:\n  command: prog " + "{% if a %} b {% endif %} " * 800 + "\n",
    "many containers": "x:\n"
    + "".join(f"- {{image: 'r/l:{n}', env: [{{name: A, value: $(A)}}]}}\n" for n in range(1_000)),
    "many variables": "x: {image: a, args: ['" + "$(A)" * 20_000 + "'], env: {A: " + "b" * 1_000 + "}}\n",
    "doubling variables": "x:\n  image: a\n  args: [$(V40)]\n  env:\n"
    + "  - {name: V0, value: x}\n"
    + "".join(f"  - {{name: V{n}, value: $(V{n - 1})$(V{n - 1})}}\n" for n in range(1, 41)),
    "binary": "x: {command: \x01\x02\x7f\x9f [\x00}\n",
    "tabs": "x:\n\tcommand: prog\n\t\targs: [-m]\n",
    "extends": "".join(f".a{n}: {{extends: [{', '.join(f'.a{k}' for k in range(40))}]}}\n" for n in range(40)),
}


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.timeout(60)  # what hangs takes minutes; this measures no speed
def test_hostile_input_is_bounded(text: str, name: str) -> None:
    indent = " " * (len(HEADS[name].splitlines()[-1]) - len(HEADS[name].splitlines()[-1].lstrip()) + 2)
    inside = HEADS[name] + "".join(f"{indent}{line}\n" for line in text.splitlines())
    for variant in (text, inside):
        read(variant, name)


PIECES = """\
image: r/l:1|args:|command:|- --n|- |env:|name: A|value: $(A)$$|{{ x }}|{%|{% if a %}|{% endif %}|>-|&a|*a|[|]|{|}|'|"
|: |\n|\n  |\n    |\t|#|prog -m|script: >|shell: |content:|dest: a.sh|data:|kind: ConfigMap|apiVersion: v1|extends: b|b:
|steps:|run: |<<: *a|😀|\r\n|\ufeff|\\|$("""


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(HEADS)), st.lists(st.sampled_from(PIECES.split("|")), max_size=40))
def test_nothing_is_raised(name: str, pieces: list[str]) -> None:
    text = HEADS[name] + "".join(pieces)
    for launch in read(text, name):
        for word in launch.argv:
            for span in word.fragment.locate_all():
                assert 0 <= span.start <= span.end <= len(text)
