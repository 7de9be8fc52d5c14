"""YAML and JSON of no known schema."""

import pytest

from tests.support import lint

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
        "help: {command: prog --t 16 is no longer supported}\n",
        "commands: [prog --t was removed last year, Use prog --t 16.]\n",
        "cmd: prog [options] --t 16\n",
        "command: [Start it with prog --t 16., prog --t 16 has no effect]\n",
    ],
)
def test_prose_and_arguments_of_nobody_start_nothing(text: str) -> None:
    assert read(text, "notes.yaml") == []


@pytest.mark.parametrize("key", ["command", "cmd", "run"])
@pytest.mark.parametrize(
    "command", ["prog --t 'what is it.'", "prog --t 16 && x is --t 3", "prog -f a.b", "echo x...\\nprog --t 1"]
)
def test_commands_that_resemble_sentences_are_read(key: str, command: str) -> None:
    assert read(f'{key}: "{command}"\n', "task.yaml")


@pytest.mark.parametrize("build", ['"build": "b8900"', '"build_number": 8900', '"commit": "b8900"'])
@pytest.mark.parametrize(
    "command", ['"llama-server --draft-max 3 -md d"', '["llama-server", "--draft-max", "3", "-md", "d"]']
)
def test_the_build_beside_a_command_is_its_version(build: str, command: str) -> None:
    (launch,) = lint(f'{{"cmd": {command}, {build}}}', name="runs.json").launches
    assert launch.target is not None
    assert str(launch.target.range) == "b8900"


@pytest.mark.parametrize("step", ["run: prog -m", "run:\n          name: a\n          command: |\n            prog -m"])
def test_steps_of_circleci_are_read(step: str) -> None:
    text = f"version: 2.1\njobs:\n  a:\n    docker: [{{image: x}}]\n    steps:\n      - checkout\n      - {step}\n"
    assert [said(launch) for launch in read(text, "config.yml")] == [["prog", "-m"]]


def test_pins_of_the_setup_are_hints_for_the_run() -> None:
    launch = named("setup: pip install prog==1.2\nrun: prog serve\n", "sky.yaml", "serve")
    assert [hint.fragment.text for hint in launch.hints if hint.kind == "pin"] == ["prog==1.2"]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        # Taskfile
        (
            "version: '3'\ntasks:\n  serve:\n    cmds:\n      - prog -a\n      - cmd: prog -b\n",
            "Taskfile.yml",
            ["-a", "-b"],
        ),
        # cloud-init
        ("#cloud-config\nruncmd:\n  - prog -a 'x y'\n  - [prog, -b]\n", "user-data.yaml", ["-a x y", "-b"]),
        (
            "#cloud-config\nwrite_files:\n  - path: /opt/run.sh\n    content: |\n      prog -a\n"
            "  - path: /etc/systemd/system/x.service\n    content: |\n      [Service]\n      ExecStart=/bin/prog -b\n"
            "  - path: /opt/other.sh\n    encoding: b64\n    content: prog -c\n",
            "user-data.yaml",
            ["-a", "-b"],
        ),
        # development containers
        ('{"image": "x", "postStartCommand": "prog -a"}', "devcontainer.json", ["-a"]),
        ('{"image": "x", "postCreateCommand": ["prog", "-a", "x y"]}', "devcontainer.json", ["-a x y"]),
        ('{"postAttachCommand": {"a": "prog -a", "b": ["prog", "-b"]}}', "devcontainer.json", ["-a", "-b"]),
        # CircleCI: the image beside the steps is the job's
        (
            "version: 2.1\njobs:\n  a:\n    docker:\n      - image: x\n    steps:\n      - run: prog -a\n"
            "      - run:\n          command: prog -b\n",
            "config.yml",
            ["-a", "-b"],
        ),
        # Azure Pipelines
        (
            "trigger: [main]\njobs:\n- job: a\n  steps:\n  - script: prog -a\n  - bash: prog -b\n"
            "  - task: Bash@3\n    inputs:\n      script: |\n        prog -c\n",
            "azure-pipelines.yml",
            ["-a", "-b", "-c"],
        ),
        ("jobs:\n# one\n- job: a\n  steps:\n  - script: prog -a\n", "azure-pipelines.yml", ["-a"]),
    ],
)
def test_places_of_other_tools_are_read(text: str, name: str, expected: list[str]) -> None:
    found = [[word for word in said(launch) if not word.endswith("prog")] for launch in read(text, name)]
    assert [" ".join(words) for words in found if words] == expected


@pytest.mark.parametrize(("program", "expected"), [("bash", ["[x]", "=prog", "-a"]), ("python", ["[x]", "=python"])])
def test_the_source_of_an_argo_script_is_read_for_a_shell(program: str, expected: list[str]) -> None:
    text = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec:\n  templates:\n  - script:\n      image: x\n"
        f"      command: [{program}]\n      source: |\n        prog -a\n"
    )
    assert [said(launch) for launch in read(text, "argo.yaml")] == [expected]
