"""Configurations of tiny causal language models of transformers, and their training on a few pairs of Hanoi."""

import json

import coc_core as coc

_SMALL = {"hidden_size": 32, "num_hidden_layers": 2}
_ATTENTION = {"num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 64}
CONFIGS = {
    "llama": {**_SMALL, **_ATTENTION, "max_position_embeddings": 128},
    "qwen2": {**_SMALL, **_ATTENTION, "max_position_embeddings": 128, "tie_word_embeddings": True},
    "mamba": {**_SMALL, "state_size": 4},
    "gpt2": {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 128},
}


def write(path, kind="llama", **changes):
    """Write a configuration; gives what `--network` takes."""
    path.write_text(json.dumps({"model_type": kind, **CONFIGS.get(kind, {}), **changes}))
    return f"hf:{path}"


def train(out, network, sizes=range(1, 4), resume=False, init=None, on_progress=None, **hyperparameters):
    """Train on the pairs of a few disks, for three steps unless `steps` says otherwise."""
    chosen = {"steps": 3, "batch_size": 8, "warmup": 2, **hyperparameters}
    options = {"holdout": 0, "network": network, "hyperparameters": chosen, "out": out, "resume": resume}
    options |= {"init": init} if init else {}
    return coc.train("hanoi", sizes=sizes, on_progress=on_progress, **options).report
