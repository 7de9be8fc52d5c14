"""YAML and JSON of no known schema."""

import pytest

from .yaml_launches import env, named, read, said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("job: {command: prog -m 'a b'}\n", ["prog", "-m", "a b"]),
        ("job: {command: [prog, -m, 'a b']}\n", ["prog", "-m", "a b"]),
        ("job: {command: prog, args: [-m, 'a b']}\n", ["prog", "-m", "a b"]),
        ("job: {cmd: ['bash', '-c', 'exec prog -m']}\n", ["prog", "-m"]),
        ("run: |\n  cd x\n  prog \\\n    -m\n", ["prog", "-m"]),
        ("setup: T='--t draft'\nrun: prog $T\n", ["prog", "--t", "draft"]),
        ("steps: [{commands: ['cd x', prog -m]}]\n", ["prog", "-m"]),
        ("command: ['prog -m', 'cd x']\n", ["prog", "-m"]),
        ("servers: {a: {args: [prog, -m]}}\n", ["prog", "-m"]),
        ("x: &a [prog, -m]\ny: {command: *a}\n", ["prog", "-m"]),
        ("a: &a {command: [prog, -m]}\nb: {<<: *a, command: [z]}\n", None),
    ],
)
def test_commands(text: str, expected: list[str] | None) -> None:
    found = [said(launch) for launch in read(text, "task.yaml")]
    assert found == [expected] if expected else found == [["prog", "-m"], ["z"]]


def test_json() -> None:
    text = '{"configurations": [{"name": "serve", "program": "prog", "args": ["-m", "a\\tb"], "env": {"A": "1"}}]}'
    launch = named(text, "launch.json")
    assert (launch.label, said(launch), env(launch)) == ("serve", ["prog", "-m", "a\tb"], {"A": "1"})


@pytest.mark.parametrize(
    "text",
    [
        "- description: [prog --t draft]\n  notes: |\n    prog --t draft\n",
        "changes:\n  - prog --t draft is the new default\n",
        "title: run prog --t draft\n",
        "args: [--t, draft]\n",
        "args: --t draft\n",
        "command: {a: prog}\n",
        "command:\nrun: ~\nscript: []\n",
    ],
)
def test_prose_and_arguments_of_nobody_start_nothing(text: str) -> None:
    assert read(text, "notes.yaml") == []


def test_pins_of_the_setup_are_hints_for_the_run() -> None:
    launch = named("setup: pip install prog==1.2\nrun: prog serve\n", "sky.yaml", "serve")
    assert [hint.fragment.text for hint in launch.hints if hint.kind == "pin"] == ["prog==1.2"]
