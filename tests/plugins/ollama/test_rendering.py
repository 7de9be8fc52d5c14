"""Rendering: Modelfiles that Ollama's grammar takes, and that are read back as what was asked for."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mtpconfig_ollama.modelfile.grammar import parse

from mtpconfig.errors import CannotRender, UsageError
from mtpconfig.spec import MTPSpec
from mtpconfig.text import Source
from mtpconfig.writers import WRITERS, files, shell

from ...support import linter, one_sentence, run
from .support import ollama, version


def rendered(release: str = "0.32.14", **fields: object) -> tuple[str, tuple[str, ...], dict[str, str]]:
    made = ollama().render(MTPSpec(**{"state": "on", **fields}), version(release))  # type: ignore[arg-type]
    return made.files.get("Modelfile", ""), made.argv, dict(made.dropped)


def test_a_head_inside_a_file_is_switched_on_by_a_number() -> None:
    text, argv, dropped = rendered(model="./Qwen3.6-27B-MTP-Q4_K_M.gguf", gamma=3, temperature=0.6)
    assert text == "FROM ./Qwen3.6-27B-MTP-Q4_K_M.gguf\nPARAMETER draft_num_predict 3\nPARAMETER temperature 0.6\n"
    assert (argv, dropped) == (("ollama", "create", "qwen3.6-27b-mtp-q4_k_m", "-f", "Modelfile"), {})


def test_a_draft_of_its_own() -> None:
    text, _, _ = rendered(model="./g.gguf", drafter="./g-assistant.gguf")
    assert text == "FROM ./g.gguf\nDRAFT ./g-assistant.gguf\n"


def test_a_tag_that_brings_the_number_along_is_run_as_it_is() -> None:
    assert rendered("0.34.2", model="qwen3.8:27b", gamma=4)[:2] == ("", ("ollama", "run", "qwen3.8:27b"))
    assert rendered("0.34.2", model="qwen3.8:27b", gamma=2)[0] == "FROM qwen3.8:27b\nPARAMETER draft_num_predict 2\n"
    assert (
        rendered("0.34.2", model="qwen3.8:27b", state="off")[0] == "FROM qwen3.8:27b\nPARAMETER draft_num_predict 0\n"
    )


@pytest.mark.parametrize(
    ("fields", "release", "field", "reason"),
    [
        ({"model": "./q.gguf"}, "0.24.0", "state", "drafts for no GGUF model (first in 0.30.0)"),
        ({"model": "./q.gguf", "methods": ("ngram",)}, "0.32.14", "methods", "knows no other method"),
        ({"model": "./q.gguf", "drafter": "d-dflash.gguf", "methods": ("dflash",)}, "0.32.6", "methods", "0.32.7"),
        ({"model": "gemma4:12b-mlx", "gamma": 4}, "0.32.14", "gamma", "the MLX runner"),
        ({"model": "gemma4:12b-mlx", "state": "off"}, "0.32.14", "state", "has no setting for it"),
        ({"model": "./q.gguf", "p_min": 0.5}, "0.32.14", "p_min", "no such limit"),
        ({"model": "./q.gguf", "adaptive": True}, "0.32.14", "adaptive", "fixed number"),
    ],
)
def test_what_cannot_be_said_is_dropped_with_a_reason(
    fields: dict[str, object], release: str, field: str, reason: str
) -> None:
    assert reason in rendered(release, **fields)[2][field]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "begins with a model"),
        ({"model": "./q.gguf", "state": "auto"}, "leaves no GGUF model a choice"),
        ({"model": "./q.gguf", "drafter": "hf.co/a/b"}, "takes a file on this machine"),
        ({"model": "./q.gguf", "methods": ("dflash",)}, "needs a draft model"),
        ({"model": 'a\n"b'}, "cannot hold the model"),
    ],
)
def test_what_ollama_cannot_do_at_all_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(CannotRender, match=message):
        rendered(**fields)  # type: ignore[arg-type]


MODELS = st.sampled_from(
    [
        "./q-MTP.gguf",
        "/m/a b/q.gguf",
        "hf.co/a/Q-MTP-GGUF:Q4_K_M",
        "qwen3.8:27b",
        "llama3.2",
        "gemma4:12b-mlx",
        " q.gguf",
    ]
)
SPECS = st.builds(
    MTPSpec,
    state=st.sampled_from(["on", "off", "auto"]),
    methods=st.sampled_from([(), ("mtp",), ("dflash",), ("ngram",)]),
    gamma=st.none() | st.integers(1, 64),
    temperature=st.none() | st.sampled_from([0.0, 0.6, 1.0, 1.5]),
    model=MODELS,
    drafter=st.none() | st.sampled_from(["./d-assistant.gguf", "./d-DFlash.gguf", "./a b.gguf"]),
    p_min=st.none() | st.sampled_from([0.0, 0.75]),
    adaptive=st.none() | st.booleans(),
)


@settings(max_examples=600, deadline=None)
@given(SPECS, st.sampled_from(["0.24.0", "0.30.0", "0.32.6", "0.32.14", "0.34.2"]))
def test_what_is_kept_is_read_back(spec: MTPSpec, release: str) -> None:
    engine = ollama()
    try:
        made = engine.render(spec, version(release))
    except CannotRender:
        return
    for text in made.files.values():
        assert parse(text).complaint == ""
    script = shell(made) + "\n"
    read = [engine.read(launch, version(release)) for launch in linter().launches(Source("x.sh", script))]
    told = next((r for r in read if r.program == "Modelfile"), read[-1]).spec
    assert told.restricted_to(made.kept) == spec.restricted_to(made.kept)
    asked = {name for name in spec.to_dict() if name != "state"} | {"state"}
    by_file = {"methods"} if spec.drafter is not None else set()  # the file tells the method
    assert asked <= made.kept | made.dropped.keys() | by_file


def test_writers_hold_the_files() -> None:
    made = ollama().render(MTPSpec(state="on", model="EOF", gamma=2), version("0.32.14"))
    assert shell(made).startswith("cat > Modelfile <<'EOF'\nFROM EOF\n")
    assert json.loads(WRITERS["json"](made))["files"] == {"Modelfile": "FROM EOF\nPARAMETER draft_num_predict 2\n"}
    assert files(made) == "FROM EOF\nPARAMETER draft_num_predict 2"
    alone = ollama().render(MTPSpec(state="auto", model="gemma4:12b-mlx"), version("0.32.14"))
    with pytest.raises(UsageError, match="needs no file"):
        files(alone)


def test_the_command_line_renders_for_the_newest_release() -> None:
    done = run("render", "--engine", "ollama", "--model", "./q-mtp.gguf", "--gamma", "3", "--format", "files")
    assert (done.returncode, done.stdout) == (0, b"FROM ./q-mtp.gguf\nPARAMETER draft_num_predict 3\n")
    assert "known versions" in one_sentence(run("render", "--engine", "ollama@0.99.0", "--model", "x"))
