"""How much memory a model takes, estimated from its configuration alone."""

from coc_core.models import check_memory
from coc_transformer.model.config import ModelConfig
from coc_transformer.model.kv_cache import KVCache

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
