"""The batches of a training: which pairs each step takes, and how they become tensors."""

from coc_transformer.batches.examples import Batch, Costs, Examples, Rows, check_lengths, collate, cut, tokenise
from coc_transformer.batches.sampler import (
    BatchSampler,
    Curriculum,
    DigitPositions,
    NamePermutation,
    PrioritisedReplay,
    bucket_families,
    with_names_permuted,
)

__all__ = [
    "Batch",
    "BatchSampler",
    "Costs",
    "Curriculum",
    "DigitPositions",
    "Examples",
    "NamePermutation",
    "PrioritisedReplay",
    "Rows",
    "bucket_families",
    "check_lengths",
    "collate",
    "cut",
    "tokenise",
    "with_names_permuted",
]
