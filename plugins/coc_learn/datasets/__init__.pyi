from .buckets import FAMILIES as FAMILIES, sampling_buckets as sampling_buckets
from .dataset import (
    CARD as CARD,
    KIND as KIND,
    Card as Card,
    Dataset as Dataset,
    SubsetName as SubsetName,
    build_dataset as build_dataset,
    file_name as file_name,
    setting_of as setting_of,
    verify_dataset as verify_dataset,
)
from .pairs import (
    DatasetSpec as DatasetSpec,
    HoldOutBy as HoldOutBy,
    Seen as Seen,
    divided_pairs as divided_pairs,
    hold_out as hold_out,
    size_tests as size_tests,
    step_key as step_key,
    teacher_pairs as teacher_pairs,
    why_growing as why_growing,
)
