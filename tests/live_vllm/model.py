"""Write tiny Hugging Face models with constructed weights, on which vLLM's speculation is predictable.

They speak the language of :mod:`tests.live.bigram`: embeddings are one-hot, every layer adds zero, and the output
matrix holds the language's log-probabilities. The architecture is MiMo's: a Qwen2 trunk and one MTP layer that shares
the trunk's embeddings and output matrix. Its projection ignores the hidden state and sends each word to the word whose
successor is the head's guess, so that the head is right about a known share of the words: all (1.0) or none (0.0).

    python -m tests.live_vllm.model FOLDER --accept 0.5
    python -m tests.live_vllm.model FOLDER --headless

Needs numpy. A model is 1.6 MB.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tests.live.bigram import NEVER, WIDTH, WORDS, Counts, Language, byte_alphabet, byte_class, words

_LAYERS: Final = 2
_HEADS: Final = 2
_HEAD: Final = 64  # size of an attention head: the smallest that vLLM's CPU attention takes is 32
_FEED_FORWARD: Final = 64
_SPECIAL: Final = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_TEMPLATE: Final = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

Tensors = dict[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class ModelSpec:
    """What to write: share of words that the head is right about (0..1) or None for no head, MTP layers, and a seed."""

    accept: float | None = 1.0
    heads: int = 1
    seed: int = 0

    @property
    def language(self) -> Language:
        """The language that the trunk of this model speaks."""
        return Language.build(1.0 if self.accept is None else self.accept, self.seed)


def count(language: Language, prompt: str, tokens: int, gamma: int) -> Counts:
    """Count speculation at temperature 0 as vLLM does, for one request of ``tokens`` new tokens.

    The first token comes with the prompt. Every later step drafts ``gamma`` tokens, and those that are right count as
    accepted even where the answer ends among them.
    """
    last = int(language.truth[byte_class(prompt.encode()[-1])])
    produced, accepted, steps = 1, 0, 0
    while produced < tokens:
        guess, right = last, 0
        for _ in range(gamma):
            guess = int(language.guess[guess])
            if guess != language.truth[last]:
                break
            last, right = guess, right + 1
        last = int(language.truth[last])
        produced += right + 1
        accepted += right
        steps += 1
    return Counts(gamma * steps, accepted, steps)


def _vocabulary() -> list[str]:
    return [*byte_alphabet(), *words(), *_SPECIAL]


def _layer(prefix: str) -> Tensors:
    """A decoder layer that adds nothing to the residual stream."""
    ones = np.ones(WIDTH, dtype=np.float32)
    shapes = {
        **{f"self_attn.{name}_proj.weight": (_HEADS * _HEAD, WIDTH) for name in "qkv"},
        **{f"self_attn.{name}_proj.bias": (_HEADS * _HEAD,) for name in "qkv"},
        "self_attn.o_proj.weight": (WIDTH, _HEADS * _HEAD),
        "mlp.gate_proj.weight": (_FEED_FORWARD, WIDTH),
        "mlp.up_proj.weight": (_FEED_FORWARD, WIDTH),
        "mlp.down_proj.weight": (WIDTH, _FEED_FORWARD),
    }
    zeros = {prefix + name: np.zeros(shape, dtype=np.float32) for name, shape in shapes.items()}
    return {**zeros, f"{prefix}input_layernorm.weight": ones, f"{prefix}post_attention_layernorm.weight": ones}


def _projection(language: Language) -> npt.NDArray[np.float32]:
    """The MTP layer's projection: nothing of the state, and of the token the predecessor of its guess."""
    before = {int(language.truth[word]): word for word in range(WORDS)}
    matrix = np.zeros((WIDTH, 2 * WIDTH), dtype=np.float32)
    for here in range(WIDTH):
        matrix[before[int(language.guess[here])], WIDTH + here] = 1
    return matrix


