"""`coc replay`, `coc diff` and `coc view`: recorded runs."""
