"""A real llama.cpp server counts what the oracle says, and is silently off where it is known to be."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

pytest.importorskip("xllamacpp")
pytest.importorskip("numpy")
pytest.importorskip("gguf")

from .llama_server import Server, ServerDied, fetch, serve
from .tiny_model import Kind, ModelSpec, simulate, write_model

TOKENS = 64
MTP = ["--spec-type", "draft-mtp"]


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Paths of the tiny models by kind."""
    folder: Path = tmp_path_factory.mktemp("models")
    return {kind: str(write_model(folder / f"{kind}.gguf", ModelSpec(kind))) for kind in get_args(Kind)}


def launch(model: str, *args: str) -> list[str]:
    return ["-m", model, "-t", "1", "-c", "2048", "-np", "1", *args]


def complete(server: Server, **fields: Any) -> Any:
    """The timings of one greedy completion."""
    body = {"prompt": "hello", "n_predict": TOKENS, "temperature": 0, **fields}
    return fetch(f"{server.url}/completion", body)["timings"]


def loaded(server: Server) -> bool:
    """What the server itself says: is a speculation implementation loaded?"""
    return bool(fetch(f"{server.url}/slots")[0]["speculative"])


@pytest.mark.parametrize("gamma", [1, 2, 3, 4])
def test_counters_equal_the_oracle(models: dict[str, str], gamma: int) -> None:
    with serve(launch(models["mtp"], *MTP, "--spec-draft-n-max", str(gamma))) as server:
        timings = complete(server)
    drafted, accepted, _ = simulate(ModelSpec().language, "hello", TOKENS, gamma)
    assert (timings["draft_n"], timings["draft_n_accepted"]) == (drafted, accepted)


def test_metrics_count_the_steps(models: dict[str, str]) -> None:
    with serve(launch(models["mtp"], *MTP, "--spec-draft-n-max", "3", "--metrics")) as server:
        complete(server)
        metrics = server.text("/metrics")
    counts = simulate(ModelSpec().language, "hello", TOKENS, 3)
    for name, value in zip(("draft_tokens", "accepted_tokens", "drafts"), counts, strict=True):
        assert f"llamacpp:spec_decode_num_{name}_total {value}\n" in metrics


def test_off_says_nothing_of_drafts(models: dict[str, str]) -> None:
    with serve(launch(models["mtp"])) as server:
        assert not loaded(server)
        assert "draft_n" not in complete(server)


@pytest.mark.parametrize("args", [["--spec-draft-n-max", "3"], ["--spec-type", "none,draft-mtp"]], ids=" ".join)
def test_silently_off(models: dict[str, str], args: list[str]) -> None:
    with serve(launch(models["mtp"], *args)) as server:
        assert not loaded(server)
        assert "draft_n" not in complete(server)


def test_a_draft_model_alone_is_silently_off(models: dict[str, str]) -> None:
    with serve(launch(models["ordinary"], "-md", models["draft"])) as server:
        assert not loaded(server)
        assert "draft_n" not in complete(server)


def test_a_draft_model_with_its_type_counts_as_the_oracle(models: dict[str, str]) -> None:
    with serve(launch(models["ordinary"], "-md", models["draft"], "--spec-type", "draft-simple")) as server:
        timings = complete(server)
    drafted, accepted, _ = simulate(ModelSpec().language, "hello", TOKENS, 3)
    assert (timings["draft_n"], timings["draft_n_accepted"]) == (drafted, accepted)


def test_a_separate_head_is_found_without_a_type(models: dict[str, str]) -> None:
    with serve(launch(models["headless"], "-md", models["mtp-only"])) as server:
        assert loaded(server)
        assert complete(server)["draft_n"] > 0


def test_n_min_above_n_max_is_loaded_and_never_drafts(models: dict[str, str]) -> None:
    with serve(launch(models["mtp"], *MTP, "--spec-draft-n-max", "3", "--spec-draft-n-min", "4")) as server:
        assert loaded(server)
        assert "draft_n" not in complete(server)


def test_a_request_cannot_change_gamma(models: dict[str, str]) -> None:
    with serve(launch(models["mtp"], *MTP, "--spec-draft-n-max", "3")) as server:
        assert complete(server, **{"speculative.n_max": 1})["draft_n"] == complete(server)["draft_n"]


def test_the_environment_is_read_and_none_does_not_undo_it(models: dict[str, str]) -> None:
    with serve(launch(models["mtp"], "--spec-type", "none"), {"LLAMA_ARG_SPEC_TYPE": "draft-mtp"}) as server:
        assert complete(server)["draft_n"] > 0


def test_a_model_without_a_head_does_not_start(models: dict[str, str]) -> None:
    with pytest.raises(ServerDied) as death, serve(launch(models["headless"], *MTP)):
        pass
    assert death.value.returncode == 1
    assert "doesn't contain MTP layers" in death.value.log


def test_a_removed_flag_does_not_start(models: dict[str, str]) -> None:
    with pytest.raises(ServerDied) as death, serve(launch(models["mtp"], "--draft-max", "3")):
        pass
    assert death.value.returncode == 1
    assert "use --spec-draft-n-max" in death.value.log
