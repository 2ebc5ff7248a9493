"""The backends that compute with torch: `transformer`, a checkpoint of the decoder, and `network`, of other networks. A
checkpoint may come from anywhere, and a network is code. So it only says what its network is called, and is opened if
the user has loaded one of that name as a plugin, or names it, as `network:FILE.py:CLASS@FOLDER`, or if it is of an
installed plugin's backend.
"""

import copy
import re
from collections.abc import Mapping
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from coc_core.errors import UsageError
from coc_core.models import Identity, Model
from coc_core.setting import Setting
from coc_core.text import quoted
from coc_transformer.continuation import CheckpointModel, dialect_index
from coc_transformer.files import checkpoint
from coc_transformer.model import Decoder, load_decoder
from coc_transformer.network import (
    Network,
    OwnArchitecture,
    device_name,
    inference_device,
    load_network,
    loaded_network,
    network_name,
    own_network,
)
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
    return opened(Transformer, folder, load_decoder(folder, config), (identity, dialect))


def opened(
    kind: type[Transformer],
    folder: Path,
    loaded: tuple[Network, TextTokenizer],
    use: tuple[Identity, str],
    record: Mapping[str, str] | None = None,
) -> Transformer:
    """Return a checkpoint that was loaded as the model for a dialect, on the requested device, with what the record of
    a run says of it: `record`, too.
    """
    (network, tokenizer), device = loaded, inference_device()
    index = dialect_index(folder, use[0], tokenizer, use[1])
    model = kind(network.to(device), tokenizer, folder.resolve().name, index)
    model.record = {
        "fingerprint": checkpoint.fingerprint(folder),
        "torch": torch.__version__,
        "dtype": str(network.dtype).removeprefix("torch."),
        "threads": str(torch.get_num_threads()),
        **({"device": device_name(device)} if device.type != "cpu" else {}),
        **(record or {}),
    }
    return model


_CHOICE = re.compile(r"(?P<network>.+:[\w.]+)@(?P<folder>.+)")
_named: ContextVar[OwnArchitecture | None] = ContextVar("network", default=None)


class OwnModel(Transformer):
    """A checkpoint of a network that is not the decoder. No bounds on its rounding are known."""

    name = "network"

    @property
    def assumptions(self) -> Mapping[str, str]:
        return {}


def open_named(setting: Setting, text: str) -> Model:
    """Return the checkpoint and the network that `network:FILE.py:CLASS@FOLDER` names; UsageError if it names none,
    ArtefactError if the checkpoint is broken or another network's, PluginError if that can't be imported.
    """
    found = _CHOICE.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{quoted('network:' + text)} names no network and checkpoint",
            remedy="write network:MODULE:CLASS@FOLDER or network:FILE.py:CLASS@FOLDER",
        )
    token = _named.set(own_network(found["network"]))
    try:
        return setting.checkpoint(found["folder"], "network")
    finally:
        _named.reset(token)


def open_network(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> Model:
    """Open a checkpoint whose network was named, as `backend.open_checkpoint` does; UsageError if it was not."""
    name = network_name(folder, config)
    architecture = _named.get() or loaded_network(name)
    if architecture is None:
        shown, choice = quoted(name, 80)[1:-1], f"network:MODULE:CLASS@{folder}"
        raise UsageError(
            f"the checkpoint {folder} is of the network {shown}, which is code, and a checkpoint may not choose code",
            remedy=f"if you trust it, load --plugin {shown.partition(':')[0]}.py, or choose --model {choice}",
        )
    return open_as(architecture, folder, config, identity, dialect)


def open_as(
    architecture: OwnArchitecture, folder: Path, config: dict[str, Any], identity: Identity, dialect: str
) -> Model:
    """Open a checkpoint of this network; the other arguments as for `backend.open_checkpoint`."""
    loaded = load_network(folder, config, architecture)
    fingerprint = sha256(f"{checkpoint.fingerprint(folder)} {architecture.sha256}".encode()).hexdigest()
    record = {"network": architecture.name, "fingerprint": fingerprint}
    return opened(OwnModel, folder, loaded, (identity, dialect), record)


def open_offered(network: str, *arguments: Any) -> Model:
    """Open a checkpoint of the network that an installed plugin offers; the other arguments as for `open_as`."""
    return open_as(own_network(network), *arguments)
