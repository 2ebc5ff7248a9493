"""Datasets: prompt-target pairs, how they are drawn, stored, sampled and verified."""

from coc_core.datasets.address_pairs import (
    ADDRESS_HOLDOUT,
    LARGEST_ADDRESS,
    LEAST_LARGEST_ADDRESS,
    address_pairs,
    address_tests,
    address_training_set,
    drawn_addresses,
)
from coc_core.datasets.audit import Dataset
from coc_core.datasets.buckets import FAMILIES, sampling_buckets
from coc_core.datasets.build import KIND, build_dataset
from coc_core.datasets.card import CARD, SUBSETS, Card, file_name
from coc_core.datasets.pairs import Seen, closure, has_few_kinds
from coc_core.datasets.shards import PairWorkers
from coc_core.datasets.spec import DatasetSpec, HoldOutBy, PairStream, PairWriter, size_tests
from coc_core.datasets.steps import step_key
from coc_core.datasets.teacher import teacher_pairs
from coc_core.datasets.verify import setting_of, verify_dataset

__all__ = [
    "ADDRESS_HOLDOUT",
    "CARD",
    "FAMILIES",
    "KIND",
    "LARGEST_ADDRESS",
    "LEAST_LARGEST_ADDRESS",
    "SUBSETS",
    "Card",
    "Dataset",
    "DatasetSpec",
    "HoldOutBy",
    "PairStream",
    "PairWorkers",
    "PairWriter",
    "Seen",
    "address_pairs",
    "address_tests",
    "address_training_set",
    "build_dataset",
    "closure",
    "drawn_addresses",
    "file_name",
    "has_few_kinds",
    "sampling_buckets",
    "setting_of",
    "size_tests",
    "step_key",
    "teacher_pairs",
    "verify_dataset",
]
