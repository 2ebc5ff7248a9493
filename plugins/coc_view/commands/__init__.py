"""`coc replay`, `coc diff` and `coc view`."""
