"""Words that no shell reads: kept line ends, several words in one item, JSON without quotes, shell operators."""

from __future__ import annotations

import json

import pytest

from mtpconfig.lint.fixes import fix_source

from ..support import codes, found, lint, linter

IMAGE = "ghcr.io/ggml-org/llama.cpp:server-b11434"
COMPOSE = f"services:\n  a:\n    image: {IMAGE}\n    command: "
POD = f"apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n      image: {IMAGE}\n      args: "
UNIT = "[Service]\nExecStart=/usr/bin/llama-server -m q.gguf "


def compose(command: str) -> list[str]:
    return codes(COMPOSE + command + "\n", name="compose.yaml")


def pod(*args: str) -> list[str]:
    return codes(POD + json.dumps(args) + "\n", name="pod.yaml")


def unit(rest: str) -> list[str]:
    return codes(f"{UNIT}{rest}\n", "b11434", "llama.service")


@pytest.mark.parametrize("header", [">", "|", ">-", "|-"])
def test_a_backslash_in_a_compose_string_keeps_the_line_end(header: str) -> None:
    lines = ["-m q.gguf \\", "--spec-type draft-mtp \\", "--port 8080"]
    wrong = header + "".join(f"\n      {line}" for line in lines)
    assert compose(wrong) == ["MTP209", "MTP209"]
    assert compose(wrong.replace(" \\", "")) == []


def test_a_line_end_that_is_a_word_of_its_own_is_told() -> None:
    (finding, *_) = found(f"{COMPOSE}|\n      -m q.gguf \\\n        --spec-type draft-mtp\n", name="compose.yaml")
    assert (finding.code, "receives that as a word" in finding.message) == ("MTP209", True)


def test_a_backslash_within_a_line_of_a_script() -> None:
    assert codes("llama-server -m q.gguf \\ --spec-type draft-mtp\n", "b11434") == ["MTP209"]
    assert codes("llama-server -m q.gguf --spec-type draft-mtp -p \\ --port\n", "b11434") == []


@pytest.mark.parametrize(
    "item", ["-m q.gguf --spec-type draft-mtp", "--jinja --spec-draft-n-max 3", "-c 4096 --spec_type draft-mtp"]
)
def test_a_speculative_option_within_an_item(item: str) -> None:
    assert pod(item) == ["MTP208"]
    assert compose(json.dumps([item])) == ["MTP208"]


@pytest.mark.parametrize(
    "args",
    [
        ("-m", "q.gguf", "-p", "-m is the model --spec-type the method"),
        ("-m", "q.gguf", "--a-flag-of-tomorrow", "-m q.gguf --spec-type draft-mtp"),
        ("$(FLAG)", "-m q.gguf --spec-type draft-mtp"),
    ],
)
def test_what_may_be_a_value_is_left_alone(args: tuple[str, ...]) -> None:
    assert "MTP208" not in pod(*args)


def test_the_fix_makes_items() -> None:
    text = f'{POD}["-m q.gguf --spec-type draft-mtp"]\n'
    fixed = fix_source(linter(), lint(text, name="pod.yaml")).source.text
    assert fixed == f'{POD}["-m", "q.gguf", "--spec-type", "draft-mtp"]\n'


@pytest.mark.parametrize(
    "item", ["-a my model --spec-type draft-mtp", "-m q.gguf --spec-type draft-mtp --chat-template-kwargs {}"]
)
def test_nothing_is_parted_that_may_belong_together(item: str) -> None:
    text = f"{POD}{json.dumps([item])}\n"
    (finding,) = found(text, name="pod.yaml")
    assert (finding.code, finding.fix) == ("MTP208", None)


@pytest.mark.parametrize("options", ["[--chat-template-kwargs, {}]", "[--spec-type, draft-mtp, --json-schema, {}]"])
def test_json_without_quotes_is_a_map(options: str) -> None:
    wrong, right = '{"enable_thinking": false}', """'{"enable_thinking": false}'"""
    for head, name in ((COMPOSE, "compose.yaml"), (POD, "pod.yaml")):
        assert codes(f"{head}{options.format(wrong)}\n", name=name) == ["MTP208"]
        assert codes(f"{head}{options.format(right)}\n", name=name) == []


def test_a_template_in_a_value_is_no_map() -> None:
    values = f"image: {IMAGE}\nargs: [--chat-template-kwargs, "
    for item in ('\'{"a": "{{ .Values.a }}"}\'', '"{{ .Values.json }}"'):
        assert codes(f"{values}{item}]\n", name="values.yaml") == []


@pytest.mark.parametrize("rest", ["| tee /log", "2>&1", "> /log", ">> /log 2>&1", "&& echo up", "&", ">/dev/null"])
def test_an_operator_that_no_shell_reads(rest: str) -> None:
    assert unit(f"--spec-type draft-mtp {rest}") == ["MTP207"]
    assert pod("-m", "q.gguf", "--spec-type", "draft-mtp", *rest.split()) == ["MTP207"]
    assert compose(json.dumps(["-m", "q.gguf", "--spec-type", "draft-mtp", *rest.split()])) == ["MTP207"]


@pytest.mark.parametrize(
    "rest", ["-p |", "-p '|'", "; /usr/bin/true", "\\; x", "-p '> x'", "--a-flag-of-tomorrow | --port 80"]
)
def test_no_operator_of_a_shell_in_a_unit(rest: str) -> None:
    assert "MTP207" not in unit(rest)


@pytest.mark.parametrize(
    "text",
    [
        "find . -exec llama-server -m q.gguf --spec-type draft-mtp \\;\n",
        "tmux new-session -d llama-server -m q.gguf --spec-draft-n-max 3 --spec-type draft-mtp \\; split-window\n",
        "ssh gpu llama-server -m q.gguf --spec-type draft-mtp '|' tee log\n",
        "llama-server -m q.gguf --spec-type draft-mtp 2>&1 | tee log\n",
        "L='> log 2>&1'\neval llama-server -m q.gguf --spec-type draft-mtp $L\n",
    ],
)
def test_a_shell_has_its_own_operators(text: str) -> None:
    assert "MTP207" not in codes(text, "b11434")


def test_a_shell_in_a_manifest_has_its_pipes() -> None:
    line = "llama-server -m q.gguf --spec-type draft-mtp 2>&1 | tee /log"
    assert codes(f"{POD}[]\n      command: {json.dumps(['sh', '-c', line])}\n", name="pod.yaml") == []
