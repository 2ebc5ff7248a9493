"""`coc new`, `coc check`, `coc fuzz` and `coc plugins`: plugins."""
