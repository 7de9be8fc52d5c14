"""Playbooks and lists of tasks."""

import pytest

from mtpconfig.carriers.ansible.claims import is_playbook

from .yaml_launches import env, named, read, said

PLAY = """\
- name: serve
  hosts: gpu
  environment: {{A: play}}
  tasks:
    - name: one task
      environment: {{B: task}}
{}"""


def play(body: str) -> str:
    return PLAY.format("".join(f"      {line}\n" for line in body.splitlines()))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("command: prog -m '{{ model }}'", "prog -m {{ model }}?"),
        ("ansible.builtin.shell: nohup prog -m {{ model }} &", "prog -m {{ model }}?*"),
        ("ansible.builtin.command:\n  cmd: prog --a", "prog --a"),
        ("ansible.builtin.command:\n  argv: [prog, --t, '{{ t }}', 'a b']", "prog --t {{ t }}? a b"),
        ("shell: |\n  cd x\n  prog \\\n    --a", "prog --a"),
        ("command:\nargs: {argv: [prog, --a]}", "prog --a"),
        ("docker_container: {image: r/llm:1, command: '-m q --t \"a b\"'}", "[r/llm:1] -m q --t a b"),
        ("docker_container: {image: r/llm:1, command: [-m, 'a b']}", "[r/llm:1] -m a b"),
        ("docker_container: {image: r/llm:1, entrypoint: [prog], command: [-m]}", "[r/llm:1] =prog -m"),
        ("containers.podman.podman_container: {image: 'r/llm:{{ t }}', command: [-m]}", "[r/llm:{{ t }}] -m"),
        ("copy: {dest: '{{ d }}/start.sh', content: \"#!/bin/sh\\nprog -m\\n\"}", "prog -m"),
        ("blockinfile: {path: /etc/start.sh, block: prog -m}", "prog -m"),
        ("kubernetes.core.k8s: {definition: {spec: {containers: [{image: 'r/l:1', args: [-m]}]}}}", "[r/l:1] -m"),
    ],
)
def test_what_a_task_starts(body: str, expected: str) -> None:
    assert " ".join(said(named(play(body), "play.yml"))) == expected


def test_environments_add_up() -> None:
    assert env(named(play("shell: prog -m"), "play.yml")) == {"A": "play", "B": "task"}
    inside = named(play("docker_container: {image: 'r/l:1', env: {C: '1'}, command: [-m]}"), "play.yml")
    assert env(inside) == {"C": "1"}


def test_blocks_and_labels() -> None:
    text = play("block:\n  - name: inner\n    shell: prog -m\n  - shell: second")
    assert [(launch.label, said(launch)[0]) for launch in read(text, "play.yml")] == [
        ("inner", "prog"),
        ("one task", "second"),
    ]


def test_branches_of_jinja() -> None:
    body = "shell: prog {% if fast %}--t draft{% else %}--t none{% endif %} --n={% if a %}1{% endif %}"
    launch = named(play(body), "play.yml")
    assert [each.text for each in launch.argv] == ["prog", "--t", "draft", "--t", "none", "--n={% if a %}1{% endif %}"]
    guards = [each.guard for each in launch.argv]
    assert guards[1] == guards[2] != guards[3] == guards[4] and not guards[0] and not guards[5]
    assert not launch.closed and launch.why_open == "{% if fast %}"
    (branch,) = {number for guard in guards for number, _ in guard}
    assert launch.exhaustive[branch] == (0, 1)


def test_prose_in_a_playbook_starts_nothing() -> None:
    assert read(play("debug: {msg: 'prog --t draft'}\nwhen: prog"), "play.yml") == []


@pytest.mark.parametrize(
    ("head", "claimed"),
    [
        ("---\n- hosts: all\n  tasks:\n    - shell: x\n", True),
        ("- name: x\n  ansible.builtin.command: y\n", True),
        ("- name: x\n  command: y\n  become: true\n", True),
        ("- config-keys: [x]\n  description: ['use --t']\n", False),
        ("- name: x\n  value: y\n", False),
        ("hosts: a\ntasks: b\n", False),
    ],
)
def test_claims(head: str, claimed: bool) -> None:
    assert is_playbook("site.yml", head) is claimed
