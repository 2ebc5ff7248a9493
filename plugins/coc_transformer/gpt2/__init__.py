"""Checkpoints of the paper's architecture as GPT-2 folders, which the library transformers opens, and back."""
