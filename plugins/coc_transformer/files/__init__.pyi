from .config import (
    COUNTERS as COUNTERS,
    MOST_DIGIT_ROWS as MOST_DIGIT_ROWS,
    MOST_PARAMETERS as MOST_PARAMETERS,
    MOST_STEPS as MOST_STEPS,
    ModelConfig as ModelConfig,
    Shape as Shape,
    length_batches as length_batches,
    to_json as to_json,
    within as within,
)
