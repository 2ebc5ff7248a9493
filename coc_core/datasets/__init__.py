"""Datasets: prompt-target pairs, how they are drawn, stored, sampled and verified."""

from coc_core.datasets.address_pairs import ADDRESS_HOLDOUT, address_lessons, address_pairs
from coc_core.datasets.audit import Dataset
from coc_core.datasets.buckets import FAMILIES, strata
from coc_core.datasets.build import KIND, build
from coc_core.datasets.card import CARD, HALVES, Card, file_name, to_json
from coc_core.datasets.pairs import Seen
from coc_core.datasets.spec import HoldOutBy, PairStream, Recipe
from coc_core.datasets.teacher import lessons
from coc_core.datasets.verify import replay, setting_of

__all__ = [
    "ADDRESS_HOLDOUT",
    "CARD",
    "FAMILIES",
    "HALVES",
    "KIND",
    "Card",
    "Dataset",
    "HoldOutBy",
    "PairStream",
    "Recipe",
    "Seen",
    "address_lessons",
    "address_pairs",
    "build",
    "file_name",
    "lessons",
    "replay",
    "setting_of",
    "strata",
    "to_json",
]
