"""Workflows of GitHub Actions and pipelines of GitLab CI."""

import pytest

from mtpconfig.carriers.ci.claims import is_pipeline

from .yaml_launches import env, named, read, said, word

WORKFLOW = """\
on: push
env: {A: top, B: top}
defaults: {run: {shell: bash}}
jobs:
  serve:
    runs-on: gpu
    container: {image: "r/llm:1"}
    env: {B: job, C: job}
    services:
      judge:
        image: r/judge:2
        env: {J: "1"}
    steps:
      - uses: actions/checkout@v4
      - name: start
        env: {C: step, S: "${{ secrets.S }}"}
        run: |
          TYPE=draft
          prog -m "${{ inputs.model }}" --t $TYPE ${{ inputs.more }} \\
            --n ${{ matrix.n }}
      - run: prog.exe -m
        shell: pwsh
"""


def test_a_workflow() -> None:
    judge, start = read(WORKFLOW, "gpu.yml")
    assert (judge.label, said(judge), env(judge)) == ("judge", ["[r/judge:2]"], {"J": "1"})
    assert (start.label, start.carrier) == ("serve", "ci / test yaml")
    assert said(start) == [
        "[r/llm:1]", "=prog", "-m", "${{ inputs.model }}?", "--t", "draft", "${{ inputs.more }}?*", "--n",
        "${{ matrix.n }}?*",
    ]  # fmt: skip
    assert env(start) == {"A": "top", "B": "job", "C": "step", "S": "?"}


def test_each_step_is_a_shell_of_its_own() -> None:
    text = "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: T=1\n      - run: prog $T\n"
    assert said(named(text, "a.yml")) == ["prog", "$T?*"]


def test_a_composite_action() -> None:
    text = "name: x\nruns:\n  using: composite\n  steps:\n    - run: prog -m ${{ inputs.m }}\n      shell: bash\n"
    assert said(named(text, "action.yml")) == ["prog", "-m", "${{ inputs.m }}?*"]


PIPELINE = """\
stages: [test]
variables:
  G: "1"
  H: {value: "2", description: how many}
default:
  image: r/llm:1
before_script:
  - TYPE="--t draft"
.base:
  variables: {H: base}
speed:
  extends: .base
  image: {name: "r/llm:2", entrypoint: [""]}
  services:
    - name: r/judge:3
      command: [serve, -m]
    - r/db:1
  script:
    - cd bench
    - prog $TYPE --n 3
    - >
      for i in 1 2; do
      other --i $i;
      done
  after_script: [third]
"""


def test_a_pipeline() -> None:
    found = read(PIPELINE, ".gitlab-ci.yml")
    assert [" ".join(said(launch)) for launch in found] == [
        "[r/judge:3] serve -m",
        "[r/db:1]",
        "[r/llm:2] =prog --t draft --n 3",
        "[r/llm:2] =other --i 1 2",
        "[r/llm:2] =third",
    ]
    assert env(found[2]) == {"G": "1", "H": "base"}
    assert {launch.label for launch in found} == {"speed"}
    assert found[2].places == ("bench",)


def test_shared_lines_are_located_and_not_edited() -> None:
    launch = named(PIPELINE, ".gitlab-ci.yml", "prog")
    shared, own = word(launch, "draft"), word(launch, "3")
    assert shared.fragment.source.text[slice(*shared.fragment.locate_all()[0])] == "draft"
    assert shared.fragment.replace(0, 5, "x") is None
    assert own.fragment.replace(0, 1, "4") is not None


def test_extends_in_a_circle_ends() -> None:
    text = "stages: [a]\n.x: {extends: .y}\n.y: {extends: .x}\njob:\n  extends: [.x, .y]\n  script: [prog -m]\n"
    assert said(named(text, ".gitlab-ci.yml")) == ["prog", "-m"]


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("ci.yml", "name: x\non:\n  push:\njobs:\n  a:\n    steps:\n", True),
        ("action.yaml", "name: x\nruns:\n  using: composite\n", True),
        (".gitlab-ci.yml", "", True),
        ("build.yml", "job:\n  stage: test\n  script:\n    - x\n", True),
        ("compose.yml", "services:\n  a:\n    image: x\n", False),
        ("a.yaml", "script: none\n", False),
        ("a.yaml", "- jobs: many\n", False),
    ],
)
def test_claims(name: str, head: str, claimed: bool) -> None:
    assert is_pipeline(name, head) is claimed
