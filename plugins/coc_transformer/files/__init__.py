"""A checkpoint's files: config.json, the weights, and all of a folder. Nothing here needs torch."""

from coc_transformer.files.config import (
    COUNTERS,
    MOST_DIGIT_ROWS,
    MOST_PARAMETERS,
    MOST_STEPS,
    ModelConfig,
    Shape,
    check_size,
    from_json,
    length_batches,
    to_json,
    within,
)

__all__ = [
    "COUNTERS",
    "MOST_DIGIT_ROWS",
    "MOST_PARAMETERS",
    "MOST_STEPS",
    "ModelConfig",
    "Shape",
    "check_size",
    "from_json",
    "length_batches",
    "to_json",
    "within",
]
