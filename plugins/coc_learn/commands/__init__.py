"""`coc data`, `coc train`, `coc export` and `coc import`: datasets and checkpoints."""
