"""Functions: programs whose arguments and results are Python values."""
