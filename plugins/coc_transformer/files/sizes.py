"""How much memory a network takes, and hence how many sequences it reads at a time."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from coc_doors.hub.memory import check_memory

_FLOAT_BYTES = 4


class Shape(Protocol):
    """What a network is made from, and how large it then is; `max_len` is the length of its context in tokens."""

    @property
    def vocab(self) -> int: ...

    @property
    def max_len(self) -> int: ...

    def parameters(self) -> int:
        """Return the number of parameters."""
        ...

    def cache_floats(self) -> int:
        """Return how many numbers of four bytes it takes to read the next token of one sequence."""
        ...

    def floats_per_token(self) -> int:
        """Return how many numbers a forward pass keeps for each token at one time."""
        ...


def check_size(config: Shape, where: str) -> None:
    """Raise ArtefactError unless the memory budget allows the weights and work on a sequence that fills the context."""
    working = config.cache_floats() + config.max_len * config.floats_per_token()
    needed = _FLOAT_BYTES * (config.parameters() + working)
    check_memory(
        needed, f"{where}: a model of {config.parameters():,} parameters and {config.max_len:,} tokens of context"
    )


def length_batches(lengths: Sequence[int], most: float) -> Iterator[list[int]]:
    """Yield batches of the indices of rows: at most so many tokens each, and not much padding."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        longest = lengths[index]
        if batch and (longest * (len(batch) + 1) > most or longest > 8 + 1.1 * lengths[batch[0]]):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
