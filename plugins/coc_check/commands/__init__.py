"""`coc check`, `coc fuzz` and `coc new`."""
