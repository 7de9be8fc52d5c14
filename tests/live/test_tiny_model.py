"""The constructed models and their oracle, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

np = pytest.importorskip("numpy")
gguf = pytest.importorskip("gguf")

from .tiny_model import Kind, Language, ModelSpec, main, simulate, write_model  # noqa: E402


def names_of(path: Path) -> set[str]:
    return {tensor.name for tensor in gguf.GGUFReader(path).tensors}


@pytest.mark.parametrize("kind", get_args(Kind))
def test_only_models_with_a_head_hold_one(kind: Kind, tmp_path: Path) -> None:
    path = write_model(tmp_path / "model.gguf", ModelSpec(kind, layers=4))
    assert ("blk.4.nextn.eh_proj.weight" in names_of(path)) == (kind in ("mtp", "mtp-only"))
    announced = "qwen35.nextn_predict_layers" in gguf.GGUFReader(path).fields
    assert announced == (kind in ("mtp", "mtp-only", "key-without-tensors"))


def test_the_trunk_is_missing_where_it_should_be(tmp_path: Path) -> None:
    path = write_model(tmp_path / "model.gguf", ModelSpec("mtp-only", layers=4))
    assert not any(name.startswith("blk.0.") for name in names_of(path))


@pytest.mark.parametrize("accept", [0.2, 0.9, 1.0])
def test_the_head_is_right_as_often_as_asked(accept: float) -> None:
    language = Language.build(accept)
    right = (language.truth == language.guess)[:96].mean()
    assert right == pytest.approx(accept, abs=0.01)
    assert (language.trunk.argmax(axis=1) == language.truth).all()
    assert (language.head.argmax(axis=1) == language.guess).all()


def test_acceptance_outside_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Language.build(1.5)


@pytest.mark.parametrize("gamma", [1, 2, 3, 8])
def test_the_oracle_adds_up(gamma: int) -> None:
    """Every step yields one token of its own; the first token and perhaps the last come without a step."""
    drafted, accepted, steps = simulate(Language.build(0.9), "hello", 64, gamma)
    assert 1 + steps + accepted in (63, 64)
    assert accepted <= drafted <= gamma * steps


def test_a_perfect_head_is_never_wrong() -> None:
    drafted, accepted, _ = simulate(Language.build(1.0), "hello", 64, 3)
    assert drafted == accepted


def test_short_answers_draft_nothing() -> None:
    assert simulate(Language.build(), "hello", 2, 3) == (0, 0, 0)
    assert simulate(Language.build(), "hello", 3, 3) == (1, 1, 1)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "model.gguf"
    assert main([str(out), "--accept", "0.2", "--layers", "4"]) == 0
    assert out.stat().st_size > 100_000
    assert "gamma 3" in capsys.readouterr().out
