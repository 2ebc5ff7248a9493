"""The paper's model as a GPT-2: the same numbers under other names.

GPT-2 stores the matrices of its blocks as (in, out) and coc as (out, in), so all four of a block are transposed,
including the square one of the attention's output. The projections of GPT-2's attention have biases, which are zero
here, since coc's have none. Otherwise the two are alike: one matrix for queries, keys and values, exact GELU (`gelu`,
not GPT-2's usual `gelu_new`), LayerNorm with an epsilon of 1e-5, and an output layer tied to the token embedding, hence
not stored.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from coc_core.errors import ArtefactError
from coc_transformer.files import ModelConfig, weights
from coc_transformer.tokenizer import BOS, EOS, PAD

_OUTSIDE = (
    ("tokens.weight", "wte.weight"),
    ("positions.weight", "wpe.weight"),
    ("norm.weight", "ln_f.weight"),
    ("norm.bias", "ln_f.bias"),
)
_BLOCK = (
    ("norm1.weight", "ln_1.weight"),
    ("norm1.bias", "ln_1.bias"),
    ("qkv.weight", "attn.c_attn.weight"),
    ("out.weight", "attn.c_proj.weight"),
    ("norm2.weight", "ln_2.weight"),
    ("norm2.bias", "ln_2.bias"),
    ("up.weight", "mlp.c_fc.weight"),
    ("up.bias", "mlp.c_fc.bias"),
    ("down.weight", "mlp.c_proj.weight"),
    ("down.bias", "mlp.c_proj.bias"),
)
_TRANSPOSED = ("qkv.weight", "out.weight", "up.weight", "down.weight")


def obstacle(config: ModelConfig) -> str:
    """Why a GPT-2 can't have this architecture; empty if it can."""
    if config.positions != "absolute":
        return f"its positions are {config.positions}, and GPT-2 has only absolute ones"
    if config.token_shift:
        return f"it has a token shift of {config.token_shift}, and GPT-2 has none"
    if config.log_scaling:
        return "its attention gets sharper with the length, and GPT-2's does not"
    return ""


def settings(config: ModelConfig) -> dict[str, Any]:
    """The `config.json` of the GPT-2."""
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "dtype": "float32",
        "vocab_size": config.vocab,
        "n_positions": config.max_len,
        "n_embd": config.d_model,
        "n_layer": config.layers,
        "n_head": config.heads,
        "n_inner": config.d_ff,
        "activation_function": "gelu",
        "layer_norm_epsilon": 1e-5,
        "scale_attn_weights": True,
        "scale_attn_by_inverse_layer_idx": False,
        "tie_word_embeddings": True,
        "embd_pdrop": config.dropout,
        "attn_pdrop": config.dropout,
        "resid_pdrop": config.dropout,
        "bos_token_id": BOS,
        "eos_token_id": EOS,
        "pad_token_id": PAD,
    }


def to_gpt2(state: Mapping[str, weights.Array], config: ModelConfig) -> dict[str, weights.Array]:
    """The tensors of a checkpoint as those of a GPT-2, not copied."""
    tensors = {theirs: state[ours].T if transposed else state[ours] for ours, theirs, transposed in _names(config)}
    for name, size in _zeros(config):
        tensors[name] = np.zeros(size, np.float32)
    return tensors


def from_gpt2(tensors: Mapping[str, weights.Array], config: ModelConfig, where: str) -> dict[str, weights.Array]:
    """The inverse of `to_gpt2`; ArtefactError, naming `where`, if a bias that coc's model lacks is not zero."""
    for name, _ in _zeros(config):
        if tensors[name].any():
            raise ArtefactError(f"{where}: the bias {name!r} is not zero, and coc's attention has no biases")
    return {ours: tensors[theirs].T if transposed else tensors[theirs] for ours, theirs, transposed in _names(config)}


def _names(config: ModelConfig) -> Iterator[tuple[str, str, bool]]:
    """Each tensor's name in a checkpoint and in a GPT-2, and whether it is transposed."""
    for ours, theirs in _OUTSIDE:
        yield ours, f"transformer.{theirs}", False
    for number in range(config.layers):
        for ours, theirs in _BLOCK:
            yield f"blocks.{number}.{ours}", f"transformer.h.{number}.{theirs}", ours in _TRANSPOSED


def _zeros(config: ModelConfig) -> Iterator[tuple[str, int]]:
    """The names and sizes of the biases that only GPT-2 has."""
    for number in range(config.layers):
        yield f"transformer.h.{number}.attn.c_attn.bias", 3 * config.d_model
        yield f"transformer.h.{number}.attn.c_proj.bias", config.d_model
