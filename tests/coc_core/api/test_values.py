"""Numbers from Python: whole numbers of any kind, but no truth values, no fractions, no texts."""
