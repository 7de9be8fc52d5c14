"""Options that became keys of an object are put into it together, or not at all.

What vLLM took until 0.8.2 and what it takes since 0.8.3: engine/arg_utils.py of both.
"""

from __future__ import annotations

import pytest

from mtpconfig.lint.fixes import fix_source
from mtpconfig.text import Source

from ..support import linter


def fixed(text: str, target: str, name: str = "serve.sh", unsafe: bool = False) -> str:
    judge = linter(f"vllm@{target}")
    return fix_source(judge, judge.lint_source(Source(name, text)), unsafe=unsafe).source.text


def test_words_become_json_of_the_keys_types() -> None:
    old = (
        "vllm serve m --speculative-model '[ngram]' --num-speculative-tokens=4 --ngram-prompt-lookup-max 3 "
        "--speculative-disable-mqa-scorer\n"
    )
    new = (
        'vllm serve m --speculative-config \'{"model":"[ngram]","num_speculative_tokens":4,"prompt_lookup_max":3,'
        '"disable_mqa_scorer":true}\'\n'
    )
    assert fixed(old, "0.8.4") == new


def test_what_has_no_effect_any_more_is_left_out_and_the_fix_is_unsafe() -> None:
    old = "vllm serve m --speculative-model d/eagle --num-speculative-tokens 4 --speculative-disable-by-batch-size 8\n"
    assert fixed(old, "0.15.0") == old
    new = 'vllm serve m --speculative-config \'{"model":"d/eagle","num_speculative_tokens":4}\'\n'
    assert fixed(old, "0.15.0", unsafe=True) == new


def test_items_of_a_list_stay_items() -> None:
    old = (
        "services:\n  v:\n    image: vllm/vllm-openai:v0.15.0\n    command:\n      - --model\n      - m\n"
        "      - --speculative-model\n      - d\n      - --num-speculative-tokens\n      - '4'\n"
    )
    assert fixed(old, "0.15.0", "compose.yaml") == (
        "services:\n  v:\n    image: vllm/vllm-openai:v0.15.0\n    command:\n      - --model\n      - m\n"
        '      - --speculative-config\n      - \'{"model":"d","num_speculative_tokens":4}\'\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        'vllm serve m --speculative-model d --num-speculative-tokens "$N"\n',
        "vllm serve m --speculative-model d --num-speculative-tokens four\n",
        'vllm serve m --speculative-model d --num-speculative-tokens 4 --speculative-config \'{"method":"eagle"}\'\n',
        'if [ "$X" ]; then A="--num-speculative-tokens 4"; else A=""; fi\nvllm serve m --speculative-model d $A\n',
    ],
)
def test_what_cannot_be_said_so_stays(text: str) -> None:
    assert fixed(text, "0.24.0", unsafe=True) == text


def test_a_release_between_that_takes_both_is_left_alone() -> None:
    text = "vllm serve m --speculative-model d --num-speculative-tokens 4\n"
    assert fixed(text, "0.8.1") == text


def test_a_method_that_is_needed_now_comes_along_and_is_not_safe() -> None:
    text = "vllm serve m --num-speculative-tokens 3\n"
    assert fixed(text, "0.32.0", unsafe=False) == text
    assert fixed(text, "0.32.0", unsafe=True) == (
        """vllm serve m --speculative-config '{"num_speculative_tokens":3,"method":"mtp"}'\n"""
    )
    assert fixed(text, "0.10.2", unsafe=False) == (
        """vllm serve m --speculative-config '{"num_speculative_tokens":3}'\n"""
    )