def _tensors(spec: ModelSpec) -> Tensors:
    language = spec.language
    ones = np.ones(WIDTH, dtype=np.float32)
    classes = [
        *(byte_class(byte) for byte in range(256)),
        *range(WORDS),
        *(WORDS + 1 + i for i in range(len(_SPECIAL))),
    ]
    output = np.full((len(classes), WIDTH), NEVER, dtype=np.float32)
    output[256 : 256 + WORDS] = language.trunk.T
    found: Tensors = {
        "model.embed_tokens.weight": np.eye(WIDTH, dtype=np.float32)[classes],
        "lm_head.weight": output / np.float32(math.sqrt(WIDTH)),  # RMS normalisation scales a one-hot to sqrt(WIDTH)
        "model.norm.weight": ones,
    }
    for number in range(_LAYERS):
        found |= _layer(f"model.layers.{number}.")
    for number in range(0 if spec.accept is None else spec.heads):
        prefix = f"model.mtp_layers.{number}."
        norms = ("token_layernorm", "hidden_layernorm", "final_layernorm")
        found |= _layer(prefix) | {f"{prefix}{norm}.weight": ones for norm in norms}
        found[f"{prefix}input_proj.weight"] = _projection(language)
    return found


def _config(spec: ModelSpec) -> dict[str, Any]:
    """The content of ``config.json``: a plain Qwen2 where there is no head."""
    vocabulary = _vocabulary()
    config = {
        "model_type": "qwen2",
        "architectures": ["Qwen2ForCausalLM"],
        "hidden_size": WIDTH,
        "num_attention_heads": _HEADS,
        "num_key_value_heads": _HEADS,
        "head_dim": _HEAD,
        "intermediate_size": _FEED_FORWARD,
        "num_hidden_layers": _LAYERS,
        "vocab_size": len(vocabulary),
        "max_position_embeddings": 2048,
        "rms_norm_eps": 1e-6,
        "rope_theta": 10000.0,
        "hidden_act": "silu",
        "attention_bias": True,
        "tie_word_embeddings": False,
        "use_sliding_window": False,
        "torch_dtype": "bfloat16",
        "eos_token_id": vocabulary.index("<|im_end|>"),
    }
    if spec.accept is not None:
        config |= {"architectures": ["MiMoForCausalLM"], "num_nextn_predict_layers": spec.heads}
    return config


def _tokenizer() -> dict[str, Any]:
    """The content of ``tokenizer.json``: byte-level pairs without merges, so that every byte is a token."""
    vocabulary = _vocabulary()
    added = [
        {"id": vocabulary.index(token), "content": token, "special": True}
        | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        for token in _SPECIAL
    ]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "vocab": {token: number for number, token in enumerate(vocabulary)}, "merges": []}
    return {"version": "1.0", "added_tokens": added, "pre_tokenizer": level, "decoder": level, "model": model}


def _write_tensors(path: Path, tensors: Mapping[str, npt.NDArray[np.float32]]) -> None:
    """A safetensors file: the header's length, a JSON header that places every tensor, and the numbers."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, values in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [at, at + values.nbytes]}
        at += values.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    numbers = b"".join(values.astype("<f4").tobytes() for values in tensors.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + numbers)


def write_model(folder: Path, spec: ModelSpec = ModelSpec()) -> Path:
    """Write one model's folder and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    described = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>", "model_max_length": 2048}
    files = {
        "config.json": _config(spec),
        "tokenizer.json": _tokenizer(),
        "tokenizer_config.json": {**described, "chat_template": _TEMPLATE},
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    _write_tensors(folder / "model.safetensors", _tensors(spec))
    return folder


def main(argv: Sequence[str] | None = None) -> int:
    """Write one model from the command line and print what speculation on it must count."""
    parser = argparse.ArgumentParser(prog="python -m tests.live_vllm.model", description="Write a constructed model.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--accept", type=float, default=1.0, help="share of words that the head is right about (0..1)")
    parser.add_argument("--headless", action="store_true", help="write no head")
    parser.add_argument("--heads", type=int, default=1, help="MTP layers")
    arguments = parser.parse_args(argv)
    spec = ModelSpec(None if arguments.headless else arguments.accept, arguments.heads)
    write_model(arguments.folder, spec)
    if not arguments.headless:
        for gamma in (1, 2, 3):
            sys.stdout.write(f"gamma {gamma}, 64 tokens after 'hello': {count(spec.language, 'hello', 64, gamma)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
