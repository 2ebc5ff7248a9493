"""How many threads compute a model on a CPU."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from coc_transformer.model.config import ModelConfig

SMALL = 4_000_000  # parameters


@contextmanager
def threads_for(model: ModelConfig) -> Iterator[None]:
    """One thread for a small model. More are no faster there, and far slower where other programs want the cores.

    In the end the caller has as many as before.
    """
    before = torch.get_num_threads()
    if model.parameters() <= SMALL:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
