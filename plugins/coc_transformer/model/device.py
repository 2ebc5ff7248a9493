"""What a model computes with: the device, by default the CPU, its threads, and how much memory it takes."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from coc_core.errors import UsageError
from coc_core.models import check_memory, requested_device
from coc_core.plugin import suggest
from coc_transformer.model.config import ModelConfig
from coc_transformer.model.kv_cache import KVCache


def inference_device() -> torch.device:
    """The requested device, in torch's notation (`cuda`, `cuda:1`); by default the CPU.

    Raises:
        UsageError: If torch finds no such device.
    """
    devices = {"cpu": torch.device("cpu")}
    if (kind := torch.accelerator.current_accelerator()) is not None:
        found = [torch.device(kind.type, index) for index in range(torch.accelerator.device_count())]
        devices |= {kind.type: found[0]} | {str(device): device for device in found}
    name, request = requested_device() or ("cpu", "")
    if name not in devices:
        raise UsageError(f"{request}: torch finds no such device here", remedy=suggest(name, devices))
    return devices[name]


def device_name(device: torch.device) -> str:
    """What the record of a run calls a device."""
    return f"{device}, {torch.cuda.get_device_name(device)}" if device.type == "cuda" else str(device)


def synchronize(device: torch.device) -> None:
    """Wait until a device has finished all work that it was given."""
    if device.type != "cpu":
        torch.accelerator.synchronize(device)


SMALL = 4_000_000  # parameters


@contextmanager
def threads_for(model: ModelConfig) -> Iterator[None]:
    """Use one thread for a small model: more are no faster, and far slower while other programs use the cores.

    The number of threads is restored at the end.
    """
    before = torch.get_num_threads()
    if model.parameters() <= SMALL:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


_FLOAT_BYTES = 4


def floats_per_token(config: ModelConfig) -> int:
    """How many numbers a forward pass keeps for each token at one time: activations of a block, and logits.

    The factors were measured, and are a little larger than what was found, since kernels keep copies of their own.
    """
    return 5 * config.d_ff + 30 * config.d_model + 3 * config.vocab


def check_size(config: ModelConfig, where: str) -> None:
    """Check that the memory budget allows the weights, and the work on one sequence that fills the context.

    Raises:
        ArtefactError: It does not.
    """
    working = KVCache.floats(config) + config.max_len * floats_per_token(config)
    needed = _FLOAT_BYTES * (config.parameters() + working)
    check_memory(
        needed, f"{where}: a model of {config.parameters():,} parameters and {config.max_len:,} tokens of context"
    )
