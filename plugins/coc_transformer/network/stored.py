"""A checkpoint of a network that the user, or an installed plugin, has named."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from coc_core.errors import ArtefactError
from coc_core.models import CONFIG
from coc_core.text import quoted
from coc_transformer.files import checkpoint
from coc_transformer.network.base import Architecture, MadeConfig, Network
from coc_transformer.tokenizer import TextTokenizer


def load_network(folder: Path, config: Mapping[str, Any], architecture: Architecture) -> tuple[Network, TextTokenizer]:
    """Return the network and the tokenizer of a checkpoint; arguments and errors as for `checkpoint.load`. The folder
    says a name only, which is compared with that of `architecture`; nothing is imported.
    """
    where = str(folder / CONFIG)
    checkpoint.check_keys(folder, config, "network", "model")
    if (name := network_name(folder, config)) != architecture.name:
        raise ArtefactError(
            f"the checkpoint {folder} is of the network {quoted(name, 80)[1:-1]}, not {architecture.name}"
        )
    made = architecture.read(config.get("model"), f"{where}, 'model'")
    tokenizer = checkpoint.load_tokenizer(folder, config, made)
    return with_weights(made, folder), tokenizer


def with_weights(made: MadeConfig, folder: Path) -> Network:
    """Return the network with the weights of a checkpoint."""
    with torch.random.fork_rng(devices=[]):
        network = made.network().requires_grad_(False)
    saved = network.saved()
    stored = checkpoint.load_tensors(folder, {name: tuple(tensor.shape) for name, tensor in saved.items()})
    for name, array in stored.items():
        saved[name].copy_(torch.from_numpy(array))
    return network.eval()


def network_name(folder: Path, config: Mapping[str, Any]) -> str:
    """Return the name of the network of a checkpoint."""
    name = config.get("network")
    if not isinstance(name, str):
        raise ArtefactError(f"{folder / CONFIG} names no network")
    return name
