from .audit import Dataset as Dataset
from .buckets import FAMILIES as FAMILIES, sampling_buckets as sampling_buckets
from .build import KIND as KIND, build_dataset as build_dataset
from .card import CARD as CARD, SUBSETS as SUBSETS, Card as Card, file_name as file_name
from .export import ExportedSubset as ExportedSubset, RowFormat as RowFormat, export_rows as export_rows
from .pairs import Seen as Seen, hold_out as hold_out, why_growing as why_growing
from .spec import (
    DatasetSpec as DatasetSpec,
    HoldOutBy as HoldOutBy,
    PairStream as PairStream,
    size_tests as size_tests,
)
from .steps import step_key as step_key
from .teacher import teacher_pairs as teacher_pairs
from .verify import setting_of as setting_of, verify_dataset as verify_dataset
