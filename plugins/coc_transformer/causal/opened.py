"""A checkpoint of transformers as a model of coc."""

from pathlib import Path
from typing import Any

from coc_core.models import Identity, Model
from coc_transformer.causal.folder import load_causal
from coc_transformer.checkpoint_model import dialect_index
from coc_transformer.decoding import OwnModel, record_of
from coc_transformer.files import checkpoint
from coc_transformer.model import inference_device


class CausalModel(OwnModel):
    """A causal language model that coc trained. No bounds on its rounding are known."""

    name = "causal-lm"


def open_causal(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> Model:
    """Open a checkpoint; arguments as for `backend.open_checkpoint`, errors as for `load_causal`."""
    network, tokenizer = load_causal(folder, config)
    index, device = dialect_index(folder, identity, tokenizer, dialect), inference_device()
    model = CausalModel(network.to(device), tokenizer, folder.resolve().name, index)
    model.record = record_of(network, device, checkpoint.fingerprint(folder)) | {
        "network": network.config.architecture.name
    }
    return model
