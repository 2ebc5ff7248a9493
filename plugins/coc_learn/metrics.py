"""What a backend notes while it trains."""

METRICS = "metrics.jsonl"
"""What a backend notes while it trains, in the folder of the checkpoint.

Each line is a JSON object with a `step` and some of these numbers: `loss`, `lr` (the learning rate), `train_exact` and
`heldout_exact` (shares of measured pairs, from 0 to 1). Others may stand beside them.
"""
