"""`coc run` and `coc trace`: one problem."""
