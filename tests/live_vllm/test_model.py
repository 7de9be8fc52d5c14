"""The constructed models and their oracle, without a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from tests.live.bigram import Language  # noqa: E402

from .model import ModelSpec, count, write_model  # noqa: E402


def tensors(folder: Path) -> dict[str, Any]:
    """The tensors of a safetensors file, read by the format's description."""
    data = (folder / "model.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__")
    body = data[8 + size :]
    assert max(each["data_offsets"][1] for each in header.values()) == len(body)
    return {
        name: np.frombuffer(body[slice(*each["data_offsets"])], "<f4").reshape(each["shape"])
        for name, each in header.items()
    }


@pytest.mark.parametrize("accept", [0.0, 0.5, 1.0])
def test_the_head_says_the_guess_and_the_trunk_the_truth(accept: float, tmp_path: Path) -> None:
    """A forward pass by hand: layers add nothing, so that only embeddings, projection and output matrix count."""
    spec = ModelSpec(accept)
    found = tensors(write_model(tmp_path, spec))
    embedded = found["model.embed_tokens.weight"][256:352]
    output = found["lm_head.weight"].T
    assert ((embedded @ output).argmax(axis=1) - 256 == spec.language.truth[:96]).all()
    state = np.ones_like(embedded)  # whatever it is: the head must not look at it
    drafted = np.hstack([state, embedded]) @ found["model.mtp_layers.0.input_proj.weight"].T @ output
    assert (drafted.argmax(axis=1) - 256 == spec.language.guess[:96]).all()
    assert (spec.language.truth == spec.language.guess)[:96].mean() == pytest.approx(accept, abs=0.01)
    assert all(not values.any() for name, values in found.items() if "o_proj" in name or "down_proj" in name)


def test_only_a_model_with_a_head_announces_one(tmp_path: Path) -> None:
    folders = {heads: write_model(tmp_path / str(heads), ModelSpec(heads=heads)) for heads in (1, 2)}
    for heads, folder in folders.items():
        assert json.loads((folder / "config.json").read_text())["num_nextn_predict_layers"] == heads
        assert f"model.mtp_layers.{heads - 1}.input_proj.weight" in tensors(folder)
    headless = write_model(tmp_path / "headless", ModelSpec(None))
    assert "num_nextn_predict_layers" not in (headless / "config.json").read_text()
    assert not any("mtp" in name for name in tensors(headless))


@pytest.mark.parametrize("gamma", [1, 2, 3, 8])
@pytest.mark.parametrize("accept", [0.0, 0.5, 1.0])
def test_the_oracle_adds_up(gamma: int, accept: float) -> None:
    """A step drafts gamma tokens and yields one of its own; only the last may yield more than the answer takes."""
    drafted, accepted, steps = count(Language.build(accept), "hello", 64, gamma)
    assert drafted == gamma * steps
    assert 64 <= 1 + steps + accepted <= 64 + gamma
    if accept in (0.0, 1.0):
        assert accepted == accept * drafted
