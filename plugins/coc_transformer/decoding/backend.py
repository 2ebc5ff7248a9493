"""The backend `transformer`: a checkpoint behind the core's model interface."""

import copy
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from coc_core.models import Identity, TargetMargin, TokenScore
from coc_transformer.checkpoint_model import CheckpointModel, Example, dialect_index
from coc_transformer.decoding.greedy import Decoded, decode, decode_until_mismatch, sample
from coc_transformer.decoding.known import logit_margins, score
from coc_transformer.files import checkpoint
from coc_transformer.model import Decoder, device_name, inference_device, load_decoder
from coc_transformer.network import Network
from coc_transformer.rounding import target_margin
from coc_transformer.tokenizer import TextTokenizer


class Transformer(CheckpointModel):
    """A checkpoint whose weights are torch's, on any device.

    Args:
        network: The network.
        tokenizer: Its tokenizer.
        label: What `describe` calls it where nobody chose it.
        dialect: The index of the dialect that it answers in.
    """

    def __init__(self, network: Network, tokenizer: TextTokenizer, label: str, dialect: int = 0) -> None:
        super().__init__(network.config, tokenizer, label, dialect)
        self._network = network.eval()

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return self._texts(decode(self._network, self._tokenizer, prompts, drafts, self._dialect))

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        return self._texts(decode_until_mismatch(self._network, self._tokenizer, prompts, drafts, self._dialect))

    def _texts(self, decoded: Decoded) -> list[str]:
        self._note_margin(decoded.margin)
        return decoded.texts

    def _drawn(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[str]:
        return sample(self._network, self._tokenizer, prompts, seeds, self._dialect)

    def score(self, prompts: Sequence[str], targets: Sequence[str], top: int) -> list[list[TokenScore]]:
        return score(self._network, self._tokenizer, prompts, targets, top, self._dialect)

    def _margins(self, examples: Sequence[Example], bounded: bool) -> Iterator[TargetMargin]:
        exact = copy.deepcopy(self._network).to("cpu").double()
        if bounded and isinstance(exact, Decoder):  # only its rounding is analysed
            return (target_margin(exact, *example) for example in examples)
        return map(TargetMargin, logit_margins(exact, examples))


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
    """What the record of a run says of a network on a device."""
    return {
        "fingerprint": fingerprint,
        "torch": torch.__version__,
        "dtype": str(network.dtype).removeprefix("torch."),
        "threads": str(torch.get_num_threads()),
        **({"device": device_name(device)} if device.type != "cpu" else {}),
    }
