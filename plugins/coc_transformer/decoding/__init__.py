"""Greedy decoding, with drafts checked in one pass."""
