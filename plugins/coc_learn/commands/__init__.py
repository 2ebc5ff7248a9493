"""`coc data` and `coc train`: datasets and checkpoints."""
