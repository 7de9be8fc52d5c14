"""Malformed knowledge is refused with a sentence that names the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtpconfig.errors import KnowledgeError
from mtpconfig.knowledge import knowledge_root, load_history, load_toml

from .support import build

GOOD = """
schema = 1
engine = "toy"
scheme = "build"
examined = ["b100", "b300", "b200"]

[[surface]]
name = "flag"
unknown = [{do = "fatal", message = "no {spelling}"}]

[[program]]
name = "toy-server"
examples = [{is = "server"}]

[options.gamma]
type = "int"
merge = [{do = "last", until = ["b100", "b200"]}, {do = "append", since = ["b100", "b200"]}]
default = [{value = "5"}]
[options.gamma.flag]
--gamma = [
  {since = ["", "b100"], until = ["b200", "b300"], status = "active", programs = ["server"]},
  {since = ["b200", "b300"], status = "fatal", message = "gone", replace = [{spelling = "--depth"}]},
]
[options.gamma.env]
GAMMA = [{since = ["b100", "b200"], status = "active", except = ["bench"]}]
"""


def put(root: Path, text: str, name: str = "options.toml") -> Path:
    folder = root / "toy"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    return root


FILE_SURFACES = """
schema = 1
engine = "toy"
scheme = "pep440"
examined = ["0.1.0"]
[[surface]]
name = "param"
title = "`SET {spelling}`"
stops = "refuses the file"
[[surface]]
name = "flag"
[options.gamma]
[options.gamma.instruction]
GAMMA = [{}]
"""


def test_a_surface_says_what_stops_there_and_how_its_names_are_called(tmp_path: Path) -> None:
    history = load_history("toy", put(tmp_path, FILE_SURFACES))
    assert [history.stops(name) for name in ("param", "flag", "env")] == [
        "refuses the file", "does not start", "does not start"
    ]  # fmt: skip
    assert history.surfaces["param"].title == "`SET {spelling}`"
    assert history.find("instruction", "GAMMA", history.newest, "toy") is not None


def test_plain_parameters_and_instructions(tmp_path: Path) -> None:
    put(
        tmp_path,
        '[names]\nx = [{params = "x", type = "int"}]\ny = [{instructions = "Y", type = "string"}]',
        "names.toml",
    )
    history = load_history("toy", put(tmp_path, FILE_SURFACES))
    assert history.find("param", "x", history.newest, "toy") is not None
    assert history.find("instruction", "Y", history.newest, "toy") is not None
    assert not history.options["x"].speculative


def test_a_history_out_of_toml(tmp_path: Path) -> None:
    history = load_history("toy", put(tmp_path, GOOD))
    assert [str(version) for version in history.versions] == ["b100", "b200", "b300"]
    old = history.find("flag", "--gamma", build("b200"), "server")
    new = history.find("flag", "--gamma", build("b300"), "server")
    assert old is not None and old.status == "active" and old.type == "int"
    assert new is not None and (new.status, new.message, new.replace[0].spelling) == ("fatal", "gone", "--depth")
    assert history.find("flag", "--gamma", build("b200"), "bench") is None
    assert history.find("env", "GAMMA", build("b200"), "server") is not None
    assert history.find("env", "GAMMA", build("b200"), "bench") is None
    assert history.default("gamma", build("b300")) == "5"
    assert history.merge("gamma", build("b200")) == "append"
    assert history.surfaces["flag"].unknown[0].value == "fatal"


def test_plain_names_and_facts_are_read_beside_it(tmp_path: Path) -> None:
    put(tmp_path, GOOD)
    put(
        tmp_path,
        '[names]\ntemp = [{flags = ["--temp"], no_flags = ["--no-temp"], env = "TEMP", type = "float"}]\n',
        "names.toml",
    )
    put(
        tmp_path,
        '[[fact]]\nname = "joins"\nrows = [{value = "yes", until = ["b200", "b300"]}]\n[never]\n"--g" = "gamma"\n',
        "facts.toml",
    )
    history = load_history("toy", tmp_path)
    assert history.find("flag", "--temp", build("b100"), "server") is not None
    negated = history.find("flag", "--no-temp", build("b100"), "server")
    assert negated is not None and negated.negates
    assert history.find("env", "TEMP", build("b100"), "server") is not None
    assert not history.options["temp"].speculative and history.options["gamma"].speculative
    assert history.facts["joins"][0].value == "yes" and history.never == {"--g": "gamma"}


@pytest.mark.parametrize(
    "text",
    [
        "schema = ",
        GOOD.replace('scheme = "build"', 'scheme = "roman"'),
        GOOD.replace('scheme = "build"\n', ""),
        GOOD.replace('engine = "toy"\n', ""),
        GOOD.replace('"b300", "b200"', '"b300", 200'),
        GOOD.replace('"b300", "b200"', '"b300", "newest"'),
        GOOD.replace('since = ["b100", "b200"], status', 'since = "b200", status'),
        GOOD.replace('since = ["b100", "b200"], status', 'since = ["b100", "b200", "b300"], status'),
        GOOD.replace('{spelling = "--depth"}', "{}"),
        GOOD.replace("[options.", "[option."),
        GOOD.replace('{value = "5"}', '{is = "5"}'),
        GOOD + "\n[options.depth]\nflag = 3\n",
    ],
)
def test_a_malformed_history_names_its_file(tmp_path: Path, text: str) -> None:
    put(tmp_path, text)
    with pytest.raises(KnowledgeError, match=r"toy.options\.toml: "):
        load_history("toy", tmp_path)


def test_an_unknown_status_is_refused(tmp_path: Path) -> None:
    put(tmp_path, GOOD.replace('status = "fatal"', 'status = "fatl"'))
    with pytest.raises(KnowledgeError, match=r"options\.toml: "):
        load_history("toy", tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("names.toml", "[names]\ntemp = [{flags = ['--temp']}]\n"),  # no type
        ("names.toml", "[name]\n"),
        ("names.toml", "[names\n"),
        ("facts.toml", "[[fact]]\nname = 'x'\n"),
        ("facts.toml", "[[fact]\n"),
    ],
)
def test_malformed_files_beside_it_name_themselves(tmp_path: Path, name: str, text: str) -> None:
    put(tmp_path, GOOD)
    put(tmp_path, text, name)
    with pytest.raises(KnowledgeError, match=name.replace(".", r"\.")):
        load_history("toy", tmp_path)


def test_a_missing_engine_or_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"options\.toml"):
        load_history("toy", tmp_path)


def test_a_file_that_is_no_utf_8_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"a = '\xff'\n")
    with pytest.raises(KnowledgeError, match=r"x\.toml"):
        load_toml(tmp_path / "x.toml")


def test_the_shipped_knowledge_lies_in_the_rules_package() -> None:
    assert (knowledge_root() / "common" / "codes.toml").is_file()
    assert (knowledge_root() / "llama.cpp" / "options.toml").is_file()
