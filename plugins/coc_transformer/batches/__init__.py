"""The batches of a training: which pairs each step takes, and how they become tensors."""

from coc_transformer.batches.curriculum import Curriculum
from coc_transformer.batches.digit_positions import DigitPositions
from coc_transformer.batches.examples import Batch, Examples, Rows, collate, tokenise
from coc_transformer.batches.micro_batches import Costs, cut
from coc_transformer.batches.name_permutation import NamePermutation, with_names_permuted
from coc_transformer.batches.prioritised_replay import PrioritisedReplay
from coc_transformer.batches.sampler import BatchSampler, bucket_families

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
    "collate",
    "cut",
    "tokenise",
    "with_names_permuted",
]
