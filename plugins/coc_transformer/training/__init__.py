"""Training: the loop, its hardware, its measurements and the model card."""
