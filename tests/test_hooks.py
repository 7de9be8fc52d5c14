from __future__ import annotations

import json

import pytest

from mtpconfig.errors import UnknownName
from mtpconfig.hooks import SWITCH, carriers, engines, find_engine, plugin_manager

from .support import one_sentence, run


def test_all_installed_plugins_are_loaded() -> None:
    assert "llama.cpp" in engines() and find_engine("llama.cpp") is engines()["llama.cpp"]
    assert any(carrier.name == "shell script" for carrier in carriers())
    assert {"carriers", "llamacpp"} <= {name for name, _ in plugin_manager().list_name_plugin()}


def test_an_unknown_engine_is_told_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown engine 'llama-cpp' \(did you mean llama\.cpp\?\)"):
        find_engine("llama-cpp")


def test_none_loads_nothing() -> None:
    result = run("engines", env={SWITCH: "none"})
    assert result.returncode == 0 and b"no engine" in result.stdout
    assert "none is known" in one_sentence(run("render", "--engine", "llama.cpp", env={SWITCH: "none"}))


@pytest.mark.parametrize("wanted", ["none", "", "carriers"])
def test_a_run_that_would_check_nothing_is_refused(wanted: str) -> None:
    assert SWITCH in one_sentence(run("lint", "-", stdin="llama-server --draft-max 3\n", env={SWITCH: wanted}))


@pytest.mark.parametrize(
    ("wanted", "launches"), [("llamacpp,carriers", 1), (" carriers , llamacpp ,", 1), ("llamacpp", 0)]
)
def test_a_list_loads_what_it_names(wanted: str, launches: int) -> None:
    text = "#!/bin/sh\nllama-server -m q.gguf --spec-type draft-mtp\n"
    result = run("lint", "-", "--output-format", "json", "--stdin-filename", "a.sh", stdin=text, env={SWITCH: wanted})
    assert result.returncode == 0, result.stderr
    assert len(json.loads(result.stdout)["launches"]) == launches


def test_an_unknown_plugin_is_one_sentence_with_the_nearest() -> None:
    text = one_sentence(run("engines", env={SWITCH: "llamacp"}))
    assert SWITCH in text and "'llamacp'" in text and "did you mean llamacpp?" in text


def test_no_plugin_is_loaded_from_the_working_folder(tmp_path: object) -> None:
    text = one_sentence(run("engines", env={SWITCH: "evil"}, cwd=str(tmp_path)))
    assert "evil" in text
