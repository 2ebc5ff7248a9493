"""A checkpoint's files: config.json, the weights, and all of a folder. Nothing here needs torch."""

from coc_transformer.files.config import (
    COUNTERS,
    COUNTS,
    MOST_DIGIT_ROWS,
    ModelConfig,
    from_json,
    note_from_json,
    to_json,
    within,
)
from coc_transformer.files.sizes import cache_floats, check_size, floats_per_token, length_batches

__all__ = [
    "COUNTERS",
    "COUNTS",
    "MOST_DIGIT_ROWS",
    "ModelConfig",
    "cache_floats",
    "check_size",
    "floats_per_token",
    "from_json",
    "length_batches",
    "note_from_json",
    "to_json",
    "within",
]
