"""Edits of Compose files through all layers, byte by byte; then the file is read again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from mtpconfig.carrier import NO_FILES, Opener
from mtpconfig.hooks import carriers
from mtpconfig.launch import Launch, Word
from mtpconfig.text import Edit, Fragment, Source, apply_edits
from tests.carriers.shell_reading import argv, env

MARKDOWN = "# é\n\n- ```yaml\n  services:\n    s:\n      image: x:1\n      command: >\n        -m x\n"
QUOTED = "> ```yaml\n> services:\n>   s:\n>     image: x:1\n>     command:\n"
SHELL = '    entrypoint: [sh, -c]\n    command:\n      - |\n        Y=$$X\n        exec llama-server -m "$$Y" \\\n'
CONFIG = "services: {s: {image: x}}\nconfigs:\n  run.sh:\n    content: |\n      llama-server -m $$M \\\n"
HEAD = "services:\n  s:\n    image: ghcr.io/ggml-org/llama.cpp:server-b11434\n"


def launches(name: str, text: str) -> list[Launch]:
    opener = Opener(carriers(), NO_FILES)
    return list(opener.open(Fragment.of(Source(name, text)), name))


def find(name: str, text: str, word: str) -> tuple[Launch, Word]:
    """The launch that has a word, and the word."""
    return next((launch, each) for launch in launches(name, text) for each in launch.argv if each.text == word)


def applied(text: str, edits: Edit | Iterable[Edit] | None) -> str | None:
    return apply_edits(text, [edits] if isinstance(edits, Edit) else edits) if edits is not None else None


@dataclass(frozen=True)
class Nesting:
    """A text that holds `--old 16` somewhere deep down, and the bytes that edits of it must leave."""

    text: str
    without: str | None
    inserted: str | None
    name: str = "compose.yaml"
    value: str = "16"
    new: str = "--new-n"


NESTINGS = {
    "folded > word": Nesting(
        HEAD + "    command: >\n      -m x\n      --old 16\n      --z\n",
        HEAD + "    command: >\n      -m x\n      --z\n",
        HEAD + "    command: >\n      -m x\n      --old 16 --t 'a b'\n      --z\n",
    ),
    "folded, CRLF, non-BMP, comment": Nesting(
        (HEAD + "    # 🙂🙂\n    command: >- # 🙂\n      --a 🙂\n      --old 16 --z\n").replace("\n", "\r\n"),
        (HEAD + "    # 🙂🙂\n    command: >- # 🙂\n      --a 🙂 --z\n").replace("\n", "\r\n"),
        (HEAD + "    # 🙂🙂\n    command: >- # 🙂\n      --a 🙂\n      --old 16 --t 'a b' --z\n").replace("\n", "\r\n"),
    ),
    "folded with more-indented lines": Nesting(
        HEAD + "    command: >\n      --a 1\n        --old 16\n        --y\n      --z\n",
        HEAD + "    command: >\n      --a 1\n        --y\n      --z\n",
        HEAD + "    command: >\n      --a 1\n        --old 16 --t 'a b'\n        --y\n      --z\n",
    ),
    "literal > word": Nesting(
        HEAD + "    command: |\n      --a 1\n      --old 16\n      --z\n",
        HEAD + "    command: |\n      --a 1\n      --z\n",
        HEAD + "    command: |\n      --a 1\n      --old 16 --t 'a b'\n      --z\n",
    ),
    "plain on one line": Nesting(
        HEAD + "    command: -m x --old 16 --z # why\n",
        HEAD + "    command: -m x --z # why\n",
        HEAD + "    command: -m x --old 16 --t 'a b' --z # why\n",
    ),
    "double quotes > single quotes": Nesting(
        HEAD + "    command: \"-m 'x y' --old '16' --z\"\n",
        HEAD + "    command: \"-m 'x y' --z\"\n",
        HEAD + "    command: \"-m 'x y' --old '16' --t 'a b' --z\"\n",
    ),
    "single quotes": Nesting(
        HEAD + "    command: '-m x --old 16 --z'\n",
        HEAD + "    command: '-m x --z'\n",
        HEAD + "    command: '-m x --old 16 --t ''a b'' --z'\n",
    ),
    "block list": Nesting(
        HEAD + "    command:\n\n      - -m\n      - x\n      - --old # old\n      - '16'\n      # z\n      - --z\n",
        HEAD + "    command:\n\n      - -m\n      - x\n      # z\n      - --z\n",
        HEAD + "    command:\n\n      - -m\n      - x\n      - --old # old\n      - '16'\n"
        "      - '--t'\n      - 'a b'\n      # z\n      - --z\n",
    ),
    "flow list": Nesting(
        HEAD + '    command: ["-m", "x", "--old", "16", "--z"]\n',
        HEAD + '    command: ["-m", "x", "--z"]\n',
        HEAD + '    command: ["-m", "x", "--old", "16", "--t", "a b", "--z"]\n',
    ),
    "entrypoint string, command list": Nesting(
        HEAD + "    entrypoint: llama-server --old 16\n    command: [--z]\n",
        HEAD + "    entrypoint: llama-server\n    command: [--z]\n",
        HEAD + "    entrypoint: llama-server --old 16 --t 'a b'\n    command: [--z]\n",
    ),
    "list > literal > shell": Nesting(
        HEAD + SHELL + "          --old 16 \\\n          --z\n",
        HEAD + SHELL + "          --z\n",
        HEAD + SHELL + "          --old 16 --t 'a b' \\\n          --z\n",
    ),
    "string > words > shell": Nesting(
        HEAD + "    command: bash -c \"llama-server -m 'x y' --old 16 --z\"\n",
        HEAD + "    command: bash -c \"llama-server -m 'x y' --z\"\n",
        HEAD + "    command: bash -c \"llama-server -m 'x y' --old 16 --t 'a b' --z\"\n",
    ),
    "Markdown > folded": Nesting(
        MARKDOWN + "        --old 16\n        --z\n  ```\n",
        MARKDOWN + "        --z\n  ```\n",
        MARKDOWN + "        --old 16 --t 'a b'\n        --z\n  ```\n",
        "README.md",
    ),
    "Markdown > block list": Nesting(
        QUOTED + ">       - --old\n>       - '16'\n>       - --z\n> ```\n",
        QUOTED + ">       - --z\n> ```\n",
        QUOTED + ">       - --old\n>       - '16'\n>       - '--t'\n>       - 'a b'\n"
        ">       - --z\n> ```\n",
        "README.md",
    ),
    "heredoc > block list": Nesting(
        "cat > compose.yaml <<'EOF'\n" + HEAD + "    command:\n    - --old\n    - '16'\n    - --z\nEOF\n",
        "cat > compose.yaml <<'EOF'\n" + HEAD + "    command:\n    - --z\nEOF\n",
        "cat > compose.yaml <<'EOF'\n" + HEAD
        + "    command:\n    - --old\n    - '16'\n    - '--t'\n    - 'a b'\n    - --z\nEOF\n",
        "run.sh",
    ),
    "heredoc that expands > folded": Nesting(
        "cat > compose.yaml <<EOF\n" + HEAD + "    command: >\n      -m \\$M\n      --old 16\n      --z\nEOF\n",
        "cat > compose.yaml <<EOF\n" + HEAD + "    command: >\n      -m \\$M\n      --z\nEOF\n",
        "cat > compose.yaml <<EOF\n" + HEAD
        + "    command: >\n      -m \\$M\n      --old 16 --t 'a b'\n      --z\nEOF\n",
        "run.sh",
    ),
    "config > shell": Nesting(
        CONFIG + "        --old 16 \\\n        --z\n",
        CONFIG + "        --z\n",
        CONFIG + "        --old 16 --t 'a b' \\\n        --z\n",
    ),
    "a value from outside next to it": Nesting(
        HEAD + "    command: -m x --old '16' ${MORE}\n      --z\n",
        HEAD + "    command: -m x ${MORE}\n      --z\n",
        HEAD + "    command: -m x --old '16' --t 'a b' ${MORE}\n      --z\n",
    ),
    "a default inside of a word": Nesting(
        HEAD + "    command: -m x --old ${N:-16} --z\n",
        HEAD + "    command: -m x --z\n",
        HEAD + "    command: -m x --old ${N:-16} --t 'a b' --z\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NESTINGS)
def test_replacing_through_all_layers(name: str) -> None:
    nesting = NESTINGS[name]
    launch, word = find(nesting.name, nesting.text, "--old")
    after = applied(nesting.text, word.fragment.replace(0, 5, "--new-n"))
    assert after == nesting.text.replace("--old", "--new-n")
    changed, _ = find(nesting.name, after, "--new-n")
    assert argv(changed) == ["--new-n" if text == "--old" else text for text in argv(launch)]
    value = launch.argv[launch.argv.index(word) + 1]
    after = applied(nesting.text, value.fragment.replace(0, 2, "3"))
    assert after == nesting.text.replace("16", "3")


@pytest.mark.parametrize("name", NESTINGS)
def test_removing_through_all_layers(name: str) -> None:
    nesting = NESTINGS[name]
    launch, word = find(nesting.name, nesting.text, "--old")
    assert launch.container is not None
    at = launch.argv.index(word)
    after = applied(nesting.text, launch.container.remove(launch.argv[at : at + 2]))
    assert after == nesting.without
    if after is not None:
        changed, _ = find(nesting.name, after, "--z")
        assert argv(changed) == [*argv(launch)[:at], *argv(launch)[at + 2 :]]


@pytest.mark.parametrize("name", NESTINGS)
def test_inserting_through_all_layers(name: str) -> None:
    nesting = NESTINGS[name]
    launch, word = find(nesting.name, nesting.text, "--old")
    assert launch.container is not None
    at = launch.argv.index(word) + 2
    after = applied(nesting.text, launch.container.insert(launch.argv[at - 1], ["--t", "a b"]))
    assert after == nesting.inserted
    if after is not None:
        changed, _ = find(nesting.name, after, "--z")
        assert argv(changed) == [*argv(launch)[:at], "--t", "a b", *argv(launch)[at:]]


@pytest.mark.parametrize(
    "environment, expected",
    [
        ("    environment:\n      A: 1 # one\n      B: 2\n", "    environment:\n      B: 2\n"),
        ("    environment:\n      - A=1\n      - B=2\n", "    environment:\n      - B=2\n"),
        ("    environment: {A: 1, B: 2}\n", "    environment: {B: 2}\n"),
        ("    environment: ['A=1', 'B=2']\n", "    environment: ['B=2']\n"),
    ],
)
def test_removing_an_assignment(environment: str, expected: str) -> None:
    (launch,) = launches("compose.yaml", HEAD + environment)
    assert env(launch) == {"A": "1", "B": "2"}
    assert launch.container is not None
    assert applied(HEAD + environment, launch.container.remove_given(launch.given[0])) == HEAD + expected


def test_renaming_a_variable() -> None:
    for environment in ("    environment:\n      OLD: 1\n", "    environment: ['OLD=1']\n"):
        (launch,) = launches("compose.yaml", HEAD + environment)
        edit = launch.given[0].name.fragment.replace(0, 3, "NEW_NAME")
        assert applied(HEAD + environment, edit) == HEAD + environment.replace("OLD", "NEW_NAME")


def test_a_command_that_compose_refuses_is_not_added_to() -> None:
    (launch,) = launches("compose.yaml", HEAD + "    command: -m x --z'\n")
    assert not launch.closed
    assert launch.container is not None and launch.container.insert(launch.argv[-1], ["--n"]) is None


def test_words_of_one_variable_go_together() -> None:
    text = HEAD + "    command: -m ${X:-a b} --z\n"
    (launch,) = launches("compose.yaml", text)
    assert argv(launch) == ["-m", "a", "b", "--z"]
    assert launch.container is not None
    assert launch.container.remove(launch.argv[1:2]) is None
    assert applied(text, launch.container.remove(launch.argv[1:3])) == HEAD + "    command: -m --z\n"
    assert launch.container.insert(launch.argv[1], ["c"]) is None
    assert applied(text, launch.container.insert(launch.argv[2], ["$c"])) == (
        HEAD + "    command: -m ${X:-a b} '$$c' --z\n"
    )


def test_a_dollar_is_doubled_on_the_way_out() -> None:
    text = HEAD + "    command: ['--a=b']\n"
    (launch,) = launches("compose.yaml", text)
    assert applied(text, launch.argv[0].fragment.replace(4, 5, "$X")) == HEAD + "    command: ['--a=$$X']\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "    command: &c [--old, x]\n  t:\n    image: y\n    command: *c\n",
        HEAD + "    command: &c --old x\n  t:\n    image: y\n    command: *c\n",
        "x-c: &c\n  command: [--old]\n" + HEAD + "    <<: *c\n",
    ],
)
def test_what_others_share_is_not_edited(text: str) -> None:
    for launch in launches("compose.yaml", text):
        for word in launch.argv:
            assert word.fragment.locate_all()
            assert word.fragment.replace(0, 2, "xx") is None
            assert launch.container is not None
            assert launch.container.insert(word, ["--n"]) is None
            assert launch.container.remove([word]) is None


def test_a_dollar_in_a_new_item_is_doubled() -> None:
    (launch,) = launches("compose.yaml", HEAD + "    command: [-m, x]\n")
    assert launch.container is not None
    edit = launch.container.insert(launch.argv[-1], ["--key", "a$b"])
    assert edit is not None
    (changed,) = launches("compose.yaml", apply_edits(HEAD + "    command: [-m, x]\n", [edit]))
    assert [word.text for word in changed.argv] == ["-m", "x", "--key", "a$b"]
