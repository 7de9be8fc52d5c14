"""Launches of one engine as another says them. The counts are those of the engines' own sources: SGLang's draft tokens
hold the token before the draft, vLLM's and llama.cpp's do not.
"""

from __future__ import annotations

import pytest

from mtpconfig.errors import CannotRender

from .helping import argv, left, translated

VLLM = (
    "vllm serve Qwen/Qwen3.6-27B "
    """--speculative-config '{"method":"qwen3_5_mtp","num_speculative_tokens":3}' """
    """--override-generation-config '{"temperature":0.6}'"""
)
SGLANG = (
    "sglang serve --model-path Qwen/Qwen3.6-27B --speculative-algorithm EAGLE --speculative-num-steps 3 "
    "--speculative-eagle-topk 1 --speculative-num-draft-tokens 4"
)
LLAMA = "llama-server -m q.gguf --spec-type draft-mtp --spec-draft-n-max 3 --temp 0.6"


def test_gamma_and_temperature_go_to_each_engines_place() -> None:
    assert argv(VLLM, "sglang@0.5.20", "vllm@0.33.0") == (
        "sglang serve --model-path Qwen/Qwen3.6-27B --speculative-algorithm NEXTN --speculative-num-steps 3 "
        '--speculative-eagle-topk 1 --speculative-num-draft-tokens 4 --preferred-sampling-params {"temperature": 0.6}'
    )
    assert argv(SGLANG, "vllm@0.33.0", "sglang@0.5.23") == (
        'vllm serve Qwen/Qwen3.6-27B --speculative-config {"method": "mtp", "num_speculative_tokens": 3}'
    )
    assert argv(VLLM, "llama.cpp@b11549", "vllm@0.33.0").endswith(
        "--spec-type draft-mtp --spec-draft-n-max 3 --temperature 0.6"
    )
    assert translated(SGLANG, "vllm@0.33.0", "sglang@0.5.23").complete


def test_between_versions_names_are_those_of_each() -> None:
    old = "llama-server -m q.gguf --draft-max 5 --draft-min 1 -md d.gguf -ngl 99 -c 16384 --port 8080"
    assert argv(old, "llama.cpp@b11549", "b8900") == (
        "llama-server -m q.gguf --spec-type draft-simple --spec-draft-model d.gguf --spec-draft-n-max 5 "
        "--spec-draft-n-min 1 -ngl 99 -c 16384 --port 8080"
    )
    assert translated(old, "llama.cpp@b11549", "b8900").complete


def test_what_a_version_cannot_do_is_dropped_with_what_shapes_it() -> None:
    found = translated(LLAMA + " --spec-draft-n-min 1", "llama.cpp@b8900", "b11549")
    assert found.rendering.dropped["state"] == "llama.cpp b8900 cannot do mtp (first in b9180)"
    assert [one.text for one in found.left] == ["--spec-draft-n-min 1"]
    assert not found.complete and "draft" not in " ".join(found.rendering.argv)


def test_settings_that_surely_mean_the_same_are_taken_along() -> None:
    more = " --tensor-parallel-size 2 --max-model-len 32768 --port 9000 --host 0.0.0.0 --trust-remote-code"
    assert argv(VLLM + more, "sglang", "vllm@0.33.0").endswith(
        "--tensor-parallel-size 2 --context-length 32768 --port 9000 --host 0.0.0.0 --trust-remote-code"
    )
    assert argv(VLLM + more, "llama.cpp", "vllm@0.33.0").endswith("--port 9000 --host 0.0.0.0")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("--gpu-memory-utilization 0.9", "--gpu-memory-utilization 0.9"),
        ("--max-model-len 32k", "--max-model-len 32k"),  # SGLang reads such a number from 0.5.10rc0 on alone
        ("--served-model-name a b", "--served-model-name a b"),
        ("--max-num-seqs=8", "--max-num-seqs=8"),
    ],
)
def test_what_is_not_sure_is_listed(words: str, text: str) -> None:
    assert text in left(f"{VLLM} {words}", "sglang@0.5.9", "vllm@0.33.0")


