"""Write tiny GGUF models with constructed weights, on which speculation is predictable.

Every model speaks the bigram language of :mod:`.bigram`: the embeddings are one-hot, every block adds exactly zero to
the residual stream (its output projections are zero), and the output matrix holds the log-probabilities. The main kind
is ``mtp``: architecture ``qwen35`` (gated delta nets, full attention in every fourth block) with one MTP block behind
the trunk, whose projection ignores the hidden state and whose own output matrix is wrong about some of the words.

    python -m tests.live.tiny_model OUT.gguf --accept 0.9
    python -m tests.live.tiny_model OUT.gguf --kind mtp-only

Needs numpy and gguf. A model is about 3 MB and takes about a second.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

import gguf
import numpy as np
import numpy.typing as npt

from .bigram import NEVER, WIDTH, WORDS, Counts, Floats, Language, byte_alphabet, byte_class, simulate, words

__all__ = ["Counts", "Kind", "Language", "ModelSpec", "simulate", "write_model"]

Kind = Literal["mtp", "headless", "mtp-only", "key-without-tensors", "ordinary", "draft"]
"""What a model consists of.

``mtp``: trunk and head. ``headless``: the same trunk alone. ``mtp-only``: the head without the trunk's blocks, for use
as a separate draft file. ``key-without-tensors``: announces a head that is not there. ``ordinary``: a plain ``qwen3``
model without any head. ``draft``: a smaller ``qwen3`` that is as often wrong as the MTP head would be.
"""

_HEAD: Final = 32  # size of the only attention head
_ROPE: Final = 16  # rotated dimensions of it
_STATE: Final = 32  # delta net: state size, with one group and one head
_CONV: Final = 4
_FULL_ATTENTION_EVERY: Final = 4
_FIRST_WORD: Final = 256  # the first 256 tokens are the bytes
_SPECIAL: Final = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_TEMPLATE: Final = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@dataclass(frozen=True)
class ModelSpec:
    """What to write: kind, share of words the head is right about, trunk depth, and the seed of what is random."""

    kind: Kind = "mtp"
    accept: float = 0.9
    layers: int = 16
    seed: int = 0
    feed_forward: int = 64

    @property
    def language(self) -> Language:
        """The language that the trunk of this model speaks (a ``draft`` speaks its head's version)."""
        return Language.build(self.accept, self.seed)


def _vocabulary() -> tuple[list[str], list[gguf.TokenType], list[int]]:
    """Tokens, their types and their classes."""
    pair = "\u0120t"  # the only merge: loaders do not like an empty list
    tokens = [*byte_alphabet(), *words(), pair, *_SPECIAL]
    assert len(set(tokens)) == len(tokens)
    kinds = [gguf.TokenType.NORMAL] * (len(tokens) - len(_SPECIAL)) + [gguf.TokenType.CONTROL] * len(_SPECIAL)
    tail = [byte_class(ord("t")), *(WORDS + 1 + i for i in range(len(_SPECIAL)))]
    return tokens, kinds, [*(byte_class(b) for b in range(256)), *range(WORDS), *tail]


class _Writer:
    """A GGUF writer that knows the handful of tensor shapes these models are made of."""

    def __init__(self, path: Path, architecture: str, seed: int) -> None:
        self.gguf = gguf.GGUFWriter(path, architecture)
        self._rng = np.random.default_rng(seed)

    def exact(self, name: str, values: npt.ArrayLike) -> None:
        """A tensor whose values matter, in single precision."""
        self.gguf.add_tensor(name, np.ascontiguousarray(values, dtype=np.float32))

    def ones(self, name: str, size: int) -> None:
        self.exact(name, np.ones(size))

    def noise(self, name: str, rows: int, columns: int) -> None:
        """A weight whose values do not matter but should not be degenerate."""
        self.gguf.add_tensor(name, (self._rng.standard_normal((rows, columns)) * 0.02).astype(np.float16))

    def silent(self, name: str, rows: int, columns: int) -> None:
        """An output projection that contributes nothing."""
        self.gguf.add_tensor(name, np.zeros((rows, columns), dtype=np.float16))

    def output(self, name: str, table: Floats, vocabulary: int) -> None:
        """An output matrix that turns a normalised one-hot state into log-probabilities."""
        matrix = np.full((vocabulary, WIDTH), NEVER)
        matrix[_FIRST_WORD : _FIRST_WORD + WORDS] = table.T
        self.exact(name, matrix / np.sqrt(WIDTH))  # RMS normalisation scales a one-hot to sqrt(WIDTH)

    def attention(self, block: str, *, gated: bool) -> None:
        self.noise(f"{block}.attn_q.weight", _HEAD * (2 if gated else 1), WIDTH)
        self.noise(f"{block}.attn_k.weight", _HEAD, WIDTH)
        self.noise(f"{block}.attn_v.weight", _HEAD, WIDTH)
        self.silent(f"{block}.attn_output.weight", WIDTH, _HEAD)
        self.ones(f"{block}.attn_q_norm.weight", _HEAD)
        self.ones(f"{block}.attn_k_norm.weight", _HEAD)

    def delta_net(self, block: str) -> None:
        channels = 3 * _STATE
        self.noise(f"{block}.attn_qkv.weight", channels, WIDTH)
        self.noise(f"{block}.attn_gate.weight", _STATE, WIDTH)
        self.exact(f"{block}.ssm_conv1d.weight", self._rng.standard_normal((channels, _CONV)) * 0.1)
        self.exact(f"{block}.ssm_dt.bias", np.zeros(1))
        self.exact(f"{block}.ssm_a", -np.ones(1))
        self.noise(f"{block}.ssm_beta.weight", 1, WIDTH)
        self.noise(f"{block}.ssm_alpha.weight", 1, WIDTH)
        self.ones(f"{block}.ssm_norm.weight", _STATE)
        self.silent(f"{block}.ssm_out.weight", WIDTH, _STATE)

    def feed_forward(self, block: str, size: int, norm: str) -> None:
        self.ones(f"{block}.attn_norm.weight", WIDTH)
        self.ones(f"{block}.{norm}.weight", WIDTH)
        self.noise(f"{block}.ffn_gate.weight", size, WIDTH)
        self.noise(f"{block}.ffn_up.weight", size, WIDTH)
        self.silent(f"{block}.ffn_down.weight", WIDTH, size)

    def finish(self) -> None:
        self.gguf.write_header_to_file()
        self.gguf.write_kv_data_to_file()
        self.gguf.write_tensors_to_file()
        self.gguf.close()


def _shared_metadata(out: Any, spec: ModelSpec, blocks: int) -> None:
    """Metadata that both architectures need; ``out`` is the gguf library's writer."""
    tokens, kinds, _ = _vocabulary()
    out.add_type("model")
    out.add_name(f"tiny-{spec.kind}")
    out.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    out.add_block_count(blocks)
    out.add_context_length(8192)
    out.add_embedding_length(WIDTH)
    out.add_feed_forward_length(spec.feed_forward)
    out.add_head_count(1)
    out.add_head_count_kv(1)
    out.add_key_length(_HEAD)
    out.add_value_length(_HEAD)
    out.add_layer_norm_rms_eps(1e-6)
    out.add_rope_freq_base(1e7)
    out.add_tokenizer_model("gpt2")
    out.add_tokenizer_pre("qwen2" if spec.kind in ("ordinary", "draft") else "qwen35")
    out.add_token_list(tokens)
    out.add_token_types(kinds)
    out.add_token_merges(["\u0120 t"])
    out.add_eos_token_id(tokens.index("<|im_end|>"))
    out.add_pad_token_id(tokens.index("<|endoftext|>"))
    out.add_add_bos_token(False)
    out.add_chat_template(_TEMPLATE)


def _embeddings(writer: _Writer, table: Floats) -> None:
    classes = _vocabulary()[2]
    writer.exact("token_embd.weight", np.eye(WIDTH)[classes])
    writer.ones("output_norm.weight", WIDTH)
    writer.output("output.weight", table, len(classes))


def _write_qwen35(path: Path, spec: ModelSpec) -> None:
    announced = spec.kind != "headless"
    writer = _Writer(path, "qwen35", spec.seed)
    out = writer.gguf
    _shared_metadata(out, spec, spec.layers + announced)  # the format counts the MTP block among the blocks
    out.add_rope_dimension_count(_ROPE)
    out.add_rope_dimension_sections([3, 3, 2, 0])
    out.add_ssm_conv_kernel(_CONV)
    out.add_ssm_state_size(_STATE)
    out.add_ssm_group_count(1)
    out.add_ssm_time_step_rank(1)
    out.add_ssm_inner_size(_STATE)
    out.add_full_attention_interval(_FULL_ATTENTION_EVERY)
    if announced:
        out.add_nextn_predict_layers(1)

    language = spec.language
    _embeddings(writer, language.trunk)
    for number in range(0 if spec.kind == "mtp-only" else spec.layers):
        block = f"blk.{number}"
        writer.feed_forward(block, spec.feed_forward, "post_attention_norm")
        if number % _FULL_ATTENTION_EVERY == _FULL_ATTENTION_EVERY - 1:
            writer.attention(block, gated=True)
        else:
            writer.delta_net(block)
    if spec.kind in ("mtp", "mtp-only"):
        block = f"blk.{spec.layers}"
        writer.feed_forward(block, spec.feed_forward, "post_attention_norm")
        writer.attention(block, gated=True)
        writer.exact(f"{block}.nextn.eh_proj.weight", np.eye(WIDTH, 2 * WIDTH))  # passes the embedding, not the state
        for norm in ("enorm", "hnorm", "shared_head_norm"):
            writer.ones(f"{block}.nextn.{norm}.weight", WIDTH)
        writer.output(f"{block}.nextn.shared_head_head.weight", language.head, len(_vocabulary()[0]))
    writer.finish()


def _write_qwen3(path: Path, spec: ModelSpec) -> None:
    layers = 2 if spec.kind == "draft" else spec.layers
    writer = _Writer(path, "qwen3", spec.seed)
    _shared_metadata(writer.gguf, spec, layers)
    language = spec.language
    _embeddings(writer, language.head if spec.kind == "draft" else language.trunk)
    for number in range(layers):
        block = f"blk.{number}"
        writer.feed_forward(block, spec.feed_forward, "ffn_norm")
        writer.attention(block, gated=False)
    writer.finish()


def write_model(path: Path, spec: ModelSpec = ModelSpec()) -> Path:
    """Write one model file and return its path."""
    if spec.kind in ("ordinary", "draft"):
        _write_qwen3(path, spec)
    else:
        _write_qwen35(path, spec)
    return path


def main(argv: Sequence[str] | None = None) -> int:
    """Write one model from the command line and print what speculation on it must count."""
    parser = argparse.ArgumentParser(prog="python -m tests.live.tiny_model", description="Write a constructed model.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--kind", choices=get_args(Kind), default="mtp")
    parser.add_argument("--accept", type=float, default=0.9, help="share of words the head gets right (default 0.9)")
    parser.add_argument("--layers", type=int, default=16, help="blocks of the trunk (default 16)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    spec = ModelSpec(kind=arguments.kind, accept=arguments.accept, layers=arguments.layers, seed=arguments.seed)
    write_model(arguments.out, spec)
    for gamma in range(1, 5):
        counts = simulate(spec.language, "hello", 64, gamma)
        sys.stdout.write(f"gamma {gamma}, 64 tokens: {counts.drafted} drafted, {counts.accepted} accepted\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
