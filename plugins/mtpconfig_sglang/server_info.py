"""What an SGLang server says that it was set up with, as far as counting depends on it.

`/server_info` (from 0.5.6 on; `/get_server_info` since 0.4.1) holds every field of `ServerArgs` at the top level,
not as it was asked for but as start-up left it: `NEXTN` has become `EAGLE`, steps, topk and draft tokens are filled
in. Only `launch_command` (from 0.5.22 on) is as it was asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

_FAMILY, _OWN = "mem_fraction_static", "enable_torch_compile"
"""Fields of all releases: one that forks share, and one that those on other frameworks (SGLang-JAX) do not have."""

_TOLD = (
    "speculative_algorithm",
    "speculative_draft_model_path",
    "speculative_num_steps",
    "speculative_eagle_topk",
    "speculative_num_draft_tokens",
    "speculative_dflash_block_size",
    "speculative_dspark_block_size",
)
_SIMULATING = "SGLANG_SIMULATE_ACC_LEN"


class Setup(Struct, frozen=True):
    """Speculation as it is set up.

    algorithm  as the server names it after start-up; "" for none
    drafted    draft tokens that each verification takes in: the draft tokens without their root; None when not told
    gamma      the length of the draft; None where a tree is drafted, or where it changes while the server runs
    adaptive   whether steps change while the server runs
    simulated  whether the server says that acceptance is simulated, which it does where it exposes its variables
    """

    algorithm: str = ""
    drafted: int | None = None
    gamma: int | None = None
    adaptive: bool = False
    simulated: bool = False


def is_own(info: Mapping[str, Any]) -> bool:
    """Whether an object is what SGLang answers on `/server_info`."""
    return _FAMILY in info and _OWN in info


def is_forks(info: Mapping[str, Any]) -> bool:
    """Whether it is what a fork answers there that numbers its releases by itself."""
    return _FAMILY in info and _OWN not in info


def setup_of(info: Mapping[str, Any]) -> Setup:
    """The setup in the answer on `/server_info`."""
    algorithm = info.get("speculative_algorithm")
    if not isinstance(algorithm, str) or not algorithm:
        return Setup()
    tokens, steps = (positive(info.get(f"speculative_num_{name}")) for name in ("draft_tokens", "steps"))
    topk = positive(info.get("speculative_eagle_topk"))
    drafted = tokens - 1 if tokens is not None and tokens > 1 else steps
    adaptive = info.get("speculative_adaptive") is True
    chain = topk in (None, 1)
    return Setup(algorithm, drafted, drafted if chain and not adaptive else None, adaptive, _simulated(info))


def words_of(info: Mapping[str, Any]) -> list[str]:
    """The words of a launch that would set a server up like this one."""
    words = ["python", "-m", "sglang.launch_server"]
    for name in ("model_path", *_TOLD):
        value = info.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            words += [_flag(name), str(value)]
    if info.get("speculative_adaptive") is True:
        words.append(_flag("speculative_adaptive"))
    sampling = info.get("preferred_sampling_params")  # JSON text before it was parsed at start-up
    if sampling:
        words += [_flag("preferred_sampling_params"), sampling if isinstance(sampling, str) else json.dumps(sampling)]
    return words


def positive(value: object) -> int | None:
    """A whole number above 0; None for all else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _simulated(info: Mapping[str, Any]) -> bool:
    """Whether any rank's exposed variables (`SGLANG_EXPOSE_OWN_ENV_VARS`, from 0.5.19 on) ask for simulation."""
    states = info.get("internal_states")
    for state in states if isinstance(states, list) else []:
        variables = state.get("env_vars") if isinstance(state, dict) else None
        if isinstance(variables, dict) and _above_zero(variables.get(_SIMULATING)):
            return True
    return False


def _above_zero(text: object) -> bool:
    try:
        return isinstance(text, str) and float(text) > 0
    except ValueError:
        return False
