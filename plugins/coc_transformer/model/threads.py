"""How many CPU threads a model computes with."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from coc_transformer.model.config import ModelConfig

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
