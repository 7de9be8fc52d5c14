"""Families by name. The names are those of repositories and files as people write them."""

from __future__ import annotations

import pytest

from mtpconfig.hooks import engines
from mtpconfig.models import families, family_of


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Qwen/Qwen3.6-27B-FP8", "qwen3.5"),
        ("/models/Qwen3.5-27B-Q4_K_M.gguf", "qwen3.5"),
        (r"C:\models\Qwen3.8-27B-UD-Q4_K_XL.gguf", "qwen3.5"),
        ("unsloth/Qwen3.6-27B-MTP-GGUF", "qwen3.5"),
        ("unsloth/Qwen3.6-35B-A3B-MTP-GGUF:UD-Q4_K_XL", "qwen3.5"),
        ("Qwen/Qwen3-Next-80B-A3B-Instruct/", "qwen3-next"),
        ("deepseek-ai/DeepSeek-V3-0324", "deepseek-v3"),
        ("deepseek-ai/DeepSeek-R1", "deepseek-v3"),
        ("deepseek-ai/DeepSeek-R1-0528-FP4", "deepseek-v3"),
        ("deepseek-ai/DeepSeek-V3.2", "deepseek-v3.2"),
        ("zai-org/GLM-4.5-Air-FP8", "glm-4.5"),
        ("zai-org/GLM-4.7-Flash", "glm-4.7-flash"),
        ("XiaomiMiMo/MiMo-7B-RL", "mimo"),
    ],
)
def test_a_name_tells_the_family(name: str, family: str) -> None:
    found = family_of(name)
    assert found is not None and found.id == family


@pytest.mark.parametrize(
    "name",
    [
        "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B",
        "deepseek-ai/DeepSeek-R1-0528-Qwen3-8B",
        "deepseek-ai/DeepSeek-V2-Lite",
        "lmsys/DeepSeek-R1-NextN",
        "z-lab/Qwen3.5-122B-A10B-DFlash",
        "deepseek-ai/DeepSeek-V4-Flash-DSpark",
        "Qwen/Qwen3-32B",
        "Qwen/Qwen3.6-Plus",
        "zai-org/GLM-4.5V",
        "zai-org/GLM-4-9B",
        "google/gemma-4-31B-it-assistant",
        "mtp-Qwen3.6-27B.gguf",
        "$MODEL",
        "",
        "/",
    ],
)
def test_a_name_that_is_not_surely_one_says_nothing(name: str) -> None:
    assert family_of(name) is None


def test_every_family_is_drafted_with_by_an_engine_or_is_none() -> None:
    drafted = {id_ for engine in engines().values() for id_ in engine.models()}
    assert drafted == {family.id for family in families()}