def test_a_context_length_that_slots_share_is_none_of_a_request() -> None:
    assert "-c 32768" in left(LLAMA + " -c 32768", "vllm", "b11549")


def test_members_of_an_object_that_the_spec_does_not_say_are_listed_or_kept() -> None:
    both = VLLM.replace('"temperature":0.6', '"temperature":0.6,"top_p":0.9').replace(
        '"method"', '"disable_padded_drafter_batch":true,"method"'
    )
    assert set(left(both, "sglang", "vllm@0.33.0")) == {
        "top_p in --override-generation-config",
        "disable_padded_drafter_batch: true",
    }
    kept = argv(both, "vllm@0.33.0", "vllm@0.32.0")
    assert '"top_p":0.9' in kept and '"disable_padded_drafter_batch": true' in kept


def test_a_model_that_the_other_engine_does_not_load_gets_a_place() -> None:
    found = translated(LLAMA, "vllm", "b11549")
    assert found.rendering.argv[:3] == ("vllm", "serve", "<MODEL>")
    assert [one.text for one in found.left] == ["model q.gguf"]
    draft = "llama-server -m big.gguf -md small.gguf --spec-type draft-simple --spec-draft-n-max 4"
    assert '"method": "draft_model", "model": "<DRAFTER>"' in argv(draft, "vllm", "b11549")
    assert {"model big.gguf", "drafter small.gguf"} == set(left(draft, "vllm", "b11549"))
    assert "model https://x.y/z.gguf" in left("llama-server -mu https://x.y/z.gguf", "sglang", "b11549")
    assert argv("llama-server -mu https://x.y/z.gguf", "llama.cpp", "b11434").endswith("-mu https://x.y/z.gguf")


def test_other_methods_stay_what_they_are() -> None:
    eagle = SGLANG.replace("EAGLE", "EAGLE3 --speculative-draft-model-path x/head")
    assert '{"method": "eagle3", "model": "x/head", "num_speculative_tokens": 3}' in argv(
        eagle, "vllm", "sglang@0.5.23"
    )
    with pytest.raises(CannotRender, match="one method at a time, not mtp \\+ ngram"):
        translated("llama-server -m q.gguf --spec-type draft-mtp,ngram-mod", "vllm", "b11549")


def test_a_kind_of_ngrams_is_no_other_one() -> None:
    mod = "llama-server -m q.gguf --spec-type ngram-mod --spec-ngram-mod-n-max 12"
    assert argv(mod, "llama.cpp@b11434", "b11549") == mod
    assert "--spec-type ngram-mod" in left(mod, "vllm", "b11549")
    several = "llama-server -m q.gguf --spec-type draft-mtp,ngram-mod --spec-draft-n-max 3"
    assert argv(several, "llama.cpp@b11434", "b11549") == several


def test_a_tree_of_drafts_is_kept_or_becomes_a_chain_as_deep_as_it_is() -> None:
    tree = SGLANG.replace("topk 1", "topk 4").replace("draft-tokens 4", "draft-tokens 16")
    assert "topk 4 --speculative-num-draft-tokens 16" in argv(tree, "sglang@0.5.20", "sglang@0.5.23")
    assert '"num_speculative_tokens": 3' in argv(tree, "vllm", "sglang@0.5.23")
    assert {"a tree of 15 draft tokens", "--speculative-eagle-topk 4"} == set(left(tree, "vllm", "sglang@0.5.23"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('llama-server -m q.gguf "$@"', "may add words"),
        ("llama-server -m q.gguf --spec-type $TYPE", "not known from this text"),
        ("llama-server -m q.gguf -md d.gguf", "the engine itself decides"),
    ],
)
def test_what_is_not_known_is_not_made_up(text: str, why: str) -> None:
    with pytest.raises(CannotRender, match=why):
        translated(text, "vllm", "b11549")


def test_variables_stay_where_a_shell_fills_them_in_and_nothing_else_is_run() -> None:
    found = translated('llama-server -m "$HOME/q\\"\\`x.gguf" --spec-type draft-mtp', "llama.cpp", "b11549")
    assert list(found.rendering.live.values()) == ['"$HOME/q\\"\\`x.gguf"']
    found = translated('llama-server -m "$(pick)/q.gguf" --spec-type draft-mtp', "llama.cpp", "b11549")
    assert not found.rendering.live and any("$(pick)" in note for note in found.notes)


