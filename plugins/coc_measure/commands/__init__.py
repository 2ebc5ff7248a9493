"""`coc eval` and `coc bench`: many problems."""
