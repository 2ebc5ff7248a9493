"""Batches of the user's own problems: their plans, and the folder that keeps them."""
