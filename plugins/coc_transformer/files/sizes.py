"""How much memory a model takes, and hence how many sequences it reads at a time."""

from collections.abc import Iterator, Sequence

from coc_core.models import check_memory
from coc_transformer.files.config import COUNTS, ModelConfig

_FLOAT_BYTES = 4


def cache_floats(config: ModelConfig) -> int:
    """How many numbers of four bytes the keys, values and whatever else the next token needs take, for one sequence."""
    keys_and_values = 2 * config.layers * config.max_len * config.d_model
    inputs = (config.token_shift + config.max_len) * config.d_model if config.token_shift else 0
    counts = 2 * COUNTS * (1 + config.max_len)  # of eight bytes
    return keys_and_values + inputs + counts


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
    working = cache_floats(config) + config.max_len * floats_per_token(config)
    needed = _FLOAT_BYTES * (config.parameters() + working)
    check_memory(
        needed, f"{where}: a model of {config.parameters():,} parameters and {config.max_len:,} tokens of context"
    )


def length_batches(lengths: Sequence[int], most: float) -> Iterator[list[int]]:
    """Batches of the indices of rows: at most so many tokens each, and not much padding beside the shorter rows."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        longest = lengths[index]
        if batch and (longest * (len(batch) + 1) > most or longest > 8 + 1.1 * lengths[batch[0]]):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
