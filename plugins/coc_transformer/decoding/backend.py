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
    """A checkpoint whose weights are torch's, on any device.

    Args:
        network: The network.
        tokenizer: Its tokenizer.
        label: What `describe` calls it where nobody chose it.
        dialect: The index of the dialect that it answers in.
    """

    _network: Network

    def __init__(self, network: Network, tokenizer: TextTokenizer, label: str, dialect: int = 0) -> None:
        super().__init__(network.eval(), tokenizer, label, dialect)

    def _exact(self) -> Network:
        network: Network = copy.deepcopy(self._network).to("cpu").double()
        return network

    def _exact_decoder(self) -> Network | None:
        return self._exact() if isinstance(self._network, Decoder) else None


def open_checkpoint(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> Transformer:
    """Open a checkpoint's folder as the model for one of its dialects.

    Args:
        folder: The checkpoint's folder.
        config: The backend's own keys of its `config.json`, from `coc_core.models.read_config`.
        identity: The rest of its `config.json`, from the same function.
        dialect: The dialect to answer in.

    Raises:
        ArtefactError: If anything in the folder is not as it must be.
    """
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
