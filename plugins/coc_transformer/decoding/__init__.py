"""Greedy decoding, with drafts checked in one pass."""

from coc_transformer.decoding.backend import record_of
from coc_transformer.decoding.own import OwnModel

__all__ = ["OwnModel", "record_of"]