def test_secrets_are_not_repeated() -> None:
    for target in ("llama.cpp@b11434", "vllm"):
        found = translated(LLAMA + " --api-key sk-verysecret1", target, "b11549")
        assert "verysecret" not in str(found.rendering.argv) and "verysecret" not in str(found.left)
        assert any("--api-key" in one.text for one in found.left)


def test_one_branch_is_no_setting() -> None:
    script = 'args=(-m q.gguf --spec-type draft-mtp)\nif x; then args+=(--port 9); fi\nllama-server "${args[@]}"\n'
    assert left(script, "vllm", "b11549")["--port 9"] == "it holds in one branch alone"
    assert "--port" not in argv(script, "vllm", "b11549")


def test_notes_tell_what_is_taken_for_granted() -> None:
    def notes(text: str, target: str = "") -> str:
        return "\n".join(translated(text, "vllm", target).notes)

    assert "read as b11549" in notes(LLAMA)
    assert "holds unless P is set" in notes(LLAMA + " --port ${P:-9}", "b11549")
    assert "127.0.0.1 by default here, all addresses for vLLM" in notes(LLAMA, "b11549")
    assert "8080 by default here, 8000 for vLLM" in notes(LLAMA, "b11549")
    assert "by default here" not in notes(LLAMA + " --host 1.2.3.4 --port 5", "b11549")
    assert "started by `llama-cli`" in notes(LLAMA.replace("llama-server", "llama-cli"), "b11549")
    assert '`"$@"` may add words' in notes(LLAMA + ' "$@"', "b11549")
    image = "docker run ghcr.io/ggml-org/llama.cpp:server-b11434 -m q.gguf --spec-type draft-mtp"
    assert "the container (image" in notes(image)
    assert "variables that stay where they are: CUDA_VISIBLE_DEVICES" in notes("CUDA_VISIBLE_DEVICES=0 " + LLAMA)
    assert "nothing says gamma: 3 is the default of b11549" in notes(
        "llama-server -m q.gguf --spec-type draft-mtp", "b11549"
    )


def test_variables_of_the_engine_are_settings() -> None:
    text = "LLAMA_ARG_SPEC_TYPE=draft-mtp LLAMA_ARG_PORT=9 LLAMA_ARG_MODEL=q.gguf llama-server --spec-draft-n-max 2"
    assert argv(text, "vllm", "b11549").endswith('"num_speculative_tokens": 2} --port 9')


def test_a_call_from_python_is_a_launch_like_any_other() -> None:
    text = (
        "from vllm import LLM\n"
        "llm = LLM(model='org/m', tensor_parallel_size=2,\n"
        "          speculative_config={'method': 'mtp', 'num_speculative_tokens': 2})\n"
    )
    assert argv(text, "sglang", "vllm@0.33.0", "run.py").endswith(
        "--speculative-eagle-topk 1 --speculative-num-draft-tokens 3 --tensor-parallel-size 2"
    )


def test_the_word_of_a_method_stays_where_it_still_says_the_same() -> None:
    assert "--speculative-algorithm EAGLE " in argv(SGLANG, "sglang@0.5.20", "sglang@0.5.23")


def test_what_another_version_makes_of_it_is_told() -> None:
    """A draft model without a type: nothing at b10400, a matter of the draft file at b11549."""
    text = "llama-server -m big.gguf -md small.gguf"
    assert left(text, "llama.cpp@b11549", "b10400") == {"state off": "llama.cpp b11549 reads auto in what is written"}


def test_a_model_by_option_or_by_place_is_the_model() -> None:
    text = "python -m vllm.entrypoints.openai.api_server --model org/m --port 9"
    assert argv(text, "vllm@0.33.0", "vllm@0.9.0") == "vllm serve org/m --port 9"
    assert argv("vllm serve org/m", "sglang@0.5.23", "vllm@0.33.0") == "sglang serve --model-path org/m"
