"""The page on which checkpoints run: one HTML file with everything in it, which loads nothing else."""

ENGINE = ("tokenizer.js", "network.js", "memory.js")
"""What runs a checkpoint, without the page; each needs those before it."""
