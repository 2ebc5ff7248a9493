"""The backend `network`: checkpoints of other networks than the decoder. A checkpoint may come from anywhere, and a
network is code. So it only says what its network is called, and is opened if the user has loaded one of that name as a
plugin, or names it, as `network:FILE.py:CLASS@FOLDER`, or if it is of an installed plugin's backend.
"""

import re
from collections.abc import Mapping
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from typing import Any

from coc_core.errors import UsageError
from coc_core.models import Identity, Model
from coc_core.setting import Setting
from coc_core.text import quoted
from coc_transformer.checkpoint_model import dialect_index
from coc_transformer.decoding.backend import Transformer, record_of
from coc_transformer.files import checkpoint
from coc_transformer.network import (
    Architecture,
    inference_device,
    load_network,
    loaded_network,
    named_network,
    network_name,
)

_CHOICE = re.compile(r"(?P<network>.+:[\w.]+)@(?P<folder>.+)")
_named: ContextVar[Architecture | None] = ContextVar("network", default=None)


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
    token = _named.set(named_network(found["network"]))
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
    architecture: Architecture, folder: Path, config: dict[str, Any], identity: Identity, dialect: str
) -> Model:
    """Open a checkpoint of this network; the other arguments as for `backend.open_checkpoint`."""
    network, tokenizer = load_network(folder, config, architecture)
    index, device = dialect_index(folder, identity, tokenizer, dialect), inference_device()
    model = OwnModel(network.to(device), tokenizer, folder.resolve().name, index)
    fingerprint = sha256(f"{checkpoint.fingerprint(folder)} {architecture.sha256}".encode()).hexdigest()
    model.record = record_of(network, device, fingerprint) | {"network": architecture.name}
    return model


def open_offered(network: str, *arguments: Any) -> Model:
    """Open a checkpoint of the network that an installed plugin offers; the other arguments as for `open_as`."""
    return open_as(named_network(network), *arguments)
