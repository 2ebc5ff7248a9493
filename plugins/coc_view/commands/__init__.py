"""`coc diff`, `coc replay`, `coc trace` and `coc view`."""
