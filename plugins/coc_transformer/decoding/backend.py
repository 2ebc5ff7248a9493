"""The backend `transformer`: a checkpoint behind the core's model interface."""

import copy
from pathlib import Path
from typing import Any

import torch

from coc_core.models import Identity
from coc_transformer.checkpoint_model import CheckpointModel, dialect_index
from coc_transformer.files import checkpoint
from coc_transformer.model import Decoder, load_decoder
from coc_transformer.network import Network, device_name, inference_device
from coc_transformer.tokenizer import TextTokenizer


class Transformer(CheckpointModel):
    """A checkpoint whose weights are torch's, on any device; arguments as for `CheckpointModel`."""

    _network: Network

    def __init__(self, network: Network, tokenizer: TextTokenizer, label: str, dialect: int = 0) -> None:
        super().__init__(network.eval(), tokenizer, label, dialect)

    def _exact(self) -> Network:
        network: Network = copy.deepcopy(self._network).to("cpu").double()
        return network

    def _exact_decoder(self) -> Network | None:
        return self._exact() if isinstance(self._network, Decoder) else None


def open_checkpoint(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> Transformer:
    """Open a checkpoint as the model for a dialect, given what `read_config` gives; ArtefactError if it is broken."""
    decoder, tokenizer = load_decoder(folder, config)
    index, device = dialect_index(folder, identity, tokenizer, dialect), inference_device()
    model = Transformer(decoder.to(device), tokenizer, folder.resolve().name, index)
    model.record = record_of(decoder, device, checkpoint.fingerprint(folder))
    return model


def record_of(network: Network, device: torch.device, fingerprint: str) -> dict[str, str]:
    """Return what the record of a run says of a network on a device."""
    return {
        "fingerprint": fingerprint,
        "torch": torch.__version__,
        "dtype": str(network.dtype).removeprefix("torch."),
        "threads": str(torch.get_num_threads()),
        **({"device": device_name(device)} if device.type != "cpu" else {}),
    }
