"""Checkpoints of the paper's architecture to GPT-2 folders, which the library transformers opens, and back."""
