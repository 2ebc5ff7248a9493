"""Greedy decoding, with drafts checked in one pass."""

from coc_transformer.decoding.backend import OwnModel, opened

__all__ = ["OwnModel", "opened"]
