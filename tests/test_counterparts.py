"""What several engines have in common: each row names an option that is there, and says how it is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from mtpconfig.counterparts import shared_by, shared_settings, weights_of, weights_taken
from mtpconfig.errors import KnowledgeError
from mtpconfig.hooks import engines, find_engine
from mtpconfig.knowledge import knowledge_root, load_history, load_toml
from mtpconfig.version import Scheme, Version

from .test_knowledge import GOOD, put

SHIPPED = [name for name in sorted(engines()) if (knowledge_root() / name / "counterparts.toml").is_file()]


def test_three_engines_have_some() -> None:
    assert {"llama.cpp", "sglang", "vllm"} <= set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_row_names_a_known_setting_and_an_option_of_the_newest_version(name: str) -> None:
    history = find_engine(name).options()
    data = load_toml(knowledge_root() / name / "counterparts.toml")
    assert set(data) == {"weights", "weights_evidence", "options"} and len(data["weights_evidence"]) > 10
    for setting, row in data["options"].items():
        assert setting in shared_settings() and set(row) <= {"option", "default", "evidence"}
        assert len(row["evidence"]) > 10
        assert row["option"] in history.options
        assert history.options[row["option"]].speculative is False
        assert shared_by(row["option"], history) == shared_settings()[setting]
    assert weights_taken(history) is not None


@pytest.mark.parametrize("setting", sorted(shared_settings()))
def test_a_setting_that_is_shared_is_shared_by_two(setting: str) -> None:
    assert sum(setting in find_engine(name).options().counterparts.settings for name in SHIPPED) >= 2


@pytest.mark.parametrize(
    ("setting", "right", "wrong"),
    [
        ("port", "8080", "808080"),
        ("port", "0", "http"),
        ("host", "0.0.0.0", "/run/llama.sock"),
        ("host", "::", "a,b"),
        ("context-length", "32768", "32k"),
        ("served-name", "org/model-a_b:1", "one,two"),
        ("dtype", "bfloat16", "float8"),
    ],
)
def test_the_values_that_all_read_alike(setting: str, right: str, wrong: str) -> None:
    values = shared_settings()[setting].values
    assert values is not None and values.fullmatch(right) and not values.fullmatch(wrong)


@pytest.mark.parametrize(
    ("model", "form"),
    [
        ("unsloth/Qwen3.6-27B-MTP-GGUF:Q4_K_M", "gguf"),
        ("/models/q.gguf", "gguf"),
        ("Qwen/Qwen3.6-27B", "safetensors"),
    ],
)
def test_a_name_tells_its_form_whatever_the_engine(model: str, form: str) -> None:
    found = weights_of(model, find_engine("vllm").options())
    assert found is not None and found.id == form


def test_an_engine_without_the_file_says_nothing(tmp_path: Path) -> None:
    history = load_history("toy", put(tmp_path, GOOD))
    assert weights_taken(history) is None and weights_of("m", history) is None and shared_by("gamma", history) is None


def test_a_malformed_file_is_named(tmp_path: Path) -> None:
    put(tmp_path, GOOD)
    put(tmp_path, "[options.port]\ndefault = 1\n", "counterparts.toml")
    with pytest.raises(KnowledgeError, match=r"counterparts\.toml: 'option' is missing"):
        load_history("toy", tmp_path)


def test_a_scheme_of_its_own_and_flags_of_its_own(tmp_path: Path) -> None:
    """What a package from outside may bring: no list in the core has to know of it."""
    dates = Scheme("date", "2026-01", lambda text: Version(text, tuple(map(int, text.split("-")))))
    put(tmp_path, 'engine = "toy"\nscheme = "date"\nexamined = ["2026-2", "2025-11"]\n[options]\n')
    put(tmp_path, 'distinctive = ["--toy"]\n', "facts.toml")
    history = load_history("toy", tmp_path, dates)
    assert [str(version) for version in history.versions] == ["2025-11", "2026-2"]
    assert history.distinctive == ("--toy",)
    with pytest.raises(KnowledgeError, match="unknown numbering scheme 'date'"):
        load_history("toy", tmp_path)
