"""Which pairs a training step takes, and how they become batches."""

from coc_transformer.batches.curriculum import Curriculum
from coc_transformer.batches.draws import Draws, families
from coc_transformer.batches.examples import Batch, Examples, Rows, collate, tokenise
from coc_transformer.batches.micro_batches import Costs, cut
from coc_transformer.batches.name_permutation import Renaming, renamed
from coc_transformer.batches.replay import Hardest

__all__ = [
    "Batch",
    "Costs",
    "Curriculum",
    "Draws",
    "Examples",
    "Hardest",
    "Renaming",
    "Rows",
    "collate",
    "cut",
    "families",
    "renamed",
    "tokenise",
]
