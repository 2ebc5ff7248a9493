"""`coc check`, `coc doctor`, `coc fuzz`, `coc new` and `coc plugins`."""
